import type * as z from 'zod/mini'
import { revealApplication, scoreApplication } from '#contract/applications.ts'
import { uuidPattern } from '#contract/fields.ts'
import type { Right } from '#contract/http/access.ts'
import { type ActivityEntry, undo as undoCall } from '#contract/inbox.ts'
import { type AnyKind, anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { messageProblem, subjectProblem } from '#contract/mail/placeholders.ts'
import { markAllRead, readUnread } from '#contract/unread.ts'
import type { Deps } from '#server/deps.ts'
import { listName, readCursor, writeCursor } from '#server/http/cursor.ts'
import { HttpError, invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Actor, type Call, type Route, route } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import { exportCsv } from './export.ts'
import { change, type Outcome, type RecordPatch } from './store/change.ts'
import { type ActivityPart, isChangeable, readDetail } from './store/detail.ts'
import { dropDraft, keepDraft, sayWriting } from './store/drafts.ts'
import { list } from './store/list.ts'
import { endLinks, logPlainRead, logReveal, writeNote } from './store/log.ts'
import type { NewMessage } from './store/message.ts'
import { countUnread, markSeen, readAll } from './store/reads.ts'
import { storeScore } from './store/scores.ts'
import { undo } from './store/undo.ts'
import { requireFound, write, writeOne } from './write.ts'

type Asked = Pick<Call<AnyKind['read']>, 'actor' | 'query'>

/** A record, or a part of it. That it named a sender whom a blind answer would have hidden is logged. */
const requireRead = async (
  call: Asked,
  deps: Deps,
  kind: Kind,
  id: string,
  part: ActivityPart = {},
) => {
  const reader = blindReader(call)
  const read = orNotFound(await readDetail(deps.db, kind, id, reader, part))
  if (read.isPlainRead) await logPlainRead(deps.db, kind, id, { actor: call.actor, reader })
  return read
}

const requireDetail = async (call: Asked, deps: Deps, kind: Kind, id: string) => {
  const { detail } = await requireRead(call, deps, kind, id)
  return detail
}

/** The newest entries of a record's activity, or those before the cursor. */
const readPart = async (
  call: Asked & { params: { id: string } },
  deps: Deps,
  kind: Kind,
  cursor?: string,
) => {
  const id = pathId(call.params)
  const list = listName('activity', kind.path, id)
  const before = cursor === undefined ? undefined : readCursor(list, cursor).id
  const { detail, total, hasOlder } = await requireRead(call, deps, kind, id, { before })
  const [oldest] = detail.activity
  const older = hasOlder && oldest ? writeCursor(list, { key: '', id: oldest._id }) : null
  return { data: detail, meta: { activity: { total, cursor: older } } }
}

/** The record, whole for those who have scored it whole or had its name shown. */
const requireApplication = async (actor: Actor, deps: Deps, id: string) =>
  (await requireDetail(
    { actor, query: { blind: 'auto' } },
    deps,
    kindByPath.applications,
    id,
  )) as z.output<typeof revealApplication.output>['data']

const requireAssignable = ({ assignable }: Outcome, field: string): void => {
  if (!assignable) throw invalidField(field, 'The assignee must be someone who may change records.')
}

type OfRecord = Pick<Call<AnyKind['claim']>, 'params' | 'actor' | 'request'>

/**
 * Changes one record, and sends the mail that follows.
 *
 * @throws HttpError `not_found`, also in the trash unless the patch restores it
 */
const changeRecord = async (
  kind: Kind,
  { params, actor, request }: OfRecord,
  deps: Deps,
  patch: RecordPatch,
  version?: number,
): Promise<Outcome & { id: string }> => {
  const id = pathId(params)
  const outcome = await change(deps, kind, [id], patch, { actor, version })
  requireFound(outcome, { inTrash: patch.trash === false })
  if (outcome.event) request.afterResponse(deps.deliver())
  return { ...outcome, id }
}

/** {@link changeRecord}, answered with the record. */
const changedRecord = async (
  kind: Kind,
  call: OfRecord & Asked,
  deps: Deps,
  patch: RecordPatch,
) => {
  const { id, event } = await changeRecord(kind, call, deps, patch)
  return { data: await requireDetail(call, deps, kind, id), meta: { event } }
}

const changeOne = async (kind: Kind, call: Call<AnyKind['change']>, deps: Deps) => {
  const { version, box, ...others } = call.body
  const patch = { ...others, spam: box && box === 'spam' }
  const outcome = await changeRecord(kind, call, deps, patch, version)
  requireAssignable(outcome, 'assignee')
  const data = await requireDetail(call, deps, kind, outcome.id)
  if (version !== undefined && version !== outcome.found[0]?.version)
    throw new HttpError('conflict', { data })
  return { data, meta: { event: outcome.event } }
}

/** @throws HttpError `conflict` where somebody has the record, the caller too */
const claimOne = async (kind: Kind, call: Call<AnyKind['claim']>, deps: Deps) => {
  const patch = { assignee: call.actor.username, ifUnassigned: true }
  const { id, changed, event } = await changeRecord(kind, call, deps, patch)
  const data = await requireDetail(call, deps, kind, id)
  if (changed.length > 0) return { data, meta: { event } }
  const message = data.assignee ? `${data.assignee} has it already.` : 'Somebody was quicker.'
  throw new HttpError('conflict', { message, data })
}

/** @throws HttpError `forbidden` where an offer was accepted and the caller is no superuser */
const keepOne = async (kind: Kind, call: Call<AnyKind['keep']>, deps: Deps) => {
  const { keep } = call.body
  const answer = await changedRecord(kind, call, deps, { keep })
  if (answer.data.keep === keep) return answer
  throw new HttpError('forbidden', 'Superusers decide how long an accepted offer is kept.')
}

/** The entry of a message as the caller may see it: the server has filled in the name. */
const shownEntry = async (
  kind: Kind,
  call: Call<AnyKind['message']>,
  deps: Deps,
  entry: ActivityEntry,
): Promise<ActivityEntry> => {
  if (kind.hidden.length === 0 || blindReader(call).blind === undefined) return entry
  const { activity } = await requireDetail(call, deps, kind, pathId(call.params))
  const shown = activity.find(({ _id }) => _id === entry._id)
  if (!shown) throw new Error('A message is not in the activity')
  return shown
}

const sendOne = async (kind: Kind, call: Call<AnyKind['message']>, deps: Deps) => {
  const { data, meta } = await writeOne(deps, kind, pathId(call.params), call.body, call)
  return { data: await shownEntry(kind, call, deps, data), meta }
}

type BulkBody = Call<AnyKind['bulk']>['body']

const messageOf = (value: BulkBody['value']): NewMessage => {
  if (typeof value !== 'object' || value === null)
    throw invalidField('value', 'Send the text of the message.')
  const { text, subject } = value
  const inText = messageProblem(text)
  if (inText) throw invalidField('text', inText)
  const inSubject = subject === undefined ? null : subjectProblem(subject)
  if (inSubject) throw invalidField('subject', inSubject)
  return value
}

const writeMany = async (
  kind: Kind,
  { body, actor, request }: Call<AnyKind['bulk']>,
  deps: Deps,
) => {
  const message = messageOf(body.value)
  const ids = [...new Set(body.ids)]
  const known = ids.filter((id) => uuidPattern.test(id))
  const { changed, event } = await write(deps, kind, known, message, { actor })
  request.afterResponse(deps.deliver(limits.messageDelaySeconds))
  const written = new Set(changed)
  return { data: { changed, missing: ids.filter((id) => !written.has(id)) }, meta: { event } }
}

/** Deleting or restoring many records needs the right to do it to one. */
const bulkRight = (body: unknown): Right | undefined => {
  const { action } = (body ?? {}) as { action?: unknown }
  return action === 'delete' || action === 'restore' ? 'records.remove' : undefined
}

const isWideMessage = (body: unknown): boolean => {
  const { action, ids } = (body ?? {}) as { action?: unknown; ids?: unknown }
  return (
    action === 'message' &&
    Array.isArray(ids) &&
    new Set(ids).size > limits.bulkMessageWithoutStepUp
  )
}

const bulkPatch = ({ action, value }: BulkBody, kind: Kind): RecordPatch => {
  const refuse = (message: string) => invalidField('value', message)
  if (action === 'delete' || action === 'restore') return { trash: action === 'delete' }
  if (action === 'status') {
    if (typeof value !== 'string' || !kind.statuses.includes(value)) throw refuse('Unknown status.')
    return { status: value }
  }
  if (action === 'assign') {
    if (value !== null && typeof value !== 'string')
      throw refuse('The assignee is a username or null.')
    return { assignee: value }
  }
  if (value != null && typeof value !== 'boolean') throw refuse('Say true or false.')
  return { spam: value ?? true }
}

const changeMany = async (
  kind: Kind,
  { body, actor, request }: Call<AnyKind['bulk']>,
  deps: Deps,
) => {
  const patch = bulkPatch(body, kind)
  const ids = [...new Set(body.ids)]
  const outcome = await change(
    deps,
    kind,
    ids.filter((id) => uuidPattern.test(id)),
    patch,
    { actor },
  )
  requireAssignable(outcome, 'value')
  if (outcome.event) request.afterResponse(deps.deliver())
  const here = new Set(
    outcome.found.filter(({ box }) => box !== 'trash' || patch.trash === false).map(({ id }) => id),
  )
  return {
    data: { changed: outcome.changed, missing: ids.filter((id) => !here.has(id)) },
    meta: { event: outcome.event },
  }
}

const bodyBytes = () => limits.longBodyBytes

const kindRoutes = (contract: AnyKind): Route[] => {
  const kind = kindByPath[contract.path]
  /** For a refused body: whether the id names a record that could have been changed. */
  const exists = (params: { id: string }, { db }: Deps): Promise<boolean> =>
    isChangeable(db, kind, pathId(params))
  const isReadable = async (params: { id: string }, { db }: Deps, actor: Actor): Promise<boolean> =>
    (await readDetail(db, kind, pathId(params), blindReader({ actor, query: {} }))) !== undefined

  return [
    route(contract.list, (call, deps) => list(deps.db, kind, call.query, blindReader(call))),
    route(contract.search, ({ body, actor }, deps) =>
      list(deps.db, kind, body, blindReader({ actor, query: body })),
    ),
    route(contract.read, (call, deps) => readPart(call, deps, kind), { exists: isReadable }),
    route(
      contract.activity,
      async (call, deps) => {
        const { data, meta } = await readPart(call, deps, kind, call.query.cursor)
        return { data: data.activity, meta }
      },
      { exists: isReadable },
    ),
    route(contract.entry, async (call, deps) => {
      const entry = pathId({ id: call.params.entry })
      const { detail } = await requireRead(call, deps, kind, pathId(call.params), { entry })
      return { data: orNotFound(detail.activity[0]) }
    }),
    route(contract.change, (call, deps) => changeOne(kind, call, deps), {
      exists,
      right: (body) =>
        (body as { keep?: unknown } | null)?.keep === undefined ? undefined : 'privacy.manage',
    }),
    route(contract.message, (call, deps) => sendOne(kind, call, deps), { exists, bodyBytes }),
    route(contract.claim, (call, deps) => claimOne(kind, call, deps)),
    route(contract.writing, async ({ params, actor }, { db }) => {
      orNotFound(await sayWriting(db, kind, pathId(params), actor))
      return { data: {} }
    }),
    route(contract.endLink, async ({ params, actor }, { db }) => {
      orNotFound(await endLinks(db, kind, pathId(params), actor))
      return { data: {} }
    }),
    route(
      contract.draft,
      async ({ params, body, actor }, { db }) => {
        const id = pathId(params)
        const { text, subject } = body
        if (text !== '' || subject !== undefined)
          return { data: orNotFound(await keepDraft(db, kind, id, { text, subject }, actor)) }
        orNotFound(await isChangeable(db, kind, id))
        await dropDraft(db, id, actor)
        return { data: null }
      },
      { exists },
    ),
    route(contract.seen, async ({ params, actor }, { db }) => {
      const seenAt = orNotFound(await markSeen(db, kind, pathId(params), actor.id))
      return { data: { seenAt } }
    }),
    route(
      contract.note,
      async ({ params, body, actor }, { db }) => ({
        data: orNotFound(await writeNote(db, kind, pathId(params), body.text, actor)),
      }),
      { exists },
    ),
    route(contract.remove, async (call, deps) => {
      const { event } = await changeRecord(kind, call, deps, { trash: true })
      return { data: {}, meta: { event } }
    }),
    route(contract.restore, (call, deps) => changedRecord(kind, call, deps, { trash: false })),
    route(contract.keep, (call, deps) => keepOne(kind, call, deps), { exists }),
    route(contract.export, ({ query, ...call }, deps) => exportCsv(kind, query, call, deps)),
    route(contract.exportBy, ({ body, ...call }, deps) => exportCsv(kind, body, call, deps)),
    route(
      contract.bulk,
      (call, deps) => (call.body.action === 'message' ? writeMany : changeMany)(kind, call, deps),
      { right: bulkRight, stepUp: isWideMessage, bodyBytes },
    ),
  ]
}

const { applications } = kindByPath

const hiringRoutes: Route[] = [
  route(
    scoreApplication,
    async ({ params, body, actor }, deps) => {
      const id = pathId(params)
      const { unknown } = orNotFound(await storeScore(deps.db, id, body, actor))
      if (unknown.length > 0)
        throw invalidField('criteria', `This position has no criterion ${unknown.join(', ')}.`)
      return { data: await requireApplication(actor, deps, id) }
    },
    { exists: (params, { db }) => isChangeable(db, applications, pathId(params)) },
  ),
  route(revealApplication, async ({ params, actor }, deps) => {
    const id = pathId(params)
    orNotFound(await logReveal(deps.db, applications, id, actor))
    return { data: await requireApplication(actor, deps, id) }
  }),
]

export const inboxRoutes: Route[] = [
  ...Object.values(anyKind).flatMap(kindRoutes),
  ...hiringRoutes,
  route(readUnread, async ({ actor }, { db }) => ({ data: await countUnread(db, actor.id) })),
  route(markAllRead, async ({ body, actor }, { db }) => {
    const data = await readAll(db, body.kind, actor.id)
    if (!data) throw new HttpError('unauthenticated')
    return { data }
  }),
  route(undoCall, async ({ body, actor, request }, deps) => {
    const { reverted, conflicts, event } = await undo(deps, body.event, actor)
    if (event) request.afterResponse(deps.deliver())
    return { data: { reverted, conflicts }, meta: { event } }
  }),
]
