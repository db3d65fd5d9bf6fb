import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { accentOf } from '#contract/content/accent.ts'
import { withoutHalves } from '#contract/inbox.ts'
import { Field } from '#ui/field.tsx'
import { LinkButton } from '../components/button.tsx'
import { Options } from '../components/form.tsx'
import { Key } from '../components/key.tsx'
import { MoveButtons } from '../components/move-buttons.tsx'
import { lazyComponent } from '../router/lazy-component.tsx'
import { inWords } from './field-name.ts'
import { Grip } from './grip.tsx'
import { at } from './merge.ts'
import { deadLink, entriesQuery } from './queries.ts'
import styles from './site.module.css'
import { imagesQuery, MarkFile, namesOfImages, Upload } from './upload.tsx'

/** A node of a collection's JSON Schema, as `GET /api/content/{collection}` answers it. */
export interface SchemaNode {
  title?: string
  description?: string
  type?: string
  const?: unknown
  enum?: readonly string[]
  /** The kind of its form control. */
  input?: string
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, SchemaNode>
  required?: readonly string[]
  /** Fields that are required where another one has a value. */
  if?: SchemaNode
  then?: SchemaNode
  additionalProperties?: SchemaNode | boolean
  items?: SchemaNode
  anyOf?: readonly SchemaNode[]
}

export type Path = readonly (string | number)[]

export interface FormState {
  published: unknown
  problems: readonly { path: Path; message: string }[]
  mayChange: boolean
  change: (path: Path, value: unknown) => void
}

interface Props {
  node: SchemaNode
  value: unknown
  path: Path
  form: FormState
  optional?: boolean
  /** The words for a picture. */
  alt?: string
}

/** The value with another one at a path; undefined removes a field. */
export const withValue = (value: unknown, [key, ...rest]: Path, to: unknown): unknown => {
  if (key === undefined) return to
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withValue(item, rest, to) : item))
  const { [key]: before, ...others } = (value ?? {}) as Record<string | number, unknown>
  const after = withValue(before, rest, to)
  if (after === undefined) return others
  return { ...(value as object), [key]: after }
}

/** The drawings among the pictures of a field. */
const drawingsOf = ({ anyOf }: SchemaNode): readonly string[] =>
  anyOf?.flatMap((option) => option.enum ?? []) ?? []

/** A new value of a field that is added; a problem until it is filled in. */
export const emptyValue = (node: SchemaNode): unknown => {
  if (node.input === 'richtext') return { type: 'doc', content: [] }
  if (node.input === 'picture') return ''
  if (node.anyOf?.[0]) return emptyValue(node.anyOf.at(-1) ?? {})
  if (node.enum) return node.enum[0]
  if (node.type === 'array')
    return Array.from({ length: node.minItems ?? 0 }, () => emptyValue(node.items ?? {}))
  if (node.type === 'boolean') return false
  if (node.type === 'integer' || node.type === 'number') return null
  if (node.type !== 'object') return ''
  const today = new Date().toISOString().slice(0, 10)
  const withEmpty = (value: object, key: string): object => {
    const child = node.properties?.[key] ?? {}
    return { ...value, [key]: child.input === 'day' ? today : emptyValue(child) }
  }
  const value = (node.required ?? []).reduce(withEmpty, {})
  return requiredIn(node, value)
    .filter((key) => !(key in value))
    .reduce(withEmpty, value)
}

/** The names of the fields that this value has to have. */
const requiredIn = ({ required = [], if: condition, then }: SchemaNode, value: object) => {
  const isMet = Object.entries(condition?.properties ?? {}).every(
    ([key, wanted]) => wanted.const === at(value, [key]),
  )
  return condition && isMet ? [...required, ...(then?.required ?? [])] : required
}

const inOneLine = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(inOneLine).join(' / ')
  return typeof value === 'object' ? Object.values(value).map(inOneLine).join(', ') : String(value)
}

const brief = (value: unknown, most = 160): string => {
  const text = inOneLine(value)
  return text.length > most ? `${withoutHalves(text.slice(0, most))}…` : text
}

/** Words shown on each side of a difference. */
const AROUND = 8

/** A value with what differs from another one marked; a long text is cut around that. */
export function Differing({ value, other }: { value: unknown; other: unknown }) {
  const [own = [], others = []] = [value, other].map((one) => inOneLine(one).split(/(?<=\s)/))
  const shared = Math.min(own.length, others.length)
  let start = 0
  while (start < shared && own[start] === others[start]) start += 1
  let end = 0
  while (end < shared - start && own.at(-1 - end) === others.at(-1 - end)) end += 1
  const stop = own.length - end
  return (
    <>
      {start > AROUND && '…'}
      {own.slice(Math.max(0, start - AROUND), start).join('')}
      {start < stop && <u>{brief(own.slice(start, stop).join(''), 300)}</u>}
      {own.slice(stop, stop + AROUND).join('')}
      {end > AROUND && '…'}
    </>
  )
}

/** The fields of a document, drawn from its schema. */
export function SchemaFields(props: Props) {
  const { node, value } = props
  if (node.input === 'richtext') return <RichText {...props} />
  if (node.input === 'picture') return <Value {...props} optional={false} />
  if (node.anyOf) {
    const option = node.anyOf.find(({ type }) => type === typeOf(value)) ?? node.anyOf.at(-1)
    return option && <SchemaFields {...props} node={{ title: node.title ?? '', ...option }} />
  }
  if (node.type === 'object') return <Group {...props} />
  if (node.type === 'array') return <List {...props} />
  return <Value {...props} />
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

function Group({ node, value, path, form, optional = false }: Props) {
  const named = (value ?? {}) as Record<string, unknown>
  const properties =
    node.properties ??
    Object.fromEntries(
      Object.keys(named).map((key) => [
        key,
        {
          ...(node.additionalProperties as SchemaNode),
          title: inWords(key),
          description: '',
        },
      ]),
    )
  const required = node.required && requiredIn(node, named)
  const isRequired = (key: string) => required?.includes(key) ?? true
  // The words for a picture come before its button.
  const wordsFor = (key: string) =>
    properties[key]?.input === 'picture' ? [`${key}Alt`, 'alt'] : []
  const keys = Object.keys(properties).flatMap((key) => [
    ...wordsFor(key).filter((name) => name in properties),
    key,
  ])
  const fields = [...new Set(keys)].map((key) => {
    const child = properties[key] ?? {}
    const own = [...path, key]
    const isThere = named[key] !== undefined
    const isOptional = !isRequired(key) && child.input !== 'switch'
    const set = (to: unknown) => {
      form.change(own, to)
      focusAt(own)
    }
    return (
      <div key={key}>
        {(isThere || !isOptional) && (
          <SchemaFields
            node={child}
            value={named[key]}
            path={own}
            form={form}
            optional={!isRequired(key)}
            alt={String(named[`${key}Alt`] ?? named.alt ?? '')}
          />
        )}
        {isOptional && form.mayChange && (
          <p className={styles.add}>
            <LinkButton onClick={() => set(isThere ? undefined : emptyValue(child))}>
              {isThere ? 'Remove' : 'Add'} {(child.title ?? key).toLowerCase()}
            </LinkButton>
            {!isThere && <span className="secondary"> optional</span>}
          </p>
        )}
      </div>
    )
  })
  if (path.length === 0) return <div className={styles.fields}>{fields}</div>
  return (
    <fieldset className={styles.group}>
      <legend>
        {node.title || 'Part'} <Optional {...{ optional }} />
      </legend>
      <Problems {...{ path, form }} />
      <div className={styles.fields}>{fields}</div>
    </fieldset>
  )
}

const Optional = ({ optional }: { optional: boolean }) =>
  optional && <span className={styles.count}>optional</span>

const countOf = (count: number, most: number | undefined): string =>
  most === undefined ? String(count) : `${count} of at most ${most}`

function List({ node, value, path, form, optional = false }: Props) {
  const items = (Array.isArray(value) ? value : []) as unknown[]
  const { description: _, ...item } = node.items ?? {}
  const set = (to: unknown[]) => form.change(path, to)
  const title = node.title ?? 'Entry'
  const name = title.toLowerCase()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || to === from) return
    set(items.toSpliced(from, 1).toSpliced(to, 0, items[from]))
    focusAt([...path, to])
  }
  return (
    <fieldset className={styles.group} id={fieldId(path)} tabIndex={-1}>
      <legend>
        {title} <span className={styles.count}>{countOf(items.length, node.maxItems)}</span>{' '}
        <Optional {...{ optional }} />
      </legend>
      {node.description && <p className="secondary">{node.description}</p>}
      <Problems {...{ path, form }} />
      {items.map((one, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no name but its place
          key={index}
          className={styles.item}
          data-place={index}
          aria-label={`${title} ${index + 1}`}
          onKeyDown={(event) => {
            const by = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key]
            if (!by || !form.mayChange) return
            event.preventDefault()
            event.stopPropagation()
            move(index, index + by)
          }}
        >
          <SchemaFields
            node={{ ...item, title: `${title} ${index + 1}` }}
            value={one}
            path={[...path, index]}
            form={form}
          />
          {form.mayChange && (
            <p className={styles.itemActions}>
              {items.length > 1 && <Grip move={(to) => move(index, to)} />}
              <MoveButtons
                name={`${name} ${index + 1}`}
                index={index}
                count={items.length}
                move={(to) => move(index, to)}
              />
              <LinkButton
                on={`${name} ${index + 1}`}
                onClick={() =>
                  optional && items.length === 1
                    ? form.change(path, undefined)
                    : set(items.toSpliced(index, 1))
                }
              >
                Remove
              </LinkButton>
            </p>
          )}
        </fieldset>
      ))}
      {form.mayChange && items.length < (node.maxItems ?? Number.POSITIVE_INFINITY) && (
        <LinkButton onClick={() => set([...items, emptyValue(item)])}>Add to {name}</LinkButton>
      )}
    </fieldset>
  )
}

/** The id of a field's control, by which links from problems and from the preview find it. */
export const fieldId = (path: Path): string => `field-${path.join('.')}`

/** Once it is drawn. */
const focusAt = (path: Path) =>
  requestAnimationFrame(() => document.getElementById(fieldId(path))?.focus())

const messagesAt = ({ problems }: FormState, path: Path): string[] =>
  problems.filter((one) => one.path.join('.') === path.join('.')).map(({ message }) => message)

const Problems = ({ path, form }: { path: Path; form: FormState }) =>
  messagesAt(form, path).map((message) => (
    <p key={message} className="err">
      {message}
    </p>
  ))

function Value({ node, value, path, form, optional = false, alt = '' }: Props) {
  const isPicture = node.input === 'picture'
  const id = fieldId(path)
  const before = at(form.published, path)
  const isChanged = form.published !== null && before !== value
  const label = node.title ?? String(path.at(-1))
  const isLink = /^(href|live)$/.test(String(path.at(-1)))
  const [isTyped, setTyped] = useState(false)
  const [dead, setDead] = useState<{ of: string; says: string | undefined }>()
  const errors = messagesAt(form, path).map((message) =>
    optional && value === null
      ? message.replace(/\.$/, `, or remove the ${label.toLowerCase()}.`)
      : message,
  )
  const set = (to: unknown) => form.change(path, to)
  const text = value === undefined || value === null ? '' : String(value)
  if (dead?.says && dead.of === text) errors.push(dead.says)
  // Decided once: a control that changes its kind while one types loses the focus.
  const [isLong] = useState(
    () =>
      node.input === 'text' ||
      (node.input === 'line' && [before, text].some((one) => String(one ?? '').length > 40)),
  )
  const [replaced] = useState(() => inPlaceOf(text))
  const hint = node.description?.includes('{')
    ? node.description
    : [node.description, ...replaced].filter(Boolean).join(' ')
  const left = node.maxLength === undefined ? undefined : node.maxLength - text.length
  const moved = node.input === 'color' && errors.length === 0 ? accentOf(text).moved : []
  const canPutBack = isChanged && before !== undefined && form.mayChange
  const keys = canPutBack ? 'Alt+P' : undefined
  const putBackByKey = (event: KeyboardEvent) => {
    if (!canPutBack || !event.altKey || event.ctrlKey || event.code !== 'KeyP') return
    event.preventDefault()
    set(before)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes a key of the control in it
    <div className={isChanged ? styles.changed : undefined} onKeyDown={putBackByKey}>
      {node.input === 'switch' ? (
        <label className={styles.check}>
          <input
            type="checkbox"
            id={id}
            checked={value === true}
            disabled={!form.mayChange}
            aria-describedby={node.description ? `${id}-help` : undefined}
            aria-keyshortcuts={keys}
            onChange={(event) => set(event.currentTarget.checked || (optional ? undefined : false))}
          />{' '}
          <span>
            {label}
            {node.description && (
              <span id={`${id}-help`} className="secondary" aria-hidden="true">
                {' '}
                {node.description}
              </span>
            )}
          </span>
        </label>
      ) : (
        <Field
          id={id}
          label={label}
          hint={hint}
          errors={errors}
          optional={optional}
          readOnly={!form.mayChange}
          long={isLong}
          value={text}
          aria-keyshortcuts={keys}
          aria-describedby={
            left !== undefined ? `${id}-left` : moved.length > 0 ? `${id}-moved` : undefined
          }
          beside={
            left !== undefined && (
              <span id={`${id}-left`} className={left < 0 ? styles.tooLong : styles.left}>
                {left < 0 ? `${-left} too many` : `${left} left`}
              </span>
            )
          }
          autoComplete="off"
          type={typeFor(node.input)}
          onBlur={() =>
            isLink && isTyped && void deadLink(text).then((says) => setDead({ of: text, says }))
          }
          onChange={({ currentTarget }) => {
            setTyped(true)
            set(typed(node, currentTarget.value))
          }}
        >
          {(isPicture || node.enum || referenceOf(node)) && (
            <Choice
              id={id}
              node={node}
              value={text}
              disabled={!form.mayChange}
              onChange={set}
              alt={alt}
              keys={keys}
            />
          )}
        </Field>
      )}
      {moved.length > 0 && (
        <p className={styles.notice} id={`${id}-moved`}>
          {text} cannot be read everywhere. The site shows{' '}
          {moved.map(({ theme, hex }) => `${hex} in the ${theme} theme`).join(' and ')}.
        </p>
      )}
      {isPicture && form.mayChange && (
        <Upload
          id={`${id}-file`}
          label="A picture of your own, up to 5 MB"
          alt={alt}
          onUpload={async (stored) => set((await stored).url)}
        />
      )}
      {node.input === 'mark' && form.mayChange && <MarkFile id={`${id}-file`} onRead={set} />}
      {isChanged && before !== undefined && (
        <p className={styles.was}>
          Published: {brief(before)}{' '}
          {canPutBack && (
            <>
              {/* Not between two fields: a space typed after Tab would press it. */}
              <LinkButton on={label} tabIndex={-1} onClick={() => set(before)}>
                Put back
              </LinkButton>{' '}
              <Key of="Alt P" />
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** The words that pages have for the names in braces. */
const fillings: Record<string, string> = {
  brand: 'the name of the firm',
  count: 'the number of entries in that list',
  founded: 'the month in which the firm began',
  hours: 'the hours within which you answer',
  money: 'the amount in your currency',
  price: 'the price of that service',
  prices: 'the monthly prices',
  weeks: 'the number of weeks',
}

/** "{hours} becomes the hours within which you answer." for each name in braces. */
const inPlaceOf = (text: string): string[] =>
  [
    ...new Map([...text.matchAll(/\{(\w+)(:[^}]*)?\}/g)].map(([all, name = '']) => [name, all])),
  ].flatMap(([name, all]) => {
    const words = fillings[name.toLowerCase()]
    return words ? `${all} becomes ${words}.` : []
  })

const typeFor = (input: string | undefined): string =>
  input === 'day' ? 'date' : input === 'number' ? 'number' : input === 'color' ? 'color' : 'text'

/** The typed value, as the schema stores it. */
const typed = ({ input }: SchemaNode, text: string): unknown =>
  input !== 'number' ? text : text === '' ? null : Number(text)

/** The collection whose entries are the choices. */
const referenceOf = ({ input }: SchemaNode): string | undefined =>
  input?.startsWith('reference:') ? input.slice(10) : undefined

interface ChoiceProps {
  id: string
  node: SchemaNode
  value: string
  disabled: boolean
  /** The words of this document for its picture; the list has those of the last upload. */
  alt: string
  keys: string | undefined
  onChange: (value: string) => void
}

function Choice({ id, node, value, disabled, alt, keys, onChange }: ChoiceProps) {
  const isPicture = node.input === 'picture'
  const reference = referenceOf(node)
  const options = isPicture ? drawingsOf(node) : (node.enum ?? [])
  const { data } = useQuery({ ...entriesQuery(reference ?? ''), enabled: Boolean(reference) })
  const { data: images = [] } = useQuery({ ...imagesQuery, enabled: isPicture })
  const all = [
    ...(data?.data.map(({ id, title }) => [id, title] as const) ??
      options.map((option) => [option, inWords(option)] as const)),
    ...(isPicture ? namesOfImages(images, value, alt) : []),
  ]
  const known = all.some(([one]) => one === value)
  return (
    <select
      id={id}
      value={value}
      disabled={disabled}
      aria-keyshortcuts={keys}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {!known && <option value={value}>{value || 'Choose…'}</option>}
      <Options values={all} />
    </select>
  )
}

const Editor = lazyComponent(
  () => import('./editor/editor.tsx').then((m) => m.Editor),
  <p role="status">Loading the editor...</p>,
)

/** A long text; its editor is loaded where there is one. */
const RichText = ({ value, path, form }: Pick<Props, 'value' | 'path' | 'form'>) =>
  (value as { type?: unknown } | undefined)?.type === 'mdx' ? (
    <p className="secondary" id={fieldId(path)} tabIndex={-1}>
      This text holds more than the editor can show, such as a component of its own. A developer
      edits it, in the files of the site.
    </p>
  ) : (
    <Editor id={fieldId(path)} label="Text" {...{ value, path, form }} />
  )
