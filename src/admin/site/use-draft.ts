import { useEffect, useRef, useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { storedIn } from '../components/conflict.tsx'
import { draftKey, keepForm, readDraft, readForm } from '../record/composer/drafts.ts'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, hasLapsed, hasSession, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { type Clash, isSame, merged } from './merge.ts'
import { entryQuery, renewLists } from './queries.ts'
import { type Path, withValue } from './schema-fields.tsx'

/** The pause in typing after which the draft is stored. */
const PAUSE_MS = 400

/** The tab has room for a few documents. */
const MOST_SENT = 5

/** Changes of one field within this time are undone together. */
const ONE_EDIT_MS = 1_000

type Saving = { state: 'saved' | 'waiting' | 'failed'; at?: string; problem?: string }

const unsettled: Saving = { state: 'failed', problem: 'Not saved yet.' }

interface Edit {
  /** The documents before and after it. */
  from: unknown
  to: unknown
  path: Path
  at: number
}

/** A document that is not stored yet, as the tab keeps it, with the stored one that was changed. */
interface Kept {
  value: unknown
  base: unknown
  /** Documents that were sent since the last answer: each of them may be stored. */
  sent?: unknown[]
}

/** The typed value, joined with the stored one. */
const joinedWith = ({ value, base, sent }: Kept, theirs: unknown) =>
  merged(sent?.some((one) => isSame(one, theirs)) ? theirs : base, value, theirs)

/** The draft; without one, what is published. */
const documentIn = ({ value, published }: desk.Draft): unknown => value ?? published

/** A document as it is edited: stored after each pause, undone and redone, joined with what others have changed. */
export const useDraft = (
  collection: string,
  id: string,
  entry: desk.Draft,
  onSaved: () => void,
) => {
  const key = draftKey('form', useProfile().id, `${collection}/${id}`)
  const [begun] = useState(() => {
    const theirs = documentIn(entry)
    // Storing it would bring back an entry that somebody has removed.
    const kept = entry.state === 'removed' ? null : readForm<Kept>(key)
    const joined = joinedWith(kept ?? { value: theirs, base: theirs }, theirs)
    return { ...joined, base: joined.clashes.length > 0 ? kept?.base : theirs }
  })
  const [draft, setDraft] = useState(entry)
  const [value, setValue] = useState(begun.value)
  const [saving, setSaving] = useState<Saving>(
    begun.clashes.length > 0 ? unsettled : { state: 'saved' },
  )
  const [clashes, setClashes] = useState<readonly Clash[]>(begun.clashes)
  /** Storing the entry would bring it back. */
  const isGone = useRef(entry.state === 'removed')
  const isClashing = useRef(begun.clashes.length > 0)
  const [past, setPast] = useState<readonly Edit[]>([])
  const [future, setFuture] = useState<readonly Edit[]>([])
  const stored = useRef(entry)
  const latest = useRef(value)
  /** The stored document that what is typed began with. */
  const base = useRef(begun.base)
  const sent = useRef<unknown[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef(Promise.resolve())
  const isOpen = useRef(true)

  // Read again, as after publishing: what is being typed stays.
  useEffect(() => {
    const isBack = isGone.current && entry.state !== 'removed'
    isGone.current = entry.state === 'removed'
    if (entry === stored.current || timer.current !== undefined || isClashing.current) return
    setDraft(entry)
    // The version that was typed on stays, too: the next save is refused with a newer one, and joined.
    if (!isSame(latest.current, documentIn(stored.current)))
      return void (isBack && storeLatest.current())
    stored.current = entry
    base.current = documentIn(entry)
    latest.current = base.current
    setValue(latest.current)
  }, [entry])

  const unsaved = (): Kept => ({ value: latest.current, base: base.current, sent: sent.current })
  const keepInTab = () => {
    // A save may fail because its author has signed out.
    if (hasSession() || hasLapsed()) keepForm(key, unsaved())
  }
  /** The tab keeps what was typed since. */
  const forget = () => {
    base.current = documentIn(stored.current)
    if (!isSame(latest.current, base.current)) keepInTab()
    else if (readDraft(key)) keepForm(key, null)
  }
  const take = (saved: desk.Draft) => {
    stored.current = saved
    isGone.current = saved.state === 'removed'
    setDraft(saved)
    queryClient.setQueryData(entryQuery(collection, id).queryKey, saved)
    void renewLists()
    onSaved()
  }
  const show = (next: unknown) => {
    latest.current = next
    setValue(next)
  }
  /** Joins a newer version with what is typed here. */
  const join = (theirs: desk.Draft) => {
    if (theirs.state === 'removed') {
      take(theirs)
      return keepInTab()
    }
    const joined = joinedWith(unsaved(), documentIn(theirs))
    const isNews = !isSame(joined.value, latest.current)
    take(theirs)
    show(joined.value)
    setClashes(joined.clashes)
    isClashing.current = joined.clashes.length > 0
    if (joined.clashes.length > 0) {
      keepInTab()
      return setSaving(unsettled)
    }
    base.current = documentIn(theirs)
    if (isNews)
      notify({
        text: 'Other fields of this text were changed elsewhere meanwhile. Both changes are kept.',
      })
    store()
  }
  const store = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    running.current = running.current.then(async () => {
      // A clash is settled first, also one that the save before this one has met.
      if (isClashing.current || isGone.current) return
      const next = latest.current
      if (isSame(next, documentIn(stored.current))) {
        forget()
        return setSaving({ state: 'saved', at: new Date().toISOString() })
      }
      sent.current = [...sent.current, next].slice(-MOST_SENT)
      try {
        const { data } = await ask(desk.writeDraft, {
          params: { collection, id },
          body: { value: next, version: stored.current.version },
        })
        take(data)
        sent.current = []
        forget()
        if (timer.current === undefined) setSaving({ state: 'saved', at: new Date().toISOString() })
      } catch (error) {
        const theirs = storedIn<desk.Draft>(error)
        if (theirs) return join(theirs)
        setSaving({
          state: 'failed',
          problem: sentenceOf(error, 'Not saved. Check your connection.'),
        })
        keepInTab()
      }
    })
  }
  const put = (next: unknown) => {
    show(next)
    // A page that is left sends nothing while a save is on its way.
    keepInTab()
    setSaving({ state: 'waiting' })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => storeLatest.current(), PAUSE_MS)
  }
  const storeLatest = useRef(store)
  storeLatest.current = store
  useEffect(() => {
    isOpen.current = true
    const flush = () => timer.current !== undefined && storeLatest.current()
    const retry = () => storeLatest.current()
    addEventListener('pagehide', flush)
    addEventListener('online', retry)
    if (readDraft(key)) retry()
    return () => {
      removeEventListener('pagehide', flush)
      removeEventListener('online', retry)
      flush()
      isOpen.current = false
    }
  }, [key])

  const change = (path: Path, to: unknown) => {
    // A picture may be stored after other changes, or after the form is left.
    if (!isOpen.current) return
    const at = Date.now()
    const from = latest.current
    const next = withValue(from, path, to)
    setPast((edits) => {
      const last = edits.at(-1)
      // A change that others have stored in between begins a new step.
      const isNext = last !== undefined && last.to === from && last.path.join() === path.join()
      return isNext && at - last.at < ONE_EDIT_MS
        ? [...edits.slice(0, -1), { ...last, to: next, at }]
        : [...edits, { from, to: next, path, at }]
    })
    setFuture([])
    put(next)
  }
  /** Steps back or forth; answers the field that it has changed. */
  const step = (
    edits: readonly Edit[],
    setFrom: typeof setPast,
    setTo: typeof setPast,
  ): Path | undefined => {
    const edit = edits.at(-1)
    if (!edit) return undefined
    const { from, to, path } = edit
    setFrom(edits.slice(0, -1))
    setTo((others) => [...others, { from: to, to: from, path, at: 0 }])
    // Others may have changed the document since.
    put(merged(to, from, latest.current).value)
    return path
  }
  const settle = (keep: 'mine' | 'theirs') => {
    const next = clashes.reduce(
      (all, { path, theirs }) => (keep === 'mine' ? all : withValue(all, path, theirs)),
      latest.current,
    )
    setClashes([])
    isClashing.current = false
    base.current = documentIn(stored.current)
    show(next)
    keepInTab()
    store()
  }
  /** @returns whether the entry is left: what was never published is gone */
  const discard = (): Promise<boolean> => {
    clearTimeout(timer.current)
    timer.current = undefined
    // Between saves: the answer of one that is on its way would show the draft again.
    const discarded = running.current.then(async () => {
      try {
        // The removed entry comes back with the text typed since.
        const typed = isGone.current && latest.current
        const { data } = await ask(desk.discardDraft, { params: { collection, id } })
        keepForm(key, null)
        if (data.published === null) return false
        const kept = typed ? merged(base.current, typed, data.value).value : data.value
        setClashes([])
        isClashing.current = false
        take(data)
        show(kept)
        forget()
        setPast([])
        setFuture([])
        setSaving({ state: 'saved' })
        if (!isSame(kept, data.value)) put(kept)
      } catch (error) {
        notify({ text: sentenceOf(error, 'The draft was not discarded.') })
      }
      return true
    })
    running.current = discarded.then(() => {})
    return discarded
  }

  return {
    draft,
    value,
    saving,
    clashes,
    change,
    settle,
    discard,
    retry: store,
    undo: past.length > 0 ? () => step(past, setPast, setFuture) : undefined,
    redo: future.length > 0 ? () => step(future, setFuture, setPast) : undefined,
  }
}
