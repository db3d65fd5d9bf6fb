import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { modifierKey } from '../browser/modifier-key.ts'
import { useModal } from '../components/dialog.tsx'
import { Icon, StageMark } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { counted } from '../format/count.ts'
import type { OverlayProps } from '../shell/overlay.ts'
import { pressKey } from '../shell/shortcuts.tsx'
import { asFound, findEntries, type Hit, type HitGroup } from './entry.ts'
import styles from './palette.module.css'
import {
  remember,
  searchesFor,
  useActions,
  usePeople,
  usePlaces,
  useRecent,
  useSettings,
  useViewEntries,
} from './sources.ts'

/** The server is asked once somebody pauses. */
const pauseMs = 200

const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/** While something is typed, actions leave room for what else it finds. */
const mostActions = 5

const useResults = (query: string): { groups: HitGroup[]; isLoading: boolean } => {
  const actions = useActions()
  const places = usePlaces()
  const saved = useViewEntries()
  const settings = useSettings()
  const recent = useRecent([places, saved, settings])
  const asked = usePaused(query)
  const people = usePeople(asked)
  const searches = searchesFor(query)
  const isRecent = new Set(recent.entries.map((entry) => entry.id))
  const others = [saved, places, settings].map(({ title, entries }) => ({
    title,
    entries: query ? entries : entries.filter((entry) => !isRecent.has(entry.id)),
  }))
  const found = [...actions, ...(query ? [] : [recent]), ...others].map((group) =>
    findEntries(query, group),
  )
  const groups = query
    ? [
        ...found
          .slice(0, actions.length)
          .map(({ title, hits }) => ({ title, hits: hits.slice(0, mostActions) })),
        asFound(query, people),
        ...found.slice(actions.length),
        asFound(query, searches),
      ]
    : found
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isLoading: query !== '' && (people.isLoading || asked !== query),
  }
}

const stepOf: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Everything that can be found or done, by name: a list that is filtered by what is typed. */
export function Palette({ onClose }: OverlayProps) {
  const id = useId()
  const dialog = useModal()
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [activeId, setActiveId] = useState<string | null>(null)
  const query = text.trim()
  const { groups, isLoading } = useResults(query)
  const hits = groups.flatMap((group) => group.hits)
  const results = hits.filter((hit) => !hit.id.startsWith('search:')).length
  // By id: what the server finds comes in between.
  const active = hits.findIndex((hit) => hit.id === activeId)
  const at = Math.max(active, 0)

  useLayoutEffect(() => {
    list.current
      ?.querySelector(`#${CSS.escape(`${id}-${at}`)}`)
      ?.scrollIntoView({ block: 'nearest' })
  }, [at, id])

  const choose = (hit: Hit | undefined, thenNext = false) => {
    if (!hit) return
    if (hit.isPlace) remember(hit.id)
    // Focus returns to its former place before the action begins.
    flushSync(onClose)
    hit.run()
    if (thenNext && !hit.isPlace) pressKey('j')
  }

  // Enter waits for the people of the server: those of what was typed before may stand there still.
  const [waits, setWaits] = useState(false)
  const isUncertain = isLoading && /^(?:record|search):|^$/.test(hits[0]?.id ?? '')
  const chooseActive = useEffectEvent(() => choose(hits[at]))
  useEffect(() => {
    if (waits && !isLoading) chooseActive()
  }, [waits, isLoading])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = stepOf[event.key]
    if (by) {
      event.preventDefault()
      setActiveId(hits.at((at + by) % hits.length)?.id ?? null)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isUncertain && activeId === null) setWaits(true)
      else choose(hits[at], event.ctrlKey || event.metaKey)
    }
  }

  let place = -1
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Find or do"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.frame}>
        <div className={styles.field}>
          <Icon name="find" />
          <input
            type="text"
            role="combobox"
            aria-label="Find or do"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="A name, a place, an action"
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setWaits(false)
              setActiveId(null)
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" onClick={onClose}>
            <Key of="Esc" />
            <span className="visually-hidden">Close</span>
          </button>
        </div>
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          className={styles.list}
        >
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, and no fieldset
            <div key={group.title} role="group" aria-label={group.title}>
              <h3 className="caption" role="presentation">
                {group.title}
              </h3>
              {group.hits.map((hit) => {
                place += 1
                const index = place
                return (
                  <Row
                    key={hit.id}
                    id={`${id}-${index}`}
                    hit={hit}
                    isActive={index === at}
                    onPoint={() => setActiveId(hit.id)}
                    onChoose={() => choose(hit)}
                  />
                )
              })}
            </div>
          ))}
        </div>
        <p className={`secondary ${styles.state}`} role="status">
          {isLoading
            ? 'Looking for people…'
            : results === 0
              ? 'Nothing found'
              : counted(results, 'result')}
        </p>
        <p className={`secondary ${styles.keys}`} aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>↵</kbd> do it
          </span>
          <span>
            <kbd>{modifierKey}</kbd> <kbd>↵</kbd> do it and go to the next
          </span>
        </p>
      </div>
    </dialog>
  )
}

interface Props {
  id: string
  hit: Hit
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
}

function Row({ id, hit, isActive, onPoint, onChoose }: Props) {
  const { label, detail, icon = 'arrow', mark, keys = [], at } = hit
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.row}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      {mark ? <StageMark stage={mark} /> : <Icon name={icon} />}
      <span className={styles.label}>
        <Highlighted text={label} at={at} />
      </span>
      {detail && <span className={`secondary one-line ${styles.detail}`}>{detail}</span>}
      {keys.length > 0 && (
        <span className={styles.rowKeys}>
          {keys.map((key) => (
            <Key key={key} of={key} />
          ))}
        </span>
      )}
    </div>
  )
}

function Highlighted({ text, at }: { text: string; at: readonly number[] }) {
  const found = new Set(at)
  const parts: { isFound: boolean; start: number; text: string }[] = []
  for (const [start, character] of Array.from(text).entries()) {
    const isFound = found.has(start)
    const last = parts.at(-1)
    if (last?.isFound === isFound) last.text += character
    else parts.push({ isFound, start, text: character })
  }
  return parts.map((part) =>
    part.isFound ? <b key={part.start}>{part.text}</b> : <span key={part.start}>{part.text}</span>,
  )
}
