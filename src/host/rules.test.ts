import { expect, test } from 'vitest'
import { headersFor, parseHeaders, parseRedirects, targetOf } from '#host/rules.ts'

const targets = (rule: string, path: string) => {
  const [redirect] = parseRedirects(rule)
  if (!redirect) throw new Error('No rule')
  return targetOf(redirect, new URL(path, 'http://localhost'))
}

test('every matching rule adds its headers, and a later one replaces an earlier', () => {
  const rules = parseHeaders(`
# all pages
/*
  X-Frame-Options: DENY
  Cache-Control: public, max-age=0
/_astro/*
  Cache-Control: public, max-age=31536000, immutable
/about
  Link: </font.woff2>; rel=preload
`)
  expect(Object.fromEntries(headersFor(rules, '/_astro/a.css'))).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-frame-options': 'DENY',
  })
  expect(headersFor(rules, '/about').get('link')).toBe('</font.woff2>; rel=preload')
  expect(headersFor(rules, '/').get('x-frame-options')).toBe('DENY')
  expect(headersFor(rules, '/about/more').has('link')).toBe(false)
})

test('a redirect reads status, force, splat and placeholders', () => {
  expect(parseRedirects('/old /new')).toMatchObject([{ status: 301, force: false }])
  expect(parseRedirects('/old /new 200! # why')).toMatchObject([{ status: 200, force: true }])
  expect(targets('/old /new 301', '/old')).toBe('/new')
  expect(targets('/old /new 301', '/older')).toBeUndefined()
  expect(targets('/news/* /blog/:splat', '/news/a/b')).toBe('/blog/a/b')
  expect(targets('/post/:slug /blog/:slug', '/post/hello')).toBe('/blog/hello')
  expect(targets('/admin/* /admin 200', '/admin/users')).toBe('/admin')
})

test('a redirect on the query applies only where the query has it', () => {
  const any = '/form service=:service /form/:service 200!'
  expect(targets(any, '/form?service=basic&utm=x')).toBe('/form/basic')
  expect(targets(any, '/form')).toBeUndefined()
  expect(targets(any, '/form?service=../admin')).toBe('/form/..%2Fadmin')
  const one = '/form service=basic /form/basic 200!'
  expect(targets(one, '/form?service=basic')).toBe('/form/basic')
  expect(targets(one, '/form?service=other')).toBeUndefined()
})
