import { html } from 'hono/html'
import { waitMessage } from '#contract/http/error-messages.ts'
import { nestedPlan, readPlan } from '#contract/plan.ts'
import type { BuiltPage } from '#server/deps.ts'
import type { HttpError } from '#server/http/http-error.ts'
import { texts } from '#server/http/input.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { type Changes, fill, idsIn } from '#server/pages/fill.ts'
import { planBoxChanges } from '#server/pages/plan-box.ts'
import { fieldChanges, summaryChanges } from '#server/pages/summary.ts'

/**
 * The page that answers a refused form posted without JavaScript: what is wrong, and the same form
 * with every value filled in again.
 */

const errorContent = (kind: Kind, error: HttpError, body: unknown) => {
  const { fields = {}, retryAfter } = error.details
  const values = texts(body)
  const detail = [
    retryAfter && `You can send it ${waitMessage(retryAfter)}.`,
    'Nothing has been sent yet.',
    Object.keys(values).length > 0 && 'What you typed is below.',
  ]
  return {
    kind,
    message: error.message,
    detail: detail.filter(Boolean).join(' '),
    errors: Object.fromEntries(
      Object.entries(fields).map(([name, messages]) => [name, messages.join(' ')]),
    ),
    values,
  }
}
type Content = ReturnType<typeof errorContent>

/** The choice that the URL made before the form was opened; none in particular once it is refused. */
const choiceChanges = ({ kind: { choice }, errors, values }: Content): Changes => {
  if (!choice) return {}
  const value = (!errors[choice.field] && values[choice.field]) || choice.other
  return {
    '.intro span': choice.label(value),
    '.read-only output': choice.label(value),
    [`[name=${choice.field}]`]: { value },
  }
}

const typedChanges = ({ kind, errors, values }: Content, ids: readonly string[]): Changes => {
  // The choice and the plan are sent along.
  const typed = kind.fields.filter((name) => name !== kind.choice?.field && name !== 'plan')
  const changes = [...typed, ...(kind.asksConsent ? ['agree'] : [])].map((name) =>
    fieldChanges(`${kind.path}-${name}`, ids, {
      error: errors[name],
      // Consent is given anew each time.
      ...(name !== 'agree' && { value: values[name] ?? '' }),
    }),
  )
  return Object.assign({}, ...changes)
}

const filled = (built: string, content: Content): string => {
  const ids = idsIn(built)
  return fill(built, {
    ...summaryChanges(content, ids),
    ...choiceChanges(content),
    ...(content.kind.fields.includes('plan') &&
      planBoxChanges(readPlan(nestedPlan(content.values)))),
    ...typedChanges(content, ids),
  })
}

/** The page where the site was not built: bare, and still nothing typed is lost. */
const bare = ({ kind, message, detail, errors, values }: Content): BuiltPage => ({
  html: String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not sent yet</title></head><body>
<h1>Not sent yet</h1>
<p role="alert">${[message, ...Object.values(errors), detail].join(' ')}</p>
<form action="/api/${kind.path}" method="post">
${kind.fields
  .filter((name) => name !== 'plan')
  .map(
    (name) => html`<p><label>${kind.labels[name]}<br><textarea name="${name}">
${values[name]}</textarea></label></p>`,
  )}
${kind.asksConsent && html`<p><label><input type="checkbox" name="agree" required> I agree to the terms and the privacy policy</label></p>`}
<p><button>Send again</button></p></form></body></html>`),
  csp: "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
})

export const formErrorPage: ErrorPage = async (error, { path, body }, deps) => {
  const kind = kinds.find(({ submit }) => submit.path === path)
  if (!kind) throw new Error(`No kind of form is posted to ${path}`)
  const content = errorContent(kind, error, body)
  const built = await deps.page(`refused/${kind.path}`)
  const page = built ? { ...built, html: filled(built.html, content) } : bare(content)
  return new Response(page.html, {
    status: error.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': page.csp,
      // Sent again from here, the form must still say where it comes from.
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    },
  })
}
