import { type HTMLElement, parse } from 'node-html-parser'

/** Makes one request and follows no redirect. */
export type Ask = (path: string, form?: URLSearchParams) => Promise<Response>

/** What a form sends as it stands, by a program that heeds no `required`. */
const asItStands = (form: HTMLElement): URLSearchParams => {
  const fields = new URLSearchParams()
  for (const field of form.querySelectorAll('input, textarea, select')) {
    const name = field.getAttribute('name')
    if (!name || field.getAttribute('type') === 'checkbox') continue
    const chosen = field.querySelector('[selected]') ?? field
    fields.append(name, chosen.getAttribute('value') ?? field.text)
  }
  return fields
}

/** Opens every link and submits every form of a sender's page, and of all pages that these lead to. */
export const scan = async (ask: Ask, token: string): Promise<{ pages: number; forms: number }> => {
  const seen = new Set<string>()
  const todo = [`/status/${token}`]
  let forms = 0
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const response = await ask(path)
    const text = await response.text()
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) continue
    const page = parse(text)
    for (const link of page.querySelectorAll('main a')) {
      const href = link.getAttribute('href') ?? ''
      if (/^\/(api\/)?status\/./.test(href)) todo.push(href)
    }
    for (const form of page.querySelectorAll('main form')) {
      forms += 1
      const action = form.getAttribute('action') ?? path
      if (form.getAttribute('method') === 'get') {
        todo.push(`${action}?${asItStands(form)}`)
        continue
      }
      const answer = await ask(action, asItStands(form))
      await answer.body?.cancel()
      const location = answer.headers.get('Location')
      if (location) todo.push(location.replace(/#.*/, ''))
    }
  }
  return { pages: seen.size, forms }
}
