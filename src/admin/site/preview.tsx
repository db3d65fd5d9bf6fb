import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as desk from '#contract/desk.ts'
import panel from '../components/panel.module.css'
import { ask, sentenceOf } from '../session/session.ts'
import { fieldId } from './schema-fields.tsx'
import styles from './site.module.css'

/** The page with the drafts, in a frame without scripts. */
export function Preview({
  path,
  entry,
  edition,
  onOpen,
}: {
  path: string
  /** The entry that is open, as `collection/id`. */
  entry: string
  /** Another number draws the page again. */
  edition: number
  /** A text of another entry was clicked. */
  onOpen: (collection: string, id: string) => void
}) {
  const [wide, setWide] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const { data: link, error } = useQuery({
    queryKey: ['preview', path],
    queryFn: async () => (await ask(desk.addPreviewLink, { body: { path } })).data,
    staleTime: 12 * 3_600_000,
    retry: false,
  })
  const loaded = () => {
    const page = frame.current?.contentDocument
    if (!page) return
    const own = [...page.querySelectorAll<HTMLElement>(`[data-entry="${CSS.escape(entry)}"]`)]
    for (const element of own) {
      element.style.outline = '3px dashed var(--accent)'
      element.style.outlineOffset = '4px'
    }
    own[0]?.scrollIntoView({ block: 'center' })
    page.addEventListener('click', (event) => {
      event.preventDefault()
      const shown = (event.target as Element).closest<HTMLElement>('[data-entry]')
      const { entry: name = '', field = '' } = shown?.dataset ?? {}
      if (name === entry) document.getElementById(fieldId(field.split('.')))?.focus()
      else if (name) onOpen(...(name.split('/') as [string, string]))
    })
  }
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.previewBar}>
        <b>Preview</b> <span>{path}</span>
        <fieldset className={panel.choice}>
          <legend className="visually-hidden">Width of the preview</legend>
          {[false, true].map((value) => (
            <button
              key={String(value)}
              type="button"
              aria-pressed={wide === value}
              onClick={() => setWide(value)}
            >
              {value ? 'Desktop' : 'Phone'}
            </button>
          ))}
        </fieldset>
        {link && (
          <a href={link.url} target="_blank" rel="noreferrer">
            Open in a tab
          </a>
        )}
      </div>
      <div className={styles.ground}>
        {error && <p role="alert">{sentenceOf(error, 'There is no preview of this page.')}</p>}
        {link && (
          <iframe
            key={`${link.url} ${edition}`}
            ref={frame}
            className={wide ? styles.desktop : styles.phone}
            src={new URL(link.url).pathname}
            sandbox="allow-same-origin"
            title={`Preview of ${path}`}
            onLoad={loaded}
          />
        )}
      </div>
      <p className={styles.soft}>
        The real page with your drafts. Click a text to go to its field.
      </p>
    </section>
  )
}
