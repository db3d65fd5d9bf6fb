import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { newKey } from '#client/idempotency-key.ts'
import type { KindPath } from '#contract/inbox.ts'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
} from '#contract/mail/templates.ts'
import { ask } from '../../session/session.ts'
import { keys } from './keys.ts'

export const templatesQuery = queryOptions({
  queryKey: keys.templates,
  queryFn: async ({ signal }) => (await ask(listTemplates, {}, { signal })).data,
  staleTime: 60_000,
})

/** The templates that fit a kind of record. */
export const useTemplatesFor = (kind: KindPath) =>
  useQuery({
    ...templatesQuery,
    select: (templates) => templates.filter((one) => one.kind === null || one.kind === kind),
  })

/** A template as it is edited; without an id it is a new one. */
export interface TemplateDraft {
  id?: string
  name: string
  text: string
  kind: KindPath | null
}

const useTemplateMutation = <Variables>(send: (variables: Variables) => Promise<unknown>) => {
  const client = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: keys.templates }),
  })
}

export const useSaveTemplate = () =>
  useTemplateMutation(({ id, ...body }: TemplateDraft) => {
    const options = { idempotencyKey: newKey() }
    return id
      ? ask(changeTemplate, { params: { id }, body }, options)
      : ask(addTemplate, { body }, options)
  })

export const useRemoveTemplate = () =>
  useTemplateMutation((id: string) =>
    ask(removeTemplate, { params: { id } }, { idempotencyKey: newKey() }),
  )
