import { content, entries } from '#site/content.ts'
import {
  call,
  form,
  goToEntry,
  holdPictures,
  isSaved,
  list,
  openEntry,
  point,
  preview,
  refuseDrafts,
  test,
} from './desk.ts'
import { axeEverywhere, axeViolations, expect } from './fixtures.ts'

/** The desk: its list, its form, and the page beside it. */

// A trace looks into every frame, and the preview's frame refuses scripts with an error in the console.
test.use({ trace: 'off' })
test.describe.configure({ mode: 'default' })

const [question, second, third] = entries('faq')
const [position] = entries('positions')
const priced = entries('consultation-services').find(({ data }) => data.monthly !== undefined)
if (!priced || !question || !second || !third || !position)
  throw new Error('The content has too few entries')

test('each collection is listed with its number, and a text opens with its page beside it', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'superuser')
  await page.goto('/admin/site')
  await expect(page.getByText('Nothing to publish')).toBeVisible()
  for (const name of ['faq', 'positions', 'testimonials'] as const)
    await expect(
      list(page)
        .getByRole('link', { name: new RegExp(` ?${entries(name).length}$`) })
        .first(),
    ).toBeVisible()
  await list(page)
    .getByRole('link', { name: /^Questions/ })
    .click()
  await list(page).getByRole('link', { name: question.data.question }).click()
  await expect(form(page).getByRole('textbox', { name: 'Question' })).toHaveValue(
    question.data.question,
  )
  await expect(preview(page).getByText(question.data.question).first()).toBeVisible()
})

test('a changed sample text loses its mark in one act', async ({ page, enterAs, request }) => {
  const token = await enterAs(page, 'editor')
  const sample = entries('testimonials').find(({ data }) => data.sample)
  const id = sample?.id ?? 'ours'
  const value = { ...entries('testimonials')[0]?.data, sample: true, role: 'florist' }
  await call(request, token, sample ? 'PUT' : 'POST', `testimonials${sample ? `/${id}` : ''}`, {
    value,
    ...(sample ? {} : { id }),
  })
  await openEntry(page, 'testimonials', id)
  await form(page).getByRole('button', { name: 'It is ours now' }).click()
  await expect(form(page).getByLabel('Sample text')).not.toBeChecked()
  await expect(form(page).getByRole('button', { name: 'It is ours now' })).toHaveCount(0)
})

test('an accent that cannot be read says what the site shows instead, and a mark is read from a file', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'superuser')
  await openEntry(page, 'brand')
  const accent = form(page).getByLabel('Accent')
  await accent.fill('#ffee00')
  await expect(accent).toHaveAccessibleDescription(/shows #[0-9a-f]{6} in the light theme/)
  const drawing = (inside: string) => ({
    name: 'mark.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(`<svg viewBox="0 0 32 32">${inside}</svg>`),
  })
  const file = form(page).getByLabel('From an SVG file')
  await file.setInputFiles(drawing('<script>alert(1)</script>'))
  await expect(file).toHaveAccessibleDescription(/this file holds <script>/)
  await file.setInputFiles(drawing('<path d="M4 4 28 28"/>'))
  await expect(form(page).getByRole('textbox', { name: 'Mark' })).toHaveValue('M4 4 28 28')
})

test('what is typed is stored by itself, and the page follows', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'editor')
  await openEntry(page, 'faq', question.id)
  const field = form(page).getByRole('textbox', { name: 'Question' })
  await field.fill('Is this what I typed?')
  await expect(isSaved(page)).toBeVisible()
  await expect(preview(page).getByText('Is this what I typed?').first()).toBeVisible()
  // Without scripts the bar of the page looks as visitors see it.
  await page.getByRole('button', { name: 'Desktop' }).click()
  await expect(preview(page).locator('[data-theme-switch]')).toHaveCSS('visibility', 'visible')
  const start = await preview(page).getByRole('link', { name: 'Get Started' }).first().boundingBox()
  expect(start?.width).toBeGreaterThan((start?.height ?? 0) * 2)
  await expect(form(page).getByText(`Published: ${question.data.question}`)).toBeVisible()
  await expect(page.getByText('1 change', { exact: true })).toBeVisible()
  const { data } = await call(request, token, 'GET', `faq/${question.id}`)
  expect(data.value.question).toBe('Is this what I typed?')
  await form(page).getByRole('button', { name: 'Put back Question' }).click()
  await expect(field).toHaveValue(question.data.question)
  await expect(page.getByText('Nothing to publish')).toBeVisible()
})

test('the preview comes back to the text that is edited, also to one beside others in a row', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'editor')
  for (const id of ['ours-1', 'ours-2', 'ours-3'])
    await call(request, token, 'POST', 'testimonials', {
      id,
      value: { name: `Name ${id}`, role: 'Role', quote: `Words of ${id}.` },
    })
  await openEntry(page, 'testimonials', 'ours-3')
  await form(page).getByRole('textbox', { name: 'Quote' }).fill('Words in sight.')
  const shown = preview(page).getByText('Words in sight.')
  await expect(shown).toBeInViewport({ ratio: 1 })
  // A field that the page does not mark by itself.
  await form(page).getByRole('textbox', { name: 'Role' }).fill('Another role')
  await expect(preview(page).getByText('Another role').last()).toBeInViewport({ ratio: 1 })
  await expect(shown).toBeInViewport({ ratio: 1 })

  await page.setViewportSize({ width: 390, height: 844 })
  await form(page).getByRole('textbox', { name: 'Quote' }).fill('Words on a phone.')
  await expect(isSaved(page)).toBeVisible()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(preview(page).getByText('Words on a phone.')).toBeInViewport()
})

test('the list shows the row of what is open', async ({ page, enterAs }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await enterAs(page, 'superuser')
  await openEntry(page, 'brand')
  const row = list(page).getByRole('link', { name: /^Brand and contact/ })
  await expect(row).toBeInViewport({ ratio: 1 })
  const last = entries('faq').at(-1) ?? question
  await goToEntry(page, 'faq', last.id)
  await expect(list(page).getByRole('link', { name: last.data.question })).toBeInViewport({
    ratio: 1,
  })
})

test('the first change of a sample text moves no field', async ({ page, enterAs, request }) => {
  const token = await enterAs(page, 'editor')
  const sample = entries('testimonials').find(({ data }) => data.sample)
  test.skip(!sample, 'no quote is a sample')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await call(request, token, 'POST', `testimonials/${sample?.id}/discard`)
    await openEntry(page, 'testimonials', sample?.id)
    const name = form(page).getByRole('textbox', { name: 'Name' })
    await name.focus()
    const before = await name.boundingBox()
    await name.fill('Somebody else')
    await expect(isSaved(page)).toBeVisible()
    await expect(form(page).getByText(/^Published:/)).toBeVisible()
    expect(await name.boundingBox()).toEqual(before)
  }
})

test('the same picture sent again keeps its words in the texts that show it', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  const [first, other] = entries('blog')
  test.skip(!first || !other, 'the blog has one article at most')
  const picture = form(page).getByRole('combobox', { name: 'Picture at the head' })
  const send = async (id: string | undefined, words: string) => {
    await openEntry(page, 'blog', id)
    await form(page).getByRole('textbox', { name: 'The picture in words' }).fill(words)
    await form(page).getByLabel('A picture of your own, up to 5 MB').setInputFiles(point)
    await expect(picture.getByRole('option', { name: words, selected: true })).toBeAttached()
    await expect(isSaved(page)).toBeVisible()
  }
  await send(first?.id, 'A first description')
  await send(other?.id, 'A second description')
  await openEntry(page, 'blog', first?.id)
  await expect(
    picture.getByRole('option', { name: 'A first description', selected: true }),
  ).toBeAttached()
})

test('a picture that is stored late keeps what was typed meanwhile', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'editor')
  const [article] = entries('blog')
  test.skip(!article, 'the blog has no article')
  const release = await holdPictures(page)
  const read = async () => (await call(request, token, 'GET', `blog/${article?.id}`)).data.value
  await openEntry(page, 'blog', article?.id)
  const picture = form(page).getByRole('combobox', { name: 'Picture at the head' })
  const title = form(page).getByRole('textbox', { name: 'Title', exact: true })
  const chosen = await picture.inputValue()
  await form(page).getByRole('textbox', { name: 'The picture in words' }).fill('A single point')
  await form(page).getByLabel('A picture of your own, up to 5 MB').setInputFiles(point)
  await title.fill('Typed meanwhile')
  await expect.poll(read).toMatchObject({ title: 'Typed meanwhile' })
  await expect(isSaved(page)).toBeVisible()
  release()
  await expect(picture).toHaveValue(/^\/media\//)
  await expect(title).toHaveValue('Typed meanwhile')
  await expect.poll(async () => JSON.stringify(await read())).toContain('"/media/')
  expect(await read()).toMatchObject({ title: 'Typed meanwhile' })
  await form(page).getByRole('button', { name: 'Undo' }).click()
  await expect(picture).toHaveValue(chosen)
  await expect(title).toHaveValue('Typed meanwhile')
})

test('a picture that is stored late changes no text that was left', async ({ page, enterAs }) => {
  await enterAs(page, 'editor')
  const [first, other] = entries('blog')
  test.skip(!first || !other, 'the blog has one article at most')
  const release = await holdPictures(page)
  await openEntry(page, 'blog', first?.id)
  await form(page).getByRole('textbox', { name: 'The picture in words' }).fill('A single point')
  await form(page).getByLabel('A picture of your own, up to 5 MB').setInputFiles(point)
  await expect(isSaved(page)).toBeVisible()
  await list(page)
    .getByRole('link', { name: other?.data.title ?? '' })
    .click()
  const title = form(page).getByRole('textbox', { name: 'Title', exact: true })
  await expect(title).toHaveValue(other?.data.title ?? '')
  const stored: string[] = []
  page.on('request', (sent) => {
    if (sent.method() === 'PUT') stored.push(new URL(sent.url()).pathname)
  })
  const isListed = page.waitForRequest(
    (sent) => sent.method() === 'GET' && sent.url().endsWith('/api/content/images'),
  )
  release()
  await isListed
  await title.fill('Another title')
  await expect(isSaved(page)).toBeVisible()
  expect(stored).toEqual([`/api/content/blog/${other?.id}`])
})

test('undo and redo go from field to field, Tab to the next one, and a key puts back what is published', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'positions', position.id)
  const title = form(page).getByRole('textbox', { name: 'Title' })
  const pay = form(page).getByRole('textbox', { name: 'Pay' })
  await title.fill('Another title')
  await pay.fill('Another pay')
  await page.keyboard.press('Control+z')
  await expect(pay).toHaveValue(position.data.pay)
  await expect(pay).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(title).toHaveValue(position.data.title)
  await expect(title).toBeFocused()
  await page.keyboard.press('Control+Shift+z')
  await expect(title).toHaveValue('Another title')
  await form(page).getByRole('button', { name: 'Redo' }).click()
  await expect(pay).toHaveValue('Another pay')
  await expect(isSaved(page)).toBeVisible()

  await title.fill('A third title')
  await page.keyboard.press('Tab')
  await expect(form(page).getByRole('textbox', { name: 'Short name' })).toBeFocused()
  await page.keyboard.type('a b')
  await expect(title).toHaveValue('A third title')
  await page.keyboard.press('Shift+Tab')
  await expect(title).toBeFocused()
  await page.keyboard.press('Alt+p')
  await expect(title).toHaveValue(position.data.title)
  await expect(title).toBeFocused()
})

test('problems stand at their fields and lead there, the draft is stored, and a problem goes as its field is filled', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'faq', question.id)
  await form(page).getByRole('textbox', { name: 'Question' }).fill('No question mark')
  await form(page).getByRole('textbox', { name: 'Answer 1' }).fill('')
  await expect(form(page).getByText('2 things to put right before you publish')).toBeVisible()
  const field = form(page).getByRole('textbox', { name: 'Question' })
  await expect(field).toHaveAccessibleDescription(/ends with a question mark/)
  await form(page).getByRole('button', { name: 'Answer 1: Write a text.' }).click()
  await expect(form(page).getByRole('textbox', { name: 'Answer 1' })).toBeFocused()
  await expect(page.getByText('1 change, 2 problems')).toBeVisible()

  // The problem goes before the text that fills the field is stored.
  await page.route(
    (url) => url.pathname === `/api/content/faq/${question.id}`,
    () => {},
  )
  const answer = form(page).getByRole('textbox', { name: 'Answer 1' })
  await expect(answer).toHaveAccessibleDescription(/Write a text/)
  await answer.fill('An answer.')
  await page.keyboard.press('Tab')
  await expect(form(page).getByText('Saving...')).toBeVisible()
  await expect(answer).not.toHaveAccessibleDescription(/Write a text/)
  await expect(answer).not.toHaveAttribute('aria-invalid')
})

test('a link to no page is a problem only while it stands there', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const token = await enterAs(page, 'editor')
  const more = { label: 'Read on', href: '/' }
  await call(request, token, 'PUT', `faq/${question.id}`, { value: { ...question.data, more } })
  await openEntry(page, 'faq', question.id)
  const link = form(page).getByRole('textbox', { name: 'Link to' })
  await link.fill('/nowhere')
  await page.keyboard.press('Tab')
  await expect(link).toHaveAccessibleDescription(/This site has no page \/nowhere\./)
  await page.keyboard.press('Control+z')
  await expect(link).toHaveValue('/')
  await expect(link).not.toHaveAccessibleDescription(/This site has no page/)
})

test('an optional field stays while it is filled in, and is removed by its button alone', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'consultation-services', priced.id)
  const price = form(page).getByRole('spinbutton', { name: 'Price' })
  for (const [typed, problem] of [
    ['', 'Write a number, or remove the price.'],
    ['-5', 'More than 0.'],
    ['12.5', 'Write a whole number.'],
  ] as const) {
    await price.clear()
    await price.pressSequentially(typed)
    await expect(price).toHaveAccessibleDescription(new RegExp(problem))
    await expect(price).toBeFocused()
  }
  await form(page).getByRole('button', { name: 'Remove price' }).click()
  await expect(price).toBeHidden()
  await expect(form(page).getByText(/to put right/)).toBeHidden()
  await form(page).getByRole('button', { name: 'Add price' }).click()
  await expect(price).toBeFocused()
  await expect(price).toHaveValue('')
  await expect(price).toHaveAccessibleDescription(/Write a number/)
  await page.keyboard.type('349')
  await expect(form(page).getByText(/to put right/)).toBeHidden()
})

test('what is left of a title’s length is told while one types', async ({ page, enterAs }) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'positions', position.id)
  const title = form(page).getByRole('textbox', { name: 'Title' })
  await title.fill('x'.repeat(60))
  await expect(title).toHaveAccessibleDescription(/20 left/)
  await title.fill('x'.repeat(85))
  await expect(title).toHaveAccessibleDescription(/5 too many/)
  await expect(form(page).getByText('A title has at most 80 characters.').first()).toBeVisible()
})

test('a click on a text of the page goes to its field, also of another entry', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'faq', question.id)
  await preview(page).getByText(question.data.question).last().click()
  await expect(form(page).getByRole('textbox', { name: 'Question' })).toBeFocused()
  await preview(page).getByText(second.data.question).last().click()
  const field = form(page).getByRole('textbox', { name: 'Question' })
  await expect(field).toHaveValue(second.data.question)
  await expect(field).toBeFocused()
})

test('entries are put in order by keys and by hand', async ({ page, enterAs, request }) => {
  const token = await enterAs(page, 'editor')
  await openEntry(page, 'faq', question.id)
  const ids = async () =>
    (await call(request, token, 'GET', 'faq')).data.map(({ id }: { id: string }) => id)
  const link = (one: { data: { question: string } }) =>
    list(page).getByRole('link', { name: one.data.question })
  await link(question).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(ids).toEqual([second.id, question.id, ...(await ids()).slice(2)])
  const place = async () => (await ids()).indexOf(question.id)
  for (const [key, end] of [
    ['ArrowDown', 3],
    ['ArrowUp', 1],
  ] as const) {
    // The second before the first is drawn.
    await link(question).evaluate((element, pressed) => {
      const init = { key: pressed, altKey: true, bubbles: true, cancelable: true }
      for (let times = 0; times < 2; times += 1)
        element.dispatchEvent(new KeyboardEvent('keydown', init))
    }, key)
    await expect.poll(place).toBe(end)
  }
  const row = list(page).getByRole('listitem').filter({ hasText: third.data.question }).last()
  await row.getByRole('presentation').dragTo(link(second), { timeout: 20_000 })
  await expect.poll(async () => (await ids())[0]).toBe(third.id)
  await form(page).getByRole('textbox', { name: 'Question' }).waitFor()
  await list(page)
    .getByRole('button', { name: `Move up ${question.data.question}` })
    .click()
  await expect
    .poll(async () => (await ids()).slice(0, 3))
    .toEqual([third.id, question.id, second.id])
})

test('an entry is added, filled in, and discarded again', async ({ page, enterAs }) => {
  await enterAs(page, 'editor')
  await page.goto('/admin/site?collection=testimonials')
  const release = Promise.withResolvers<void>()
  await page.route('**/api/content/testimonials', async (route) => {
    if (route.request().method() === 'POST') await release.promise
    await route.continue()
  })
  const adding = list(page).getByRole('button', { name: 'New entry' })
  await adding.click()
  await expect(adding).toHaveAttribute('aria-disabled', 'true')
  await adding.dispatchEvent('click')
  release.resolve()
  await expect(form(page).getByText('3 still to fill in')).toBeVisible()
  await expect(form(page).getByRole('heading', { level: 2 })).toBeFocused()
  await expect(page.getByText('1 change, 3 to fill in', { exact: true })).toBeVisible()
  await expect(form(page).getByText(/to put right/)).toBeHidden()
  await form(page).getByRole('textbox', { name: 'Name' }).focus()
  await form(page).getByRole('textbox', { name: 'Role' }).focus()
  await expect(form(page).getByText('One thing to put right before you publish')).toBeVisible()
  await form(page).getByRole('textbox', { name: 'Name' }).fill('A person')
  await form(page).getByRole('textbox', { name: 'Role' }).fill('A role')
  await form(page).getByRole('textbox', { name: 'Quote' }).fill('Words of that person.')
  await expect(form(page).getByText('to put right before you publish')).toBeHidden()
  await expect(list(page).getByRole('link', { name: /^A person/ })).toBeVisible()
  await form(page).getByRole('button', { name: 'Discard this entry' }).click()
  await expect(list(page).getByRole('link', { name: /^A person/ })).toBeHidden()
})

test('two editors keep both their fields, also through undo and redo, and choose where both changed the same', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const token = await enterAs(page, 'editor')
  await openEntry(page, 'positions', position.id)
  const path = `positions/${position.id}`
  const field = (name: string) => form(page).getByRole('textbox', { name })
  await field('Title').fill('Mine')
  await expect(isSaved(page)).toBeVisible()
  const theirs = { ...position.data, title: 'Mine', pay: 'Theirs' }
  await call(request, token, 'PUT', path, { value: theirs })
  await field('Department').fill('Mine, too')
  await expect(field('Pay')).toHaveValue('Theirs')
  await expect(isSaved(page)).toBeVisible()
  const both = { ...theirs, department: 'Mine, too' }
  const stored = async () => (await call(request, token, 'GET', path)).data.value
  expect(await stored()).toEqual(both)
  const undo = form(page).getByRole('button', { name: 'Undo' })
  await undo.click()
  await undo.click()
  await expect.poll(stored).toEqual({ ...position.data, pay: 'Theirs' })
  const redo = form(page).getByRole('button', { name: 'Redo' })
  await redo.click()
  await redo.click()
  await expect.poll(stored).toEqual(both)
  await expect(isSaved(page)).toBeVisible()

  await call(request, token, 'PUT', path, { value: { ...both, pay: 'Theirs again' } })
  await field('Pay').fill('My pay')
  const clash = form(page).getByRole('alert')
  await expect(clash).toContainText('Another tab of yours changed the same field')
  await expect(clash).toContainText('Theirs again')
  await expect(clash).toContainText('My pay')
  expect((await stored()).pay).toBe('Theirs again')
  await clash.getByRole('button', { name: 'Keep mine' }).click()
  await expect(clash).toBeHidden()
  await expect.poll(async () => (await stored()).pay).toBe('My pay')
})

for (const isMine of [true, false])
  test(`an entry that somebody removes while another types stays removed until ${isMine ? 'it is kept' : 'they keep it'}`, async ({
    page,
    enterAs,
    request,
    expectErrors,
  }) => {
    // The list still names what was removed.
    expectErrors(/status of 40[09]/)
    const token = await enterAs(page, 'editor')
    await openEntry(page, 'faq', question.id)
    const path = `faq/${question.id}`
    await call(request, token, 'DELETE', path)
    const field = form(page).getByRole('textbox', { name: 'Question' })
    await field.fill('Is it mine?')
    await expect(form(page)).toContainText('The next release leaves this out.')
    expect((await call(request, token, 'GET', path)).data.state).toBe('removed')
    if (isMine) await form(page).getByRole('button', { name: 'Keep it' }).click()
    else {
      await call(request, token, 'POST', `${path}/discard`)
      // Another order reads the entry again.
      await list(page).getByRole('link', { name: second.data.question }).press('Alt+ArrowDown')
    }
    await expect(field).toHaveValue('Is it mine?')
    await expect
      .poll(async () => (await call(request, token, 'GET', path)).data.value)
      .toEqual({ ...question.data, question: 'Is it mine?' })
  })

test('a removed position that is kept says at once when it is open', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  // The page of what was removed.
  expectErrors(/status of 404/)
  const token = await enterAs(page, 'editor')
  await call(request, token, 'DELETE', `positions/${position.id}`)
  await openEntry(page, 'openings', entries('openings').find(({ id }) => id !== position.id)?.id)
  await goToEntry(page, 'positions', position.id)
  await form(page).getByRole('button', { name: 'Keep it' }).click()
  await expect(form(page).getByRole('link', { name: 'Change when it is open' })).toBeVisible()
})

test('a draft that cannot be stored says so, is stored when the server answers again, and is joined with what somebody else stored meanwhile', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION|Failed to load|status of 409/)
  const token = await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  await openEntry(page, 'faq', question.id)
  const field = form(page).getByRole('textbox', { name: 'Question' })
  const again = form(page).getByRole('button', { name: 'Save again' })
  const putBack = form(page).getByRole('button', { name: 'Return to what is published' })
  await refuseDrafts(page, path)
  await field.fill('Is the line down?')
  await expect(again).toBeVisible()
  await expect(isSaved(page)).toBeHidden()
  await page.unroute(`**/api/content/${path}`)
  await again.click()
  await expect(isSaved(page)).toBeVisible()
  await putBack.click()
  await expect(field).toHaveValue(question.data.question)
  await expect(putBack).toBeHidden()

  await refuseDrafts(page, path)
  await field.fill('Is this mine?')
  await expect(again).toBeVisible()
  const answer = question.data.answer.with(0, 'An answer of theirs.')
  await call(request, token, 'PUT', path, { value: { ...question.data, answer } })
  // Another order reads the entry again.
  await list(page).getByRole('link', { name: question.data.question }).press('Alt+ArrowDown')
  await expect(putBack).toBeVisible()
  await page.unroute(`**/api/content/${path}`)
  await again.click()
  await expect(isSaved(page)).toBeVisible()
  await expect(form(page).getByRole('textbox', { name: 'Answer 1' })).toHaveValue(
    'An answer of theirs.',
  )
  expect((await call(request, token, 'GET', path)).data.value).toMatchObject({
    question: 'Is this mine?',
    answer,
  })
})

test('a text that cannot be stored stays in the tab when it is left, until it is stored', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION|Failed to load|status of 409/)
  const token = await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  const field = form(page).getByRole('textbox', { name: 'Question' })
  const again = form(page).getByRole('button', { name: 'Save again' })
  const open = async (one: typeof question) => {
    await list(page).getByRole('link', { name: one.data.question }).click()
    await expect(form(page).getByRole('heading', { name: one.data.question })).toBeVisible()
  }
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).join())
  const answer = question.data.answer.with(0, 'An answer of theirs.')
  await openEntry(page, 'faq', question.id)
  await refuseDrafts(page, path)
  await field.fill('Is the line down?')
  await expect(again).toBeVisible()
  await field.fill('Is the line still down?')
  await expect(again).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue('Is the line still down?')
  await expect(again).toBeVisible()
  await open(second)
  await expect(field).toHaveValue(second.data.question)
  await call(request, token, 'PUT', path, { value: { ...question.data, answer } })
  await page.unroute(`**/api/content/${path}`)
  await open(question)
  await expect(field).toHaveValue('Is the line still down?')
  await expect(form(page).getByRole('textbox', { name: 'Answer 1' })).toHaveValue(
    'An answer of theirs.',
  )
  await expect(isSaved(page)).toBeVisible()
  expect((await call(request, token, 'GET', path)).data.value).toMatchObject({
    question: 'Is the line still down?',
    answer,
  })
  expect(await kept()).not.toContain('form:')
})

test('what is typed while a save is on its way is there after a reload', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  // The page that is left may still try to save.
  expectErrors(/status of 409/)
  const token = await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  await openEntry(page, 'faq', question.id)
  const field = form(page).getByRole('textbox', { name: 'Question' })
  const { promise: isStored, resolve: tell } = Promise.withResolvers<void>()
  const { promise: never } = Promise.withResolvers<void>()
  await page.route(`**/api/content/${path}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    tell()
    await never
  })
  await field.fill('Is it the first?')
  await isStored
  await field.fill('Is it the second?')
  await page.unroute(`**/api/content/${path}`)
  await page.reload()
  await expect(field).toHaveValue('Is it the second?')
  await expect(isSaved(page)).toBeVisible()
  await expect(form(page).getByRole('alert')).toHaveCount(0)
  const { data } = await call(request, token, 'GET', path)
  expect(data.value.question).toBe('Is it the second?')
})

test('a text whose answer was lost before another try failed is no text of somebody else', async ({
  page,
  enterAs,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED|ERR_CONNECTION|Failed to load|status of 409/)
  await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  await openEntry(page, 'faq', question.id)
  const field = form(page).getByRole('textbox', { name: 'Question' })
  const again = form(page).getByRole('button', { name: 'Save again' })
  await page.route(`**/api/content/${path}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await field.fill('Is it the first?')
  await expect(again).toBeVisible()
  await page.unroute(`**/api/content/${path}`)
  await refuseDrafts(page, path)
  const refused = page.waitForEvent('requestfailed')
  await field.fill('Is it the second?')
  await refused
  await page.unroute(`**/api/content/${path}`)
  await field.fill('Is it the third?')
  await expect(isSaved(page)).toBeVisible()
  await expect(form(page).getByRole('alert')).toHaveCount(0)
})

test('a choice between two texts waits in the tab when it is left, and who returns to what is published has none', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const token = await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  const clash = form(page).getByRole('alert')
  await openEntry(page, 'faq', question.id)
  await call(request, token, 'PUT', path, {
    value: { ...question.data, question: 'Is it theirs?' },
  })
  const field = form(page).getByRole('textbox', { name: 'Question' })
  await field.fill('Is it mine?')
  await expect(clash).toContainText('Is it theirs?')
  await page.reload()
  await expect(clash).toContainText('Is it theirs?')
  await expect(clash).toContainText('Is it mine?')
  expect((await call(request, token, 'GET', path)).data.value.question).toBe('Is it theirs?')
  await clash.getByRole('button', { name: 'Keep mine' }).click()
  await expect(isSaved(page)).toBeVisible()
  expect((await call(request, token, 'GET', path)).data.value.question).toBe('Is it mine?')

  await call(request, token, 'PUT', path, {
    value: { ...question.data, question: 'Is it theirs again?' },
  })
  await field.fill('Is it mine again?')
  await expect(clash).toContainText('Is it theirs again?')
  await form(page).getByRole('button', { name: 'Return to what is published' }).click()
  await expect(field).toHaveValue(question.data.question)
  await expect(clash).toBeHidden()
  await field.fill('Is it another?')
  await expect(isSaved(page)).toBeVisible()
  expect((await call(request, token, 'GET', path)).data.value.question).toBe('Is it another?')
})

test('a draft that is discarded while it is being saved, or joined with another change, stays discarded', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const token = await enterAs(page, 'editor')
  const path = `faq/${question.id}`
  await openEntry(page, 'faq', question.id)
  const field = form(page).getByRole('textbox', { name: 'Question' })
  for (const isJoined of [false, true]) {
    await field.fill('Is it the first?')
    await expect(isSaved(page)).toBeVisible()
    const answer = [{ p: 'An answer of theirs.' }]
    if (isJoined)
      await call(request, token, 'PUT', path, {
        value: { ...question.data, question: 'Is it the first?', answer },
      })
    const sent = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await page.route(`**/api/content/${path}`, async (route) => {
      if (route.request().method() === 'PUT') {
        sent.resolve()
        await released.promise
      }
      await route.continue()
    })
    await field.fill('Is it the second?')
    await sent.promise
    await form(page).getByRole('button', { name: 'Return to what is published' }).click()
    released.resolve()
    await expect(field).toHaveValue(question.data.question)
    await expect(page.getByText('Nothing to publish')).toBeVisible()
    expect((await call(request, token, 'GET', path)).data.value).toEqual(question.data)
    await page.unroute(`**/api/content/${path}`)
  }
})

test('somebody without an account sees the preview by a link that names its end', async ({
  page,
  enterAs,
  browser,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const token = await enterAs(page, 'editor')
  await call(request, token, 'PUT', `faq/${question.id}`, {
    value: { ...question.data, question: 'Is this shared?' },
  })
  await openEntry(page, 'faq', question.id)
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this preview' })
  await expect(dialog.getByText(/until Tomorrow, \d\d:\d\d/)).toBeVisible()
  const link = await dialog.getByRole('link').getAttribute('href')
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link ?? '')
  await expect(stranger.getByText('Is this shared?').first()).toBeVisible()
  await stranger.goto('/preview/nothing')
  await expect(stranger.getByRole('heading', { name: 'No preview' })).toHaveCSS('margin-top', '0px')
  await stranger.context().close()
})

test('who may not change or publish reads so, at the brand and at a legal page', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'editor')
  await openEntry(page, 'brand')
  await expect(page.getByText('You write drafts. An admin publishes them.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish…' })).toHaveCount(0)
  await expect(form(page).getByText('Only a superuser changes and publishes this.')).toBeVisible()
  await expect(form(page).getByRole('textbox', { name: 'Name' }).first()).not.toBeEditable()
  await goToEntry(page, 'legal', entries('legal').find(({ data }) => data.body.type === 'doc')?.id)
  await expect(form(page).getByText(/^Only a superuser changes/)).toBeVisible()
  await expect(form(page).getByRole('textbox', { name: 'Text' })).toHaveAttribute(
    'contenteditable',
    'false',
  )
})

test('a phone has list, form and preview as tabs', async ({ page, enterAs }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAs(page, 'editor')
  await page.goto('/admin/site')
  await list(page)
    .getByRole('link', { name: /^Questions/ })
    .click()
  const last = entries('faq').at(-1) ?? question
  await list(page).getByRole('link', { name: last.data.question }).click()
  await expect(form(page)).toBeVisible()
  await expect(list(page)).toBeHidden()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(form(page)).toBeHidden()
  const shown = preview(page).getByText(last.data.question).last()
  await expect(shown).toBeInViewport()
  await shown.click()
  await expect(form(page).getByRole('textbox', { name: 'Question' })).toBeFocused()
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(list(page)).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

test('the desk has no accessibility violations', async ({ page, enterAs, request }) => {
  test.slow()
  const token = await enterAs(page, 'superuser')
  await call(request, token, 'PUT', `faq/${question.id}`, {
    value: { ...question.data, question: 'No question mark' },
  })
  await page.goto('/admin/site')
  await page.getByRole('heading', { name: /^Change what the site says/ }).waitFor()
  expect(await axeEverywhere(page)).toEqual([])
  await goToEntry(page, 'faq', question.id)
  await form(page).getByText('One thing to put right').waitFor()
  expect(await axeEverywhere(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  // axe reads the fill of a text, which keeps the page's own colour.
  const forced = await axeViolations(page)
  expect(forced.filter((violation) => !violation.startsWith('color-contrast'))).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
  await page.setViewportSize({ width: 1280, height: 900 })
  // Among them all kinds of fields.
  for (const name of ['blog', 'hiring', 'brand', 'openings', 'pages', 'service-pages'] as const) {
    const value = content()[name]
    if (Array.isArray(value) && value.length === 0) continue
    await goToEntry(page, name, Array.isArray(value) ? value[0]?.id : undefined)
    expect(await axeViolations(page), name).toEqual([])
  }
})
