import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { ActivityEntry } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { splitQuoted } from '#contract/mail/quoted-text.ts'
import { ask } from '../../session/session.ts'
import { blind } from '../blind.ts'
import type { OpenRecord } from '../kinds/kind-view.ts'
import styles from './thread.module.css'

export interface TextProps extends OpenRecord {
  entry: ActivityEntry
}

/** The whole text of an entry. The record carries the beginning of a long one. */
export const readText = async ({ view, record, entry }: TextProps): Promise<string> => {
  const { _id, text = '', cut } = entry
  if (!cut) return text
  const { data } = await ask(anyKind[view.kind].entry, {
    params: { id: record._id, entry: _id },
    query: blind,
  })
  return data.text ?? text
}

/** A text that was cut, with a button that loads the rest where there is one. */
export function CutText(props: TextProps) {
  const { text = '', cut } = props.entry
  const { data: whole, mutate: load, isError } = useMutation({ mutationFn: () => readText(props) })
  if (!cut || whole !== undefined) return <MessageText text={whole ?? text} />
  const hasMore = [...text].length >= limits.activity.text
  return (
    <>
      <MessageText text={text} />
      {hasMore ? (
        <button type="button" className="btn line" onClick={() => load()}>
          Show the whole text
        </button>
      ) : (
        <p>Cut as it came: too much mail came that day.</p>
      )}
      <p role="status">{isError && 'It could not be loaded. Try again.'}</p>
    </>
  )
}

/** A text as it was written, with what it copies from earlier mails folded. */
export function MessageText({ text }: { text: string }) {
  return splitQuoted(text).map(({ text: run, isQuoted }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a stored text never change
    <Fragment key={index}>
      {isQuoted ? (
        <details>
          <summary>Show quoted text</summary>
          <p className={`typed ${styles.text}`} dir="auto">
            {run}
          </p>
        </details>
      ) : (
        run.trim() && (
          <p className={`typed ${styles.text}`} dir="auto">
            {run.trim()}
          </p>
        )
      )}
    </Fragment>
  ))
}
