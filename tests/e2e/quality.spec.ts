import { expect, test } from './fixtures.ts'

test('the quality page shows the headers that the server sends', async ({ page, request }) => {
  await page.goto('/quality')
  const shown = page.getByRole('region', { name: 'Headers of every page' }).locator('dl > div')
  expect(await shown.count()).toBeGreaterThan(5)
  const sent = (await request.get('/')).headers()
  for (const header of await shown.all()) {
    const name = (await header.locator('dt').textContent())?.toLowerCase() ?? ''
    const value = sent[name]?.replace(/ 'sha256-[^']+'/g, '')
    expect([name, await header.locator('dd').textContent()]).toEqual([name, value])
  }
})

test('no figure on the quality page is negative, and none without a target counts as met', async ({
  page,
}) => {
  await page.goto('/quality')
  const rows = page.getByRole('region', { name: 'Figures and targets' }).locator('li')
  expect(await rows.count()).toBeGreaterThan(0)
  for (const row of await rows.all()) {
    const [, figure, target, verdict] = await row.locator('> *').allTextContents()
    expect(figure).not.toMatch(/^-/)
    expect([target, verdict === 'Informative']).toEqual([target, !/^(≤|≥|0$)/.test(target ?? '')])
  }
  const cells = page.getByRole('cell')
  expect(await cells.count()).toBeGreaterThan(0)
  for (const cell of await cells.allTextContents()) expect(cell).not.toMatch(/^-/)
})
