import {
  axeViolations,
  enter,
  enterAs,
  expect,
  goTo,
  ownWord,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

test('a search finds words of notes, shows them in the row, and an empty one offers the other lists', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const hidden = `zither${word}`
  const smiles = '\u{1F642}'.repeat(40)
  const [id = ''] = await submit(request, 'contacts', ['Flower shop'], word, {
    message: `${smiles} ${word} ${smiles}`,
  })
  const staff = await signedIn(request, 'editor')
  await request.post(`/api/contacts/${id}/notes`, {
    headers: { authorization: `Bearer ${staff.token}` },
    data: { text: `They called about the ${hidden} for the evening.` },
  })
  await enter(page, staff)
  await page.goto(`/admin/consultations#q=${hidden}`)
  const list = page.getByRole('region', { name: 'List' })
  await expect(list).toContainText(`No consultations found for “${hidden}”`)
  await expect(list.getByRole('link', { name: 'Contacts: 1' })).toBeVisible()
  await expect(list.getByRole('link', { name: 'Applications: 0' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await list.getByRole('link', { name: 'Contacts: 1' }).click()
  const row = list.getByRole('listitem')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('in a note: ')
  await expect(row.getByText(hidden, { exact: true })).toBeVisible()

  await goTo(page, `/admin/contacts#q=${word}`)
  await expect(row).toContainText('in the text: ')
  expect(await row.evaluate(({ textContent }) => textContent?.isWellFormed())).toBe(true)
})

test('Enter in the palette waits for the person who is typed', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', [`Wanda ${word}`], word)
  await submit(request, 'applications', ['Wanda Other'], ownWord())
  await enterAs(page, request, 'editor')
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find or do' })).toBeFocused()
  await page.keyboard.type('Wanda')
  await expect(page.getByRole('option', { name: /Wanda Other/ })).toBeVisible()
  await page.keyboard.type(` ${word}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/contacts\?id=/)
})

test('on a desktop Back finds the list where it was', async ({ page, request }) => {
  const word = ownWord()
  const names = Array.from({ length: 40 }, (_, index) => `Person ${String(index).padStart(2, '0')}`)
  await submit(request, 'contacts', names, word)
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/contacts#q=${word}`)
  const list = page.getByRole('region', { name: 'List' })
  await expect(list.getByRole('link', { name: /Person/ }).first()).toBeVisible()
  const far = list.getByRole('link', { name: /Person 38/ })
  const scroll = async () => {
    for (let tries = 0; tries < 40 && (await far.count()) === 0; tries += 1) {
      await list.hover()
      await page.mouse.wheel(0, 400)
    }
    await far.scrollIntoViewIfNeeded()
  }
  await scroll()
  await far.click()
  await expect(page.getByRole('heading', { name: 'Person 38' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Person 38' })).toBeVisible()
  await expect(far).toBeInViewport()
})
