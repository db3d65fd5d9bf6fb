import { expect, test } from 'vitest'
import { mailDraft, webLink } from './safe-links.ts'

test('a mail draft carries its subject encoded', () => {
  expect(mailDraft('owner@bakery.example', 'Regarding Your Consultation Request')).toBe(
    'mailto:owner@bakery.example?subject=Regarding%20Your%20Consultation%20Request',
  )
})

test('an address cannot add a header, a recipient or a body to the draft', () => {
  const draft = mailDraft("o'x&bcc=all@evil.test?body=1\r\nCc:a@b.c", 'Re: a&body=b')
  expect(draft.split('?')).toHaveLength(2)
  expect(draft).not.toMatch(/[&\r\n]/)
})

test('only web addresses become links, and each shows its real host', () => {
  expect(webLink('https://drive.example.com/cv.pdf')?.host).toBe('drive.example.com')
  expect(webLink('https://раураl.example/')?.host).toMatch(/^xn--/)
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'https://google.com@evil.test/',
    'not an address',
  ])
    expect(webLink(address)).toBeNull()
})
