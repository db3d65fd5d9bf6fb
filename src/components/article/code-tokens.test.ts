import { expect, test } from 'vitest'
import { shortTokens } from './code-tokens.ts'

test('a coloured token becomes a short element and the others leave their text', () => {
  expect(
    shortTokens(
      '<span class="token keyword module">import</span> x <span class="token punctuation">{</span><span class="token number">1</span>',
    ),
  ).toBe('<b>import</b> x {<s>1</s>')
})

test('a token with further attributes is closed, too', () => {
  expect(shortTokens('a <span class="token entity" title="&amp;">&amp;amp;</span> b')).toBe(
    'a &amp;amp; b',
  )
})

test('nested tokens close in the order they were opened', () => {
  expect(
    shortTokens(
      '<span class="token tag"><span class="token punctuation">&lt;</span>p <span class="token attr-value">"a"</span></span>',
    ),
  ).toBe('<b>&lt;p <i>"a"</i></b>')
})
