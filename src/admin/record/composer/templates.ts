import { useQuery } from '@tanstack/react-query'
import type { BodyInput } from '#contract/http/endpoint.ts'
import type { KindPath } from '#contract/inbox.ts'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
  type Template,
} from '#contract/mail/templates.ts'
import { useKeyedMutation } from '../../browser/use-key-for.ts'
import { dataQuery } from '../../session/query-client.ts'
import { ask } from '../../session/session.ts'
import { keys } from '../keys.ts'
import { type KindView, statusView } from '../kinds/kind-view.ts'
import type { RecordDetail } from '../record.ts'

export const templatesQuery = {
  ...dataQuery(keys.templates, listTemplates, {}),
  staleTime: 60_000,
}

export const useTemplatesFor = (kind: KindPath, enabled = true) =>
  useQuery({
    ...templatesQuery,
    enabled,
    select: (templates) => templates.filter((one) => one.kind === null || one.kind === kind),
  })

/** A template as it is edited; without an id it is a new one. */
export type TemplateDraft = BodyInput<typeof addTemplate> & {
  id?: string
  /** The one that was opened; a newer one is not overwritten. */
  version?: number | undefined
}

export const useSaveTemplate = () =>
  useKeyedMutation(keys.templates, ({ id, ...body }: TemplateDraft, options) =>
    id
      ? ask(changeTemplate, { params: { id }, body }, options)
      : ask(addTemplate, { body }, options),
  )

export const useRemoveTemplate = () =>
  useKeyedMutation(keys.templates, (id: string, options) =>
    ask(removeTemplate, { params: { id } }, options),
  )

/** The starters by where they fit. One that was renamed is offered in the menu alone. */
const starters = {
  first: 'First answer',
  times: 'Two times',
  invitation: 'Invitation to talk',
  refusal: 'Kind refusal',
} as const

const fitting = (view: KindView, record: RecordDetail): string | null => {
  const { stage } = statusView(view, record.status)
  if (view.kind === 'applications') {
    if (stage === 'closed') return starters.refusal
    return stage === 'done' ? null : starters.invitation
  }
  const isAnswered = record.activity.some(({ kind }) => kind === 'message')
  return isAnswered ? starters.times : starters.first
}

/** The template that fits where the record stands. */
export const useFittingTemplate = (
  view: KindView,
  record: RecordDetail,
  isWanted: boolean,
): Template | undefined => {
  const name = fitting(view, record)
  const { data } = useTemplatesFor(view.kind, isWanted && name !== null)
  return data?.find((one) => one.name === name)
}
