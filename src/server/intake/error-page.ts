import { fieldCountMessage, waitMessage } from '#contract/error-messages.ts'
import { positionLabel } from '#contract/positions.ts'
import { serviceLabel } from '#contract/services.ts'
import type { PageTemplate } from '#server/deps.ts'
import type { HttpError } from '#server/http/http-error.ts'
import type { FormErrorPage } from '#server/http/pipeline.ts'

/**
 * The page that answers a refused form posted without JavaScript: what is wrong, and the same form
 * with every value filled in again.
 */

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')

interface Problem {
  name: string
  sentences: string
}

/** What the page says, and what was typed. */
interface Content {
  kind: string
  message: string
  detail: string
  problems: Problem[]
  values: Record<string, string>
}

const textValues = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const errorContent = (error: HttpError, path: string, body: unknown): Content => {
  const { fields = {}, retryAfter } = error.details
  return {
    kind: path.split('/').at(-1) ?? '',
    message: error.message,
    detail: retryAfter ? `You can send it ${waitMessage(retryAfter)}.` : '',
    problems: Object.entries(fields).map(([name, sentences]) => ({
      name,
      sentences: sentences.join(' '),
    })),
    values: textValues(body),
  }
}

const summary = ({ kind, message, detail, problems, values }: Content): string => {
  const below = Object.keys(values).length > 0 ? ' What you typed is below.' : ''
  const links = problems.map(
    ({ name, sentences }) =>
      `<li><a href="#${escapeHtml(`${kind}-${name}`)}">${escapeHtml(sentences)}</a></li>`,
  )
  return [
    '<div class="box" role="alert" tabindex="-1" autofocus>',
    links.length > 0
      ? `<h2>${fieldCountMessage(links.length)}</h2><ul>${links.join('')}</ul>`
      : `<p class="what">${escapeHtml(message)}</p>`,
    detail && `<p class="soft">${escapeHtml(detail)}</p>`,
    `<p class="soft">Nothing has been sent yet.${below}</p>`,
    '</div>',
  ].join('')
}

/** What the address had chosen before the form was opened: the name of its field, and its label. */
const choices: Record<string, { name: string; unset: string; label: (value: string) => string }> = {
  consultations: { name: 'service', unset: 'custom', label: serviceLabel },
  applications: { name: 'position', unset: 'other', label: positionLabel },
}

// One pass, so that a visitor's text is never read as a token.
const fill = (html: string, content: Content): string => {
  const { kind, problems, values } = content
  const choice = choices[kind]
  const chosen = choice && { [choice.name]: values[choice.name] ?? choice.unset }
  const errors = new Map(problems.map(({ name, sentences }) => [name, sentences]))
  const place = ({ name }: Problem) => html.indexOf(`id="${kind}-${name}"`)
  const ordered = { ...content, problems: problems.toSorted((a, b) => place(a) - place(b)) }

  return html
    .replace(
      /<p class="err"(?:(?!<\/p>).)*\{\{errors:(\w+)\}\}.*?<\/p>/gs,
      (block, name: string) => (errors.has(name) ? block : ''),
    )
    .replace(/\{\{(\w+)(?::(\w+))?\}\}/g, (_, token: string, name = '') => {
      if (token === 'summary') return summary(ordered)
      if (token === 'choice') return escapeHtml(choice?.label(chosen?.[choice.name] ?? '') ?? '')
      if (token === 'errors') return escapeHtml(errors.get(name) ?? '')
      if (token === 'bad') return String(errors.has(name))
      return escapeHtml({ ...values, ...chosen }[name] ?? '')
    })
}

/** The page where the site was not built: bare, and still nothing typed is lost. */
const plain = (content: Content): PageTemplate => {
  const { kind, values } = content
  const fields = Object.entries(values).map(
    ([name, value]) =>
      `<p><label>${escapeHtml(name)}<br><textarea id="${escapeHtml(`${kind}-${name}`)}" name="${escapeHtml(name)}">\n${escapeHtml(value)}</textarea></label></p>`,
  )
  const consent = choices[kind]
    ? `<p><label><input type="checkbox" id="${kind}-agree" name="agree" required> I agree to the <a href="/terms-conditions">Terms &amp; Conditions</a> and the <a href="/privacy-policy">Privacy Policy</a></label></p>`
    : ''
  return {
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not sent yet</title>',
      '<meta name="viewport" content="width=device-width,initial-scale=1"></head>',
      `<body><h1>Not sent yet</h1>${summary(content)}`,
      `<form action="/api/${kind}" method="post">${fields.join('')}${consent}`,
      '<p><button>Send again</button></p></form></body></html>',
    ].join(''),
    csp: "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  }
}

export const formErrorPage: FormErrorPage = async (error, { path, body }, deps) => {
  const content = errorContent(error, path, body)
  const template = await deps.page(`refused/${content.kind}`)
  const { html, csp } = template
    ? { ...template, html: fill(template.html, content) }
    : plain(content)
  return new Response(html, {
    status: error.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp,
      // Sent again from here, the form must still say where it comes from.
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    },
  })
}
