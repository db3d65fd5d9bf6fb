import { Webhook } from 'standardwebhooks'
import type { Config } from '#server/config.ts'
import { OutsideRefused, requestOutside } from '#server/http/outside.ts'
import { decrypt, webhookPurpose } from '#server/secrets/encrypt.ts'
import type { Attempt } from './store/deliveries.ts'
import type { SealedEndpoint } from './store/endpoints.ts'

const TIMEOUT_MS = 10_000

/** The problem in words for the screen, without addresses. */
const problemOf = (error: unknown): string => {
  if (error instanceof OutsideRefused) return error.message
  const { code, name } = error as { code?: unknown; name?: string }
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer within 10 seconds'
  return typeof code === 'string' ? code : (name ?? 'unknown')
}

/** Posts a body once, signed with each secret that counts; never throws. */
export const sendWebhook = async (
  { authSecret, privateHosts }: Pick<Config, 'authSecret' | 'privateHosts'>,
  endpoint: SealedEndpoint,
  { id, body }: { id: string; body: string },
): Promise<Attempt> => {
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  const open = (sealed: string | null) =>
    sealed && decrypt(authSecret, webhookPurpose(endpoint.id), sealed)
  const secrets = [open(endpoint.sealedSecret), open(endpoint.sealedOldSecret)]
  // While a new key is being deployed, the version before it cannot read what is under that key.
  if (!secrets[0]) return { status: null, ms: 0, problem: 'AUTH_SECRET does not read the secret' }
  const now = new Date()
  const signatures = secrets.flatMap((secret) =>
    secret ? [new Webhook(secret).sign(id, now, body)] : [],
  )
  const authorization = open(endpoint.sealedAuthorization)
  try {
    const { status } = await requestOutside(new URL(endpoint.url), {
      method: 'POST',
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 0,
      privateHosts,
      headers: {
        'Content-Type': 'application/json',
        'Webhook-Id': id,
        'Webhook-Timestamp': String(Math.floor(now.getTime() / 1_000)),
        'Webhook-Signature': signatures.join(' '),
        ...(authorization ? { Authorization: authorization } : {}),
      },
    })
    const isTaken = status >= 200 && status < 300
    return { status, ms: ms(), problem: isTaken ? null : `status ${status}` }
  } catch (error) {
    return { status: null, ms: ms(), problem: problemOf(error) }
  }
}
