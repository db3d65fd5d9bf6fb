import { createECDH, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  enter,
  expect,
  goTo,
  interceptFromStart,
  ownWord,
  signedIn,
  submit,
  test,
} from './fixtures.ts'

/** Settings, and notifications with the real service worker. A test has no push service to subscribe at. */

const p256dh = createECDH('prime256v1').generateKeys('base64url')

/**
 * Gives the page a permission, which a browser without windows never has, and a subscription without a
 * push service.
 */
const allowNotifications = (page: Page) =>
  page.addInitScript(
    ({ endpoint, keys }) => {
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          sessionStorage.removeItem('subscribed')
          return true
        },
      } as unknown as PushSubscription
      PushManager.prototype.subscribe = async () => {
        sessionStorage.setItem('subscribed', 'yes')
        return subscription
      }
      PushManager.prototype.getSubscription = async () =>
        sessionStorage.getItem('subscribed') ? subscription : null
    },
    {
      endpoint: `https://test.push.services.mozilla.com/wpush/v2/${randomUUID()}`,
      keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    },
  )

test('settings are saved as they are made and hold after a reload; one that cannot be saved goes back alone; who sends no mail has neither name nor signature for it', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 503/)
  await interceptFromStart(page)
  const session = await signedIn(request, 'reviewer')
  await enter(page, session)
  await page.goto('/admin/account')
  const settings = page.getByRole('region', { name: 'Settings' })
  const digest = settings.getByRole('checkbox', { name: 'A mail each morning' })
  const density = (name: string) => settings.getByRole('radio', { name })
  await expect(density('Compact')).toBeChecked()
  await expect(page.getByLabel('Your name in mail')).toBeHidden()
  await expect(page.getByLabel('Signature')).toBeHidden()
  await digest.check()
  await expect(page.getByRole('status').getByText('Saved.')).toBeVisible()
  await settings.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  const chooseComfortable = async () => {
    const saved = page.waitForResponse(
      (answer) => answer.request().postData() === '{"density":"comfortable"}',
    )
    await density('Comfortable').check()
    await saved
  }
  await chooseComfortable()
  await page.reload()
  await expect(digest).toBeChecked()
  await expect(settings.getByRole('checkbox', { name: 'Single-key shortcuts' })).not.toBeChecked()
  await expect(density('Comfortable')).toBeChecked()

  // The screen shows changes of another device when it is opened again, once its answer is old.
  await request.put('/api/me/settings', {
    headers: { Authorization: `Bearer ${session.token}` },
    data: { density: 'compact' },
  })
  await page.clock.setFixedTime(Date.now() + 60_000)
  await goTo(page, '/admin/dashboard')
  await expect(settings).toBeHidden()
  await goTo(page, '/admin/account')
  await expect(density('Compact')).toBeChecked()
  await chooseComfortable()

  const release = Promise.withResolvers<void>()
  await page.route('**/api/me/settings', async (route) => {
    if (!route.request().postData()?.includes('digest')) return route.continue()
    await release.promise
    await route.fulfill({ status: 503, json: { success: false, code: 'unavailable' } })
  })
  // The notice of the change before is told from the one that follows.
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await digest.uncheck()
  await density('Compact').check()
  await expect(page.getByRole('status').getByText('Saved.')).toBeVisible()
  release.resolve()
  await expect(page.getByText('That was not saved. Please try again.')).toBeVisible()
  await expect(digest).toBeChecked()
  await expect(density('Compact')).toBeChecked()
})

test('who saves a signature keeps a name that another device has changed', async ({
  page,
  request,
}) => {
  const session = await signedIn(request, 'editor')
  const headers = { Authorization: `Bearer ${session.token}` }
  await enter(page, session)
  await page.goto('/admin/account')
  const save = async (label: string, text: string) => {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Save name and signature' }).click()
    await saved
  }
  await save('Your name in mail', 'Bob One')
  await request.put('/api/me/settings', { headers, data: { displayName: 'Bob Two' } })
  await save('Signature', 'Regards')
  const { data } = await (await request.get('/api/me/settings', { headers })).json()
  expect(data).toMatchObject({ displayName: 'Bob Two', signature: 'Regards' })
})

test('a notification shows the kind and the first name, and “I take it” claims the record, after a sign-in too', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  const word = ownWord()
  const names = ['Ada Lovelace', 'Next', 'Last']
  const [id = '', next = '', last = ''] = await submit(request, 'contacts', names, word)
  const editor = await signedIn(request, 'editor')
  await allowNotifications(page)
  await enter(page, editor)
  await page.goto('/admin/account')
  const panel = page.getByRole('region', { name: 'Notifications on this device' })
  const started = context.waitForEvent('serviceworker')
  await panel.getByRole('button', { name: 'Switch on' }).click()
  await expect(panel.getByText('On.', { exact: true })).toBeVisible()
  const worker = await started

  await page.reload()
  await expect(panel.getByText('On.', { exact: true })).toBeVisible()
  const payload = {
    reason: 'submission',
    kind: 'contacts',
    name: 'Ada',
    _id: id,
    tag: 'one',
    canClaim: true,
  }
  await worker.evaluate(`
    self.shown = []
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      shown.push({ title, ...options })
    }`)
  const cdp = await context.newCDPSession(page)
  const registration = new Promise<{ registrationId: string }>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first)
    })
  })
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: (await registration).registrationId,
    data: JSON.stringify(payload),
  })
  await expect
    .poll(() => worker.evaluate<unknown>('shown'))
    .toEqual([
      {
        title: 'New contact from Ada',
        body: 'Nobody has it yet.',
        tag: 'one',
        icon: '/icon-180.png',
        data: payload,
        actions: [{ action: 'claim', title: 'I take it' }],
      },
    ])

  /** The system's event for a click: only such an event lets the worker open a window. */
  const click = (action: string, data: object) =>
    worker.evaluate(`(async () => {
      let done
      dispatchEvent(Object.assign(new Event('notificationclick'), {
        action: '${action}',
        notification: { data: ${JSON.stringify(data)}, close() {} },
        waitUntil: (work) => { done = work.catch(() => {}) },
      }))
      await done
    })()`)
  await click('claim', payload)
  await expect(page.getByRole('status').getByText('You have it now.')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/admin/contacts\\?id=${id}`))
  const reader = await signedIn(request, 'superuser')
  const expectClaimed = (claimed: string) =>
    expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${reader.token}` }
        const answer = await request.get(`/api/contacts/${claimed}`, { headers })
        return (await answer.json()).data.assignee
      })
      .toBe(editor.user.username)
  await expectClaimed(id)

  // Without a window of the admin, the next one opens what was clicked.
  await page.goto('/about')
  await click('', { ...payload, _id: next })
  await page.goto('/admin/account')
  await expect(page).toHaveURL(new RegExp(`/admin/contacts\\?id=${next}`))

  const signIn = async (claimed: string) => {
    await page.getByLabel('Email').fill(editor.user.email)
    await page.getByLabel('Password').fill('three quiet herons wade')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(new RegExp(`/admin/contacts\\?id=${claimed}`))
    await expectClaimed(claimed)
  }
  // The session has ended, which the window may not know yet.
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${editor.token}` } })
  await click('claim', { ...payload, _id: last })
  await signIn(last)

  // A sign-in may take longer than an idle worker lives.
  await page.evaluate(() => localStorage.clear())
  await page.goto('/about')
  await click('claim', { ...payload, _id: next })
  await page.goto(`/admin/contacts?id=${next}`)
  await expect(page).toHaveURL(/\/admin\/login/)
  await expect.poll(() => worker.evaluate('waiting')).toBeNull()
  await cdp.send('ServiceWorker.stopAllWorkers')
  await signIn(next)
})
