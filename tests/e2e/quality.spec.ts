import { expect, test } from './fixtures.ts'

test('the quality page is one screen, says what is missed as plainly as what is met, shows the headers that the server sends, and opens on paper and at a figure', async ({
  page,
  request,
}) => {
  await page.goto('/quality')
  const facts = page.getByRole('term')
  await expect(facts.filter({ hasText: 'Met' })).toBeVisible()
  await expect(facts.filter({ hasText: 'Missed' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  const headings = page.getByRole('main').getByRole('heading', { level: 3 })
  expect(await headings.count()).toBeGreaterThan(0)
  for (const heading of await headings.all()) await expect(heading).toBeVisible()
  await page.emulateMedia({ media: null })
  const shown = page.getByRole('region', { name: 'Headers of every page' }).locator('dl > div')
  expect(await shown.count()).toBeGreaterThan(5)
  const sent = (await request.get('/')).headers()
  for (const header of await shown.all()) {
    const name = (await header.locator('dt').textContent())?.toLowerCase() ?? ''
    const value = sent[name]?.replace(/ 'sha256-[^']+'/g, '')
    expect([name, await header.locator('dd').textContent()]).toEqual([name, value])
  }

  await test.step('no figure is negative, and none without a target counts as met', async () => {
    const rows = page.getByRole('region', { name: 'Figures and targets' }).locator('li')
    expect(await rows.count()).toBeGreaterThan(0)
    for (const row of await rows.all()) {
      const [, figure, target, verdict] = await row.locator('> *').allTextContents()
      expect(figure).not.toMatch(/^-/)
      expect([target, verdict === 'Informative']).toEqual([target, !/^(≤|≥|0$)/.test(target ?? '')])
    }
    await page.getByRole('heading', { name: 'Page by page' }).click()
    const cells = page.getByRole('cell')
    expect(await cells.count()).toBeGreaterThan(0)
    for (const cell of await cells.allTextContents()) expect(cell).not.toMatch(/^-/)
  })

  await page.goto('/quality#lighthouse')
  await expect(page.locator('#lighthouse')).toBeVisible()
})
