import { type FormCase, ownText } from '#tests/e2e/forms/forms.ts'

/** A tab of a browser that a part drives: the same few acts in every engine. */
export interface Tab {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>
  url(): Promise<string>
  /** Runs code in the page, whatever its policy; the answer is what JSON can carry. */
  evaluate<T, A extends unknown[]>(code: string | ((...args: A) => T), ...args: A): Promise<T>
  click(selector: string): Promise<void>
  /** Types over what a field holds. */
  fill(selector: string, text: string): Promise<void>
  /** A key by its name in UI Events: Escape, ArrowLeft. */
  key(name: string): Promise<void>
  /** Presses on the middle of an element and holds while moving by so many pixels. */
  drag(selector: string, x: number, y: number): Promise<void>
  /** Lets go of what `drag` holds. */
  drop(): Promise<void>
  /** Role and name of each element in the browser's accessibility tree; where its driver tells them. */
  names?(selector: string): Promise<string[]>
  /** Errors of scripts, of the policy and of requests since the last call. */
  takeFaults(): Promise<string[]>
  close(): Promise<void>
}

export interface Driver {
  /** The browser and its version. */
  name: string
  /** A tab as wide as asked, or as narrow as the browser's window goes. */
  open(width: number): Promise<Tab>
  close(): Promise<void>
}

/** Resolves to true once the condition holds, to false after a minute, as a busy machine may need. */
export async function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/** Waits until an element is there and can be seen. */
export async function wait(tab: Tab, selector: string): Promise<void> {
  if (!(await soon(async () => (await visible(tab, selector)) > 0)))
    throw new Error(`${selector} does not appear on ${await tab.url()}`)
}

/** Scrolls to the end of the page, so that lazy content is loaded. */
export const readToTheEnd = (tab: Tab): Promise<unknown> =>
  tab.evaluate(async () => {
    const screens = Math.ceil(document.documentElement.scrollHeight / innerHeight)
    for (let screen = 1; screen <= screens; screen += 1) {
      scrollTo({ top: screen * innerHeight, behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    while ([...document.images].some((image) => !image.complete))
      await new Promise((resolve) => setTimeout(resolve, 20))
  })

/** Clicks the control with this name. */
export async function press(tab: Tab, name: string): Promise<void> {
  const mark = (wanted: string): boolean => {
    const controls = document.querySelectorAll<HTMLElement>('a, button, summary, [role=button]')
    const nameOf = (control: HTMLElement) => {
      const read = control.cloneNode(true) as HTMLElement
      for (const hidden of read.querySelectorAll('[aria-hidden=true]')) hidden.remove()
      return (control.ariaLabel ?? read.textContent).trim()
    }
    const named = [...controls].filter((one) => one.checkVisibility() && nameOf(one) === wanted)
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')
    named[0]?.setAttribute('data-pressed', '')
    return named.length > 0
  }
  if (!(await soon(() => tab.evaluate(mark, name)))) throw new Error(`Nothing is called ${name}`)
  await tab.click('[data-pressed]')
}

export const visible = (tab: Tab, selector: string): Promise<number> =>
  tab.evaluate(
    (css) =>
      [...document.querySelectorAll(css)].filter((element) => element.checkVisibility()).length,
    selector,
  )

export const textOf = (tab: Tab): Promise<string> =>
  tab.evaluate(() => document.body.textContent ?? '')

export const alertOf = (tab: Tab): Promise<string[]> =>
  tab.evaluate(() =>
    [...document.querySelectorAll('[role=alert]')].map((alert) => alert.textContent ?? ''),
  )

/** Fills a form by its labels, with a unique text. */
export async function fill(tab: Tab, form: FormCase): Promise<void> {
  for (const [label, value] of Object.entries({ ...form.values, ...ownText(form) })) {
    const id = await tab.evaluate(
      (text) =>
        [...document.querySelectorAll('label')].find((one) => one.textContent?.trim() === text)
          ?.control?.id ?? '',
      label,
    )
    await tab.fill(`#${id}`, value)
  }
  if (form.agrees) await tab.click('input[type=checkbox]')
}
