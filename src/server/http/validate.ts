import type * as z from 'zod/mini'
import type { FieldErrors } from '#contract/http/errors.ts'
import { HttpError } from './http-error.ts'

/** For what a schema has no message of its own. */
const plainSentence = ({ path = [] }: { path?: readonly PropertyKey[] | undefined }): string =>
  path.length === 0 ? 'Send the fields as a JSON object.' : 'This value has the wrong type.'

/** Validates input; the error names every invalid field at once. */
export const validate = <Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  const result = schema.safeParse(value, { error: plainSentence })
  if (result.success) return result.data
  const fields: FieldErrors = {}
  const general: string[] = []
  for (const issue of result.error.issues) {
    const field = issue.path[0]
    if (field === undefined) general.push(issue.message)
    else {
      const messages = fields[String(field)] ?? []
      fields[String(field)] = [...new Set([...messages, issue.message])]
    }
  }
  throw new HttpError('invalid', { fields, ...(general[0] ? { message: general[0] } : {}) })
}
