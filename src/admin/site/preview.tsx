import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Segments } from '../components/segments.tsx'
import { When } from '../components/when.tsx'
import { ask, sentenceOf } from '../session/session.ts'
import { copyText } from '../shell/copy-text.ts'
import { changesQuery } from './queries.ts'
import styles from './site.module.css'

interface Props {
  path: string
  /** The entry that is open, as `collection/id`. */
  entry: string
  /** The field that has the focus, as `label.0.text`. */
  focused: string
  /** Another number draws the page again. */
  edition: number
  /** False on a phone while another part of the screen is shown. */
  isOpen: boolean
  /** A text was clicked. */
  onOpen: (collection: string, id: string, field: string) => void
}

/** In the frame's document; a style attribute would not be allowed there, a sheet of its own is. */
const marks = `
  [data-desk] { outline: 2px dashed var(--accent); outline-offset: 2px; }
  [data-desk=editing] { outline: 3px solid var(--accent); }
  [data-entry] { cursor: pointer; }
  [data-theme-switch] { visibility: visible; }
`

/** Scrolls the page and the rows in it until the element is in the middle, at once. */
const reveal = (element: HTMLElement, view: Window) => {
  element.closest('details')?.setAttribute('open', '')
  for (let row = element.parentElement; row; row = row.parentElement) {
    if (!/auto|scroll/.test(view.getComputedStyle(row).overflowX)) continue
    const [all, own] = [row.getBoundingClientRect(), element.getBoundingClientRect()]
    const left = own.left + own.width / 2 - (all.left + all.width / 2)
    row.scrollBy({ left, behavior: 'instant' })
  }
  // An element's own scrolling would move the window around the frame, too.
  const { top } = element.getBoundingClientRect()
  view.scrollBy({ top: top - view.innerHeight / 2, behavior: 'instant' })
}

const isInSight = (element: HTMLElement, { innerWidth, innerHeight }: Window): boolean => {
  const { left, top } = element.getBoundingClientRect()
  return left >= 0 && left < innerWidth && top >= 0 && top < innerHeight
}

/** True if an element shows the field, or a part of it. */
const shows = ({ dataset }: HTMLElement, entry: string, field: string): boolean =>
  dataset.entry === entry && field !== '' && `${dataset.field}.`.startsWith(`${field}.`)

const linkQuery = (path: string, ...use: string[]) =>
  queryOptions({
    queryKey: ['preview', path, ...use],
    queryFn: async () => (await ask(desk.addPreviewLink, { body: { path } })).data,
    retry: false,
  })

/** The page with the drafts, in a frame without scripts. */
export function Preview({ path, entry, focused, edition, isOpen, onOpen }: Props) {
  const [wide, setWide] = useState(false)
  const [shares, setShares] = useState(false)
  const { data: link, error } = useQuery({ ...linkQuery(path), staleTime: 12 * 3_600_000 })
  const { data: changes } = useQuery(changesQuery)
  const changed = changes?.data.flatMap(({ collection, id, fields }) =>
    fields.map((field) => [`${collection}/${id}`, field.path.join('.')] as const),
  )
  const wanted = link && `${new URL(link.url).pathname}?edition=${edition}`
  const [shown, setShown] = useState<string>()
  const frames = useRef(new Map<string, HTMLIFrameElement>())
  const pageIn = (source: string | undefined) => frames.current.get(source ?? '')?.contentDocument

  const markFields = () => {
    const page = pageIn(shown)
    if (!page) return
    let target: HTMLElement | undefined
    for (const element of page.querySelectorAll<HTMLElement>('[data-entry]')) {
      const isFocused = shows(element, entry, focused)
      target ??= isFocused ? element : undefined
      const isChanged = changed?.some(([name, field]) => shows(element, name, field))
      if (isFocused) element.dataset.desk = 'editing'
      else if (isChanged) element.dataset.desk = 'changed'
      else delete element.dataset.desk
    }
    const view = page.defaultView
    if (!view) return
    const own = [...page.querySelectorAll<HTMLElement>(`[data-entry="${CSS.escape(entry)}"]`)]
    // A field that the page does not show by itself: any text of its entry will do.
    if (!focused || !own.some((element) => isInSight(element, view))) target ??= own[0]
    if (target) reveal(target, view)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked depends on these alone
  useEffect(markFields, [shown, entry, focused, changes, isOpen])

  const loaded = (source: string) => {
    const page = pageIn(source)
    const view = page?.defaultView
    if (!page || !view) return
    const sheet = new (view as unknown as typeof globalThis).CSSStyleSheet()
    sheet.replaceSync(marks)
    page.adoptedStyleSheets.push(sheet)
    page.addEventListener('click', (event) => {
      event.preventDefault()
      const element = (event.target as Element).closest<HTMLElement>('[data-entry]')
      const { entry: name, field = '' } = element?.dataset ?? {}
      const [collection = '', id = ''] = name?.split('/') ?? []
      if (id) onOpen(collection, id, field)
    })
    const before = frames.current.get(shown ?? '')
    const isSamePage = before && shown?.split('?')[0] === source.split('?')[0]
    if (isSamePage) view.scrollTo(0, before.contentWindow?.scrollY ?? 0)
    setShown(source)
  }
  const sources = [...new Set([shown, wanted])].filter((source) => source !== undefined)
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.previewBar}>
        <b>Preview</b> <span className="secondary">{path}</span>
        <Segments
          legend="Width of the preview"
          options={[
            [false, 'Phone'],
            [true, 'Desktop'],
          ]}
          value={wide}
          onChange={setWide}
        />
        {link && (
          <a href={link.url} target="_blank" rel="noreferrer">
            Open in a tab
          </a>
        )}
        <LinkButton onClick={() => setShares(true)}>Share…</LinkButton>
      </div>
      <div className={styles.ground}>
        {error && <p role="alert">{sentenceOf(error, 'There is no preview of this page.')}</p>}
        {!error &&
          sources.map((source) => (
            <iframe
              key={source}
              ref={(frame) => {
                if (frame) frames.current.set(source, frame)
                return () => {
                  frames.current.delete(source)
                }
              }}
              className={wide ? styles.desktop : styles.phone}
              // The page before stays in sight until the new one is drawn.
              data-next={source !== (shown ?? wanted) || undefined}
              src={`${source}&frame=1`}
              sandbox="allow-same-origin"
              title={source === shown ? `Preview of ${path}` : `Next preview of ${path}`}
              onLoad={() => loaded(source)}
            />
          ))}
      </div>
      <p className="secondary">
        The real page with all drafts. Dashed: a changed text. Framed: the text that is being
        edited. Click a text to go to its field.
      </p>
      {shares && <ShareDialog path={path} onClose={() => setShares(false)} />}
    </section>
  )
}

/** A link to the preview for somebody without an account. */
function ShareDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { data, error } = useQuery({ ...linkQuery(path, 'shared'), gcTime: 0 })
  return (
    <Dialog
      title="Share this preview"
      onClose={onClose}
      foot={
        <>
          <Button
            disabled={!data}
            onClick={() =>
              data && copyText(data.url, 'The link is copied', 'The link could not be copied')
            }
          >
            Copy the link
          </Button>
          <Close onClick={onClose} />
        </>
      }
    >
      {error && <p role="alert">{sentenceOf(error, 'The link could not be made.')}</p>}
      {data && (
        <>
          <p className={styles.link}>
            <a href={data.url} target="_blank" rel="noreferrer">
              {data.url}
            </a>
          </p>
          <p>
            Anyone with this link sees {path} with the drafts of the moment, without an account,
            until{' '}
            <b>
              <When at={data.expiresAt} />
            </b>
            . It shows nothing else and changes nothing.
          </p>
        </>
      )}
    </Dialog>
  )
}
