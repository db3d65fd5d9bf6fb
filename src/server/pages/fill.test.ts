import { expect, test } from 'vitest'
import { fill, idsIn, parsed } from './fill.ts'

const page = `<!doctype html>
<html lang=en><head><meta charset="utf-8"><style>p > b { color: red }</style>
<script>if (1 < 2) document.write("<p id='x'>")</script></head>
<body><!-- <p id="never"> --><br/><svg><path d="M0 0"/></svg></i>
<p id='intro' class='a "b"' hidden>Before</p>
<ul><li class="entry"><b>who</b> <q>text</q><img alt="" src="/x.svg"></li></ul>
<input id="name" disabled value="old"><textarea id="message" rows=4></textarea>
<section class="end"><p>One</p><p>Two</p></section></body></html>
`

test('a page that nothing is filled in stays byte for byte the same', () => {
  expect(fill(page, {})).toBe(page)
})

test('only what is named changes, every other byte stays', () => {
  const filled = fill(page, { '#intro': 'After', '.end': null })
  expect(filled).toBe(page.replace('Before', 'After').replace(/<section.*<\/section>/, () => ''))
})

test('a value that is markup comes back as text, in content and in attributes', () => {
  const markup = `"><script>alert('x')</script> & </textarea>`
  const escaped =
    '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &lt;/textarea&gt;'
  const filled = fill(page, {
    '#intro': { text: markup, attributes: { title: markup, hidden: null } },
    '#name': { value: markup },
    '#message': { value: markup },
  })
  expect(filled).toContain(
    `<p id="intro" class="a &quot;b&quot;" title="${escaped}">${escaped}</p>`,
  )
  expect(filled).toContain(`<input id="name" disabled="" value="${escaped}">`)
  expect(filled).toContain(`<textarea id="message" rows=4>${escaped}</textarea>`)
  expect(filled).not.toContain('<script>alert')
})

test('a textarea keeps the line break that its text begins with', () => {
  expect(fill(page, { '#message': { value: '\nTwo' } })).toContain('rows=4>\n\nTwo</textarea>')
})

test('a list draws its template once for each entry, and not at all for none', () => {
  const entries = [
    { b: 'You', q: 'It says <b>' },
    { b: 'We', q: null, '.entry': { attributes: { class: 'entry ours' } } },
  ]
  expect(fill(page, { '.entry': entries })).toContain(
    '<ul><li class="entry"><b>You</b> <q>It says &lt;b&gt;</q><img alt="" src="/x.svg"></li>' +
      '<li class="entry ours"><b>We</b> <img alt="" src="/x.svg"></li></ul>',
  )
  expect(fill(page, { '.entry': [] })).toContain('<ul></ul>')
})

test('a filled text is never filled again', () => {
  const filled = fill('<p><b>x</b><i>y</i></p>', { b: '<i>z</i> {{y}}', i: 'w' })
  expect(filled).toBe('<p><b>&lt;i&gt;z&lt;/i&gt; {{y}}</b><i>w</i></p>')
})

test('a selector that the page does not have is an error, and so are two for one element', () => {
  expect(() => fill(page, { '#never': 'x' })).toThrow('The page has no #never')
  expect(() => fill(page, { '#intro': 'x', 'body > p': 'y' })).toThrow('twice')
  expect(() => fill('<div><p id="open"></div>', { '#open': 'x' })).toThrow('never closed')
})

test('a page is parsed once, and filling it leaves no trace for the next', () => {
  const before = parsed(page)
  const filled = fill(page, {
    '#intro': 'After',
    '.entry': [{ b: 'You' }, { b: 'We' }],
    '.end': null,
  })
  expect(parsed(page)).toBe(before)
  expect(idsIn(page)).toEqual(['intro', 'name', 'message'])
  expect(fill(page, {})).toBe(page)
  expect(
    fill(page, { '#intro': 'After', '.entry': [{ b: 'You' }, { b: 'We' }], '.end': null }),
  ).toBe(filled)
})

test('many pages do not fill the memory', () => {
  const [first = '', ...others] = Array.from({ length: 65 }, (_, n) => `<p>${n}</p>`)
  const before = parsed(first)
  for (const html of others) parsed(html)
  expect(parsed(first)).not.toBe(before)
})
