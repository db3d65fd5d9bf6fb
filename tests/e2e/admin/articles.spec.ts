import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'
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
  test,
} from './desk.ts'
import { axeEverywhere, expect } from './fixtures.ts'

/** Long texts at the desk: articles for editors, legal pages for the superuser. */

// A trace looks into every frame, and the preview's frame refuses scripts with an error in the console.
test.use({ trace: 'off' })
test.describe.configure({ mode: 'default' })

const [article] = entries('blog').filter(({ data }) => data.body.type === 'doc')
const [study] = entries('work')
const legal = entries('legal')
const page1 = legal.find(({ data }) => data.body.type === 'doc')
const file = legal.find(({ data }) => data.body.type === 'mdx')
if (!page1) throw new Error('There is no legal page')

const needsArticle = () => test.skip(!article || isOff('/blog'), 'This site has no articles')

const text = (page: Parameters<typeof form>[0]) => form(page).getByRole('textbox', { name: 'Text' })

test('lists in lists have marks of their own, and numbers begin where they are told to', async ({
  page,
  enterAs,
  request,
}) => {
  needsArticle()
  const token = await enterAs(page, 'editor')
  const item = (words: string, ...more: object[]) => {
    const paragraph = { type: 'paragraph', content: [{ type: 'text', text: words }] }
    return { type: 'listItem', content: [paragraph, ...more] }
  }
  const numbers = (start: number, ...content: object[]) => ({
    type: 'orderedList',
    attrs: { start },
    content,
  })
  const points = (...content: object[]) => ({ type: 'bulletList', content })
  const content = [
    numbers(3, item('Three', points(item('A'), item('B'))), item('Four')),
    points(item('C', numbers(1, item('One'), item('Two')))),
  ]
  const value = { ...article?.data, body: { type: 'doc', content } }
  await call(request, token, 'PUT', `blog/${article?.id}`, { value })
  const path = `/blog/${article?.id}`
  const { data } = await call(request, token, 'POST', 'preview/link', { path })
  await page.goto(data.url)
  const browser = await page.context().newCDPSession(page)
  const { nodes } = await browser.send('Accessibility.getFullAXTree')
  const said = (id: string | undefined): string[] => {
    const { role, name, childIds = [] } = nodes.find(({ nodeId }) => nodeId === id) ?? {}
    return role?.value === 'StaticText' ? [name?.value] : childIds.flatMap(said)
  }
  expect(said(nodes[0]?.nodeId).join(' ')).toContain('3 Three A B 4 Four C 1 One 2 Two')
})

test('an article with a heading, a table and a link is written, seen, published and in the feed', async ({
  page,
  enterAs,
  request,
}) => {
  needsArticle()
  test.skip(!study || isOff('/work'), 'This site has no cases')
  test.slow()
  const token = await enterAs(page, 'admin')
  await openEntry(page, 'blog')
  await expect(list(page).getByRole('link', { name: article?.data.title ?? '' })).toBeVisible()
  await list(page).getByRole('button', { name: 'New entry' }).click()
  const title = list(page).getByLabel('Title of the new page')
  await list(page).getByRole('button', { name: 'Add' }).click()
  await expect(title).toHaveAccessibleDescription('Write a title.')
  await expect(title).toBeFocused()
  await title.fill('What a desk is for')
  await list(page).getByRole('button', { name: 'Add' }).click()
  const fill = (name: string, value: string) =>
    form(page).getByRole('textbox', { name }).fill(value)
  await expect(form(page).getByRole('textbox', { name: 'Title' })).toHaveValue('What a desk is for')
  await fill('Excerpt', 'A text that was written in the desk, with all that a text needs to have.')
  await form(page).getByLabel('Category').selectOption({ index: 1 })
  await form(page).getByLabel('Date').fill('2026-11-20')
  await fill('Tags 1', 'Desk')
  await form(page).getByLabel('Picture at the head').selectOption({ index: 1 })
  await fill('The picture in words', 'A point that stands for a desk')
  await form(page).getByLabel('A picture of your own').setInputFiles(point)
  const hero = form(page).getByLabel('Picture at the head')
  await expect(hero).toHaveValue(/^\/media\//)
  // A case takes it, too.
  const alt = 'A point that stands for a case'
  const plate = { drawing: await hero.inputValue(), alt, ground: 'sea', wide: true }
  await call(request, token, 'PUT', `work/${study?.id}`, { value: { ...study?.data, plate } })

  const tools = form(page).getByRole('toolbar', { name: 'Form of the text' })
  await text(page).click()
  await page.keyboard.type('It begins with a paragraph.')
  await page.keyboard.press('Enter')
  await tools.getByLabel('Kind of paragraph').selectOption('Heading')
  await expect(text(page)).toBeFocused()
  await page.keyboard.type('Why a desk')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Because ')
  const bold = tools.getByRole('button', { name: 'Bold' })
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'true')
  await expect(text(page)).toBeFocused()
  await page.keyboard.type('texts change')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(', see the ')
  await tools.getByRole('button', { name: 'Link' }).click()
  const address = form(page).getByRole('textbox', { name: 'Address of the link' })
  await address.fill('javascript:alert(1)')
  await address.press('Enter')
  await expect(address).toHaveAccessibleDescription(/A link begins with/)
  await address.fill('/faq')
  await address.press('Enter')
  await expect(text(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await tools.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await page.keyboard.type('Page')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Weight')
  for (const cell of ['Home', '14 KB', 'Blog', '12 KB']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(cell)
  }
  await expect(
    form(page)
      .getByText(/^Table 1: .*caption/)
      .first(),
  ).toBeVisible()
  // A picture goes after the table, and there is a place below both.
  await form(page).getByRole('button', { name: 'Picture', exact: true }).click()
  await form(page).getByRole('button', { name: 'Delete picture' }).click()
  await text(page).getByRole('paragraph').last().click()
  await page.keyboard.type('It ends below the table.')
  const below = text(page).locator('> p').last()
  await expect(below).toHaveText('It ends below the table.')
  await text(page).getByRole('cell').last().click()
  await form(page).getByRole('textbox', { name: 'Caption of the table' }).fill('What pages weigh')
  await expect(form(page).getByText('to put right before you publish')).toBeHidden()
  await expect(isSaved(page)).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])

  await expect(preview(page).getByRole('heading', { name: 'Why a desk' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish 2 changes' }).click()
  await expect(page.getByRole('dialog', { name: '2 changes are live' })).toBeVisible({
    timeout: 60_000,
  })
  await page.goto(`/work/${study?.id}`)
  const own = page.getByRole('img', { name: alt })
  expect(await own.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await page.goto('/blog/what-a-desk-is-for')
  const picture = page.getByRole('img', { name: 'A point that stands for a desk' })
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await expect(page.getByRole('heading', { name: 'Why a desk' })).toBeVisible()
  const table = page.getByRole('table', { name: 'What pages weigh' })
  await expect(table.getByRole('row').filter({ hasText: 'Home' })).toContainText('14 KB')
  await expect(page.getByRole('article').getByRole('link', { name: '/faq' })).toHaveAttribute(
    'href',
    '/faq',
  )
  await expect(page.locator('strong', { hasText: 'texts change' })).toBeVisible()
  await expect(page.getByText('It ends below the table.')).toBeVisible()
  const feed = await (await page.request.get('/rss.xml')).text()
  expect(feed).toContain('/blog/what-a-desk-is-for</link>')
  expect(feed).toContain('It begins with a paragraph.')
})

test('what is typed is undone, what is pasted is reduced to what a text may hold, and its blocks change places', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  needsArticle()
  // The policy blocks what the pasted markup brings along; the page of a dead link is asked for.
  expectErrors(/Content Security Policy|status of 404/)
  const token = await enterAs(page, 'editor')
  await openEntry(page, 'blog', article?.id)
  await text(page).click()
  // At once: what comes slowly is undone in parts.
  await page.keyboard.insertText('More ')
  await expect(page.getByText('1 change', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Nothing to publish')).toBeVisible()

  await text(page).click()
  await page.keyboard.press('Control+a')
  await text(page).evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text/html',
      '<h1 style="color:red">Head</h1><p onclick="a()">One <b>two</b> <u>three</u> <a href="javascript:a()">four</a> <a href="https://a.example/" target="_blank">five</a></p><script>six</script><img src="https://a.example/b.png"><iframe src="/"></iframe><p class="MsoListParagraphCxSpFirst"><span style="mso-list:Ignore">·<span> </span></span>Milk</p><p class="MsoListParagraphCxSpLast"><span style="mso-list:Ignore">·<span> </span></span>Bread</p><table><tr><td>Page</td><td>Weight</td></tr><tr><td>Home</td><td>14 KB</td></tr></table>',
    )
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    element.dispatchEvent(paste)
  })
  const stored = async () => (await call(request, token, 'GET', `blog/${article?.id}`)).data
  const problems = async () =>
    (await stored()).problems.map(({ message }: { message: string }) => message)
  // Lists of Word are lists, and the first row of a table is its heads.
  await expect.poll(problems).toEqual(['Table 1: The table’s caption is missing.'])
  const pasted = (await stored()).value.body.content
  expect(pasted.slice(2)).toMatchObject([
    { type: 'bulletList', content: [{ type: 'listItem' }, { type: 'listItem' }] },
    {
      type: 'table',
      content: [{ content: [{ type: 'tableHeader' }, { type: 'tableHeader' }] }, {}],
    },
  ])
  expect(JSON.stringify(pasted)).not.toContain('·')
  expect(pasted.slice(0, 2)).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Head' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'One ' },
        { type: 'text', text: 'two', marks: [{ type: 'bold' }] },
        { type: 'text', text: ' three four ' },
        {
          type: 'text',
          text: 'five',
          marks: [{ type: 'link', attrs: { href: 'https://a.example/' } }],
        },
      ],
    },
  ])

  // By key and by button, to the ends and no further.
  const order = async () =>
    (await stored()).value.body.content.map(({ type }: { type: string }) => type)
  await text(page).getByText('three four').click()
  // The toolbar follows the caret out of the table.
  await expect(form(page).getByRole('button', { name: 'Delete table' })).toBeHidden()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(order).toEqual(['paragraph', 'heading', 'bulletList', 'table'])
  await form(page).getByRole('button', { name: 'Move down', exact: true }).click()
  await expect.poll(order).toEqual(['heading', 'paragraph', 'bulletList', 'table'])

  await form(page).getByRole('button', { name: 'Link', exact: true }).click()
  const address = form(page).getByRole('textbox', { name: 'Address of the link' })
  await address.fill('/nowhere')
  await address.press('Enter')
  await expect(form(page).getByRole('alert')).toContainText('This site has no page /nowhere.')
})

test('a picture is uploaded with its words, and one without words is a problem', async ({
  page,
  enterAs,
  request,
}) => {
  needsArticle()
  const token = await enterAs(page, 'editor')
  await openEntry(page, 'blog', article?.id)
  // The caret begins at the start. Leaves an empty paragraph, which is not stored, before the picture.
  await text(page).focus()
  await page.keyboard.press('Enter')
  await form(page).getByRole('button', { name: 'Picture', exact: true }).click()
  await expect(form(page).getByText(/2 things to put right/)).toBeVisible()
  const marked = text(page).locator('[data-problem]')
  await expect(marked).toHaveCount(1)
  await expect(marked).toHaveText('No picture yetNo words for it yet')
  await expect(marked).toHaveAttribute('id', /content\.0$/)
  // The page is drawn without it.
  await form(page).getByRole('textbox', { name: 'Title', exact: true }).fill('Still to be seen')
  await expect(preview(page).getByText('Still to be seen').first()).toBeVisible()
  await text(page).locator('[data-problem]').click()
  const file = form(page).getByLabel('Or a new one, up to 5 MB')
  await expect(file).toBeDisabled()
  await expect(file).toHaveAccessibleDescription(/First say in words what the picture shows/)
  await form(page)
    .getByRole('textbox', { name: 'What the picture shows, in words' })
    .fill('A single point')
  // Without a picture it would not be published either.
  await expect(
    form(page)
      .getByText(/Choose a picture/)
      .first(),
  ).toBeVisible()
  await file.setInputFiles({ ...point, buffer: Buffer.alloc(5 * 1_048_576 + 1) })
  await expect(file).toHaveAccessibleDescription(/This picture has 5\.1 MB; 5 MB is the most\./)
  await file.setInputFiles(point)
  await expect(form(page).getByText('to put right before you publish')).toBeHidden()
  await expect(isSaved(page)).toBeVisible()
  const figures = async () => {
    const { value } = (await call(request, token, 'GET', `blog/${article?.id}`)).data
    return value.body.content.filter(({ type }: { type: string }) => type === 'figure')
  }
  await expect.poll(figures).toContainEqual({
    type: 'figure',
    attrs: {
      src: expect.stringMatching(/^\/media\//),
      alt: 'A single point',
      width: expect.any(Number),
      height: expect.any(Number),
    },
  })
})

test('a picture that is stored late comes into its figure, wherever the caret is', async ({
  page,
  enterAs,
}) => {
  needsArticle()
  await enterAs(page, 'editor')
  const release = await holdPictures(page)
  await openEntry(page, 'blog', article?.id)
  await text(page).focus()
  await form(page).getByRole('button', { name: 'Picture', exact: true }).click()
  await form(page)
    .getByRole('textbox', { name: 'What the picture shows, in words' })
    .fill('A single point')
  await form(page).getByLabel('Or a new one, up to 5 MB').setInputFiles(point)
  const first = text(page).locator('p').first()
  await first.click()
  // The caret has left the picture.
  await expect(form(page).getByLabel('Or a new one, up to 5 MB')).toBeHidden()
  await page.keyboard.press('Home')
  await page.keyboard.type('Typed meanwhile. ')
  release()
  await expect(text(page).getByRole('img', { name: 'A single point' })).toBeVisible()
  await expect(first).toContainText('Typed meanwhile. ')
})

test('a superuser changes a legal page, but not one that a developer edits', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'superuser')
  await openEntry(page, 'legal', page1.id)
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  if (!file) return
  await goToEntry(page, 'legal', file.id)
  await expect(form(page).getByText(/A developer edits it/)).toBeVisible()
})

test('the editor is one file of at most 120 KB, loaded for long texts alone', async ({
  page,
  enterAs,
}) => {
  needsArticle()
  const scripts: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) scripts.push(pathname)
  })
  await enterAs(page, 'editor')
  await openEntry(page, 'faq', entries('faq')[0]?.id)
  await expect(form(page).getByRole('textbox').first()).toBeVisible()
  const isEditor = (path: string) => /\/editor\./.test(path)
  expect(scripts.filter(isEditor)).toEqual([])
  const before = new Set(scripts)
  await goToEntry(page, 'blog', article?.id)
  await expect(text(page)).toBeVisible()
  const [editor, ...others] = [...new Set(scripts)].filter((path) => !before.has(path))
  expect(others).toEqual([])
  const sent = await page.request.get(editor ?? '', { headers: { 'Accept-Encoding': 'br' } })
  const size = Number(sent.headers()['content-length'])
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThanOrEqual(120 * 1_024)
})
