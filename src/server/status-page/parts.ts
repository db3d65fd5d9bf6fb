import { html, raw } from 'hono/html'
import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { BuiltPage, Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { texts } from '#server/http/input.ts'
import { brand } from '#site/content.ts'
import { type IconName, icons } from '#ui/all-icons.ts'
import type { IconShape } from '#ui/icons.ts'

/** The frame of the sender's pages and the parts that several of them draw. */

export type Html = ReturnType<typeof html>

/** A refused form, as its page shows it: its message, those of its fields, and what was typed. */
export const problemOf = (error: HttpError, body: unknown) => ({
  message: error.message,
  fields: Object.fromEntries(
    Object.entries(error.details.fields ?? {}).map(([name, all]) => [name, all.join(' ')]),
  ),
  typed: texts(body),
})
export type Problem = ReturnType<typeof problemOf>

/** The page for a refused form; undefined where its record is not there or the fault is ours. */
export const pageOfRefused = async (error: HttpError, page: () => Promise<Response>) => {
  if (error.status >= 500) return undefined
  return page().catch((shown: unknown) => {
    if (shown instanceof HttpError && shown.code === 'not_found') return undefined
    throw shown
  })
}

/** The frame of a site that was not built. */
const bare: BuiltPage = {
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%title%</title></head><body>%main%</body></html>`,
  csp: "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

/** A page for people in place of an answer of the API. */
export const page = <
  const Path extends string,
  Query extends z.ZodMiniType | undefined = undefined,
>(
  path: Path,
  summary: string,
  query?: Query,
) =>
  endpoint(`GET ${path}`, {
    summary,
    access: 'public',
    ...(query && { query }),
    output: z.string(),
    produces: 'text/html',
  })

export interface Screen {
  title: string
  main: Html
}

/** A screen in its built frame, which has the document's head, styles, bar and footer. */
export const respond = async (
  deps: Deps,
  frame: 'record' | 'step' | 'talk',
  { title, main }: Screen,
  status = 200,
): Promise<Response> => {
  const { html: built, csp } = (await deps.page(`status/${frame}`)) ?? bare
  const [head = '', top = '', end = ''] = built.split(/%title%|%main%/)
  return pageResponse(`${head}${await html`${title}`}${top}${await main}${end}`, csp, status)
}

/** The title of a refused form's page says so, as those of the public forms do: it is read first. */
export const pageResponse = (page: string, csp: string, status: number): Response => {
  const isRefused = status >= 400 && status < 500 && status !== 404
  return new Response(isRefused ? page.replace('<title>', '<title>Not sent yet: ') : page, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp },
  })
}

export const icon = (name: IconName, look = ''): Html => {
  const { box = 16, path, circles = [] }: IconShape = icons[name]
  const stroke = box === 14 ? raw(' vector-effect="non-scaling-stroke"') : ''
  return html`<svg class="icon ${look}" viewBox="0 0 ${box} ${box}" aria-hidden="true">${
    path && html`<path d="${path}"${stroke}/>`
  }${circles.map(({ cx, cy, r, solid }) =>
    solid
      ? html`<circle cx="${cx}" cy="${cy}" r="${r}" fill="currentColor" stroke="none"/>`
      : html`<circle cx="${cx}" cy="${cy}" r="${r}"${stroke}/>`,
  )}</svg>`
}

/** "o•••@bakery.example". */
export const masked = (email: string): string => email.replace(/^(.).*(@[^@]*)$/, '$1•••$2')

export const submitButton = (label: string): Html => html`
  <button type="submit" class="btn">${label} ${icon('arrow')}</button>`

export const backLink = (token: string): Html => html`
  <a class="go-link" href="/status/${token}">${icon('back')} Back, change nothing</a>`

/** Links to the refused fields and takes the focus: a field may be far below the first screen. */
export const problemBox = (problem: Problem | undefined): Html | '' => {
  if (!problem) return ''
  const fields = Object.entries(problem.fields)
  return html`<div class="box" role="alert" id="problem" tabindex="-1" autofocus>
    ${
      fields.length > 0
        ? fields.map(([name, text]) => html`<p><a href="#${name}">${text}</a></p>`)
        : html`<p class="what">${problem.message}</p>`
    }
  </div>`
}

/** A control's attributes that lead to its error, after its hint. */
export const describedBy = (id: string, error: string | undefined, hint?: string) => {
  const ids = [hint, error && `${id}-error`].filter(Boolean).join(' ')
  const invalid = error ? raw(' aria-invalid="true"') : ''
  return ids ? html` aria-describedby="${ids}"${invalid}` : invalid
}

export const fieldError = (id: string, error: string | undefined): Html | '' =>
  error ? html`<p class="err" id="${id}-error">${icon('warn')} <span>${error}</span></p>` : ''

/** The text of a message. A textarea drops the first line break of its content. */
export const messageField = (
  label: string,
  problem: Problem | undefined,
  { isRequired = false } = {},
): Html => {
  const error = problem?.fields.text
  return html`<div class="field">
    <div class="label-row"><label for="text">${label}</label></div>
    <textarea id="text" name="text" dir="auto"${isRequired && raw(' required')} maxlength="${limits.reply}"${describedBy('text', error)}>
${problem?.typed.text}</textarea>
    ${fieldError('text', error)}
  </div>`
}

/** A box whose tick the form needs. */
export const tick = (
  name: string,
  label: string,
  { error, value }: { error: string | undefined; value?: string },
): Html => html`
  <div class="field checkbox">
    <input type="checkbox" id="${name}" name="${name}"${value && html` value="${value}"`} required autocomplete="off"${describedBy(name, error)}>
    <div>
      <label for="${name}">${label}</label>
      ${fieldError(name, error)}
    </div>
  </div>`

export const pageHead = (title: string, crumb?: { label: string; token: string }): Html => html`
  <header class="wrap top narrow">
    ${
      crumb &&
      html`<nav class="crumb" aria-label="Breadcrumb">
        <a href="/status/${crumb.token}">Your page</a> <span aria-hidden="true">/</span>
        <span aria-current="page">${crumb.label}</span>
      </nav>`
    }
    <h1>${title}</h1>
  </header>`

const drawings = {
  sheet: `<path class="fill-sea" d="M105 55h150v214H105z"/>
    <path class="shape" d="M96 46h150v214H96z"/>
    <path class="outline" d="M118 78h62M118 94h40"/>
    <path class="outline-fine" d="M118 124h106M118 140h106M118 156h80M118 186h106M118 202h106M118 218h64"/>
    <path class="flight-path" d="M14 236C40 236 60 160 96 160"/>
    <path class="outline" d="m14 229 8 14H6z"/>
    <path class="shape-accent" d="m101 149 16 11-16 11z"/>
    <path class="flight-path" d="M246 156C276 152 282 96 304 70"/>
    <path class="plane" transform="translate(300 36) rotate(-38)" d="{mark}"/>`,
  turn: `<path class="flight-path" d="M60 236C110 40 300 40 292 136 288 196 190 220 92 240"/>
    <path class="shape-accent" d="m60 224 16 27H44z"/>
    <path class="plane" transform="translate(130 252) rotate(180)" d="{mark}"/>
    <path class="outline" d="M30 262h92"/>`,
  gone: `<path class="outline dash" d="M96 46h150v214H96z"/>
    <path class="flight-path" d="M246 214C280 200 286 130 300 84"/>
    <path class="plane" transform="translate(296 50) rotate(-46)" d="{mark}"/>
    <path class="shape-accent" d="m171 140 14 24h-28z"/>`,
}

/** Stands where there is no clock: a sheet on its way in and out, a path that turns back, an empty place. */
export const drawing = (name: keyof typeof drawings): Html => html`
  <svg class="dial art" viewBox="0 0 340 300" aria-hidden="true">
    ${raw(drawings[name].replace('{mark}', brand().mark))}
  </svg>`
