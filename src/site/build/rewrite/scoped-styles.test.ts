import { expect, test } from 'vitest'
import { withSmallScopes } from './scoped-styles.ts'

const a = 'data-astro-cid-abcd1234'
const b = 'data-astro-cid-efgh5678'

test('scopes have short names and stand on the elements that a rule may mean', () => {
  const page = `<style>.card[${a}]{top:0}p[${a}]:hover{top:0}.list[${b}] li[${b}]{top:0}</style><ul class="list" ${b}><li class="card" ${a}="true" ${b}><p ${a}>1 > 0</p><b ${a}>x</b></li></ul>`
  expect(withSmallScopes(page, new Set())).toBe(
    '<style>.card[data-a]{top:0}p[data-a]:hover{top:0}.list[data-b] li[data-b]{top:0}</style><ul class="list" data-b><li class="card" data-a data-b><p data-a>1 > 0</p><b>x</b></li></ul>',
  )
})

test('an element keeps its scope where a script may give it the class, or a rule names no class', () => {
  const page = `<style>.is-down[${a}]{top:0}.list[${b}]>[${b}]{top:0}</style><p ${a}></p><div class="list" ${b}><i ${b}></i></div>`
  expect(withSmallScopes(page, new Set(['is-down']))).toContain(
    '<p data-a></p><div class="list" data-b><i data-b></i></div>',
  )
})

test('scripts, text and elements without a scope stay as they are', () => {
  const page = `<script>if(a<b && c>d)x="<p ${a}>"</script><p title="a > b">1 < 2</p>`
  expect(withSmallScopes(page, new Set())).toBe(page)
})
