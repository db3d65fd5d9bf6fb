/**
 * The service worker of the admin: shows notifications and opens what they are about. It answers no
 * requests and stores nothing. Served as it stands here, at /admin-push.js.
 */

const nouns = { consultations: 'consultation', applications: 'application', contacts: 'contact' }
const articles = { consultations: 'a', applications: 'an', contacts: 'a' }

/** What a notification says; the payload is `PushPayload` of the contract. */
const textOf = ({ reason, kind, name }) => {
  const noun = nouns[kind]
  const from = name ? ` from ${name}` : ''
  if (reason === 'test') return { title: 'Notifications work', body: 'This is how they look.' }
  if (reason === 'reply') return { title: `New reply${from}`, body: `To ${articles[kind]} ${noun}` }
  if (reason === 'half')
    return {
      title: `Nobody has this ${noun} yet`,
      body: `${name ? `From ${name}. ` : ''}Half of the promised time has passed.`,
    }
  return { title: `New ${noun}${from}`, body: 'Nobody has it yet.' }
}

const show = (payload) => {
  const { title, body } = textOf(payload)
  return self.registration.showNotification(title, {
    body,
    tag: payload.tag,
    icon: '/icon-180.png',
    data: payload,
    actions: payload.canClaim ? [{ action: 'claim', title: 'I take it' }] : [],
  })
}

/** What was clicked while no window of the admin was listening: the next one asks for it, once. */
let waiting = null

/** Gives it to a window that listens; false where there is none. */
const offer = (window, click) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), 500)
    window.postMessage({ click }, [port2])
  })

const isAdmin = ({ url }) => /^\/admin(\/|$)/.test(new URL(url).pathname)

const open = async (click) => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const window of windows.filter(isAdmin)) {
    if (await offer(window, click)) return window.focus()
  }
  waiting = click
  return self.clients.openWindow(click.url)
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  const { kind, _id } = event.notification.data
  event.notification.close()
  const click = {
    kind,
    _id,
    claim: event.action === 'claim',
    url: kind ? `/admin/${kind}?id=${_id}` : '/admin/account',
  }
  event.waitUntil(open(click))
})

self.addEventListener('message', (event) => {
  if (event.data !== 'waiting?') return
  event.ports[0].postMessage(waiting)
  waiting = null
})
