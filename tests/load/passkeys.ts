import { SoftPasskey } from '#tests/authenticator.ts'
import { type Answer, client, visitor } from '#tests/bench/api/client.ts'
import { signIn } from '#tests/bench/stage.ts'
import type { Started } from '#tests/launch.ts'

/** The address that passkeys are made for: a passkey belongs to a name, not to an IP and a port. */
export const siteUrl = 'https://fledge.test'

const account = {
  username: 'passkeys',
  email: 'passkeys@staff.example',
  password: 'five slow barges turn',
  role: 'editor',
}

/** An account of its own with a passkey; gives what signs in with it, in two calls. */
export async function passkeySignIn({ url }: Started): Promise<(n: number) => Promise<number>> {
  const { send } = client(url, 64)
  const post = async (path: string, who: Record<string, string>, body: object = {}) =>
    send('POST', path, { ...visitor(0), ...who }, JSON.stringify(body))
  const by = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })

  expected(201, await post('/api/auth/register', by(await signIn(url)), account))
  const own = by(await signIn(url, account))
  // Backed up by its maker, so that it counts no uses: several sign-ins at once stay in order.
  const passkey = new SoftPasskey({ origin: siteUrl, synced: true })
  const { challenge, options } = expected(200, await post('/api/auth/passkeys/options', own))
  const added = { challenge, response: passkey.create(options), name: 'Load' }
  expected(201, await post('/api/auth/passkeys', own, added))

  return async (n) => {
    const begun = await post('/api/auth/passkeys/sign-in/options', visitor(n))
    if (begun.status !== 200) return begun.status
    const asked = expected(200, begun)
    const body = { challenge: asked.challenge, response: passkey.get(asked.options) }
    return (await post('/api/auth/passkeys/sign-in', visitor(n), body)).status
  }
}

function expected(wanted: number, { status, body }: Answer): Asked {
  if (status !== wanted) throw new Error(`${status} was answered instead of ${wanted}: ${body}`)
  return (JSON.parse(body) as { data: Asked }).data
}

interface Asked {
  challenge: string
  options: unknown
}
