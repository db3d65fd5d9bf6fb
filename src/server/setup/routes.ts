import { v7 as uuid } from 'uuid'
import { samplesIn } from '#contract/content/samples.ts'
import { readSetup, type SetupItem, setSetup, setupKeys, testMail } from '#contract/setup.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, orNotFound } from '#server/http/http-error.ts'
import { isLoopback } from '#server/http/ip.ts'
import { type Actor, type Route, route } from '#server/http/route.ts'
import { renderParagraphs } from '#server/mail-out/render/render.ts'
import { createSender } from '#server/mail-out/sender.ts'
import { brand, content } from '#site/content.ts'
import { isUsed } from '#site/features.ts'
import { readFacts, readRecipient, type SetupFacts, setStep } from './store.ts'

const isLocal = (siteUrl: string): boolean => {
  const { hostname } = new URL(siteUrl)
  return isLoopback(hostname) || hostname.endsWith('.localhost')
}

type Found = Pick<SetupItem, 'where' | 'now' | 'count' | 'parts'> & { isDone: boolean }

const findings = (
  { hasFirstPassword, mustChangePassword, ...facts }: SetupFacts,
  { siteUrl, mail, firstSuperuser }: Config,
  samples: NonNullable<SetupItem['parts']>,
): Record<(typeof setupKeys)[number], Found> => {
  const isGenerated = hasFirstPassword && firstSuperuser.password === undefined
  return {
    password: { isDone: !isGenerated && !mustChangePassword, where: '/admin/account', now: null },
    second_factor: { isDone: facts.hasFactor, where: '/admin/account', now: null },
    site_address: { isDone: !isLocal(siteUrl), where: '/admin/dashboard', now: siteUrl },
    mail: {
      isDone: facts.steps.mail?.state === 'done',
      where: '/admin/mail',
      now:
        facts.steps.mail?.state !== 'done'
          ? null
          : mail.resendApiKey
            ? facts.steps.mail.at
            : 'Kept in the local mailbox: nothing leaves until a provider is set.',
    },
    reply_address: {
      isDone: mail.replyDomain !== undefined && mail.inboundSecret !== undefined,
      where: '/admin/mail',
      now: mail.replyDomain ?? null,
    },
    colleagues: { isDone: facts.accounts > 1, where: '/admin/users', now: null },
    templates: { isDone: facts.templatesTouched, where: '/admin/consultations', now: null },
    sample_content: {
      isDone: samples.length === 0,
      where: '/admin/site',
      now: null,
      count: samples.reduce((sum, { count }) => sum + count, 0),
      parts: samples,
    },
    backup: {
      isDone: facts.steps.backup?.state === 'done',
      where: '/admin/dashboard',
      now: facts.steps.backup?.state === 'done' ? facts.steps.backup.at : null,
    },
  }
}

const setupItems = async ({ db, config }: Deps, actor: Actor): Promise<SetupItem[]> => {
  const facts = await readFacts(db, actor.id)
  if (!facts) throw new HttpError('unauthenticated')
  const samples = Object.entries(content())
    .filter(([collection]) => isUsed(content(), collection))
    .map(([collection, value]) => ({ collection, count: samplesIn(value) }))
    .filter(({ count }) => count > 0)
  const found = findings(facts, config, samples)
  return setupKeys.map((key) => {
    const { isDone, ...rest } = found[key]
    const isSkipped = facts.steps[key]?.state === 'skipped'
    return { key, state: isDone ? 'done' : isSkipped ? 'skipped' : 'open', ...rest }
  })
}

export const setupRoutes: Route[] = [
  route(readSetup, async ({ actor }, deps) => ({ data: await setupItems(deps, actor) })),
  route(
    setSetup,
    async ({ params, body, actor }, deps) => {
      const key = orNotFound(setupKeys.find((one) => one === params.key))
      await setStep(deps.db, key, body.state, ['open', 'skipped'])
      return { data: await setupItems(deps, actor) }
    },
    { exists: async ({ key }) => setupKeys.some((one) => one === key) },
  ),
  route(testMail, async ({ actor }, { db, config }) => {
    const recipient = await readRecipient(db, actor)
    if (!recipient) throw new HttpError('unauthenticated')
    const { email: to, at } = recipient
    const delivery = await createSender(config)({
      kind: 'account',
      id: uuid(),
      to,
      replyTo: null,
      ...renderParagraphs(`Test mail | ${brand().name}`, [
        `This mail was sent from ${config.siteUrl} to see whether mail arrives. It did.`,
      ]),
    })
    const sent = delivery.outcome === 'sent'
    if (sent) await setStep(db, 'mail', 'done')
    else await setStep(db, 'mail', 'open', ['done'])
    return {
      data: {
        sent,
        to,
        at,
        problem: delivery.outcome === 'sent' ? null : delivery.error,
        local: config.mail.resendApiKey === undefined,
      },
    }
  }),
]
