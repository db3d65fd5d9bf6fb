import { Editor as TextEditor } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { codeLanguages } from '#contract/content/rich-text.ts'
import { Field } from '#ui/field.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Options } from '../../components/form.tsx'
import { at, isSame } from '../merge.ts'
import type { FormState, Path } from '../schema-fields.tsx'
import styles from './editor.module.css'
import {
  extensionsOf,
  isAddress,
  leaveBlock,
  moveDown,
  moveUp,
  storedBlocks,
  storedForm,
} from './nodes.ts'
import { Picture } from './picture.tsx'

interface Props {
  id: string
  label: string
  value: unknown
  path: Path
  form: FormState
}

/** The page's policy lets no library read HTML; the browser reads it without scripts, or it is pasted as text. */
const paste = (view: EditorView, event: ClipboardEvent): boolean => {
  const html = event.clipboardData?.getData('text/html')
  const place: { setHTML?: (html: string, options: object) => void } & HTMLElement =
    // A document of its own loads and runs nothing.
    document.implementation.createHTMLDocument().createElement('div')
  if (!html) return false
  event.preventDefault()
  if (place.setHTML) {
    place.setHTML(html, { sanitizer: {} })
    const slice = DOMParser.fromSchema(view.state.schema).parseSlice(place)
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView())
  } else view.pasteText(event.clipboardData?.getData('text/plain') ?? '')
  return true
}

/** Only what comes from the text itself is moved. */
const drop = (view: EditorView, event: DragEvent): boolean => {
  if (view.dragging) return false
  event.preventDefault()
  return true
}

const empty = { type: 'doc', content: [{ type: 'paragraph' }] }

/** A long text: what it may hold, no more. */
export function Editor({ id, label, value, path, form }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<TextEditor>()
  const [, draw] = useState(0)
  const emitted = useRef(value)
  const problems = form.problems.filter((one) => path.every((key, at) => one.path[at] === key))
  const inside = problems.map((one) => ({
    block: Number(one.path[path.length + 1] ?? 0),
    message: one.message,
  }))
  const latest = useRef({ form, path, blocks: new Set<number>() })
  latest.current = { form, path, blocks: new Set(inside.map(({ block }) => block)) }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and takes new values below
  useEffect(() => {
    const made = new TextEditor({
      element: place.current,
      extensions: extensionsOf(() => ({
        field: id,
        blocks: latest.current.blocks,
        stored: emitted.current,
      })),
      content: (value ?? empty) as object,
      editable: form.mayChange,
      injectCSS: false,
      editorProps: {
        handleDOMEvents: { paste, drop },
        attributes: { id, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      },
      onUpdate: ({ editor: changed }) => {
        const next = storedForm(changed.getJSON())
        // An empty paragraph is not stored.
        if (isSame(next, emitted.current)) return
        emitted.current = next
        latest.current.form.change(latest.current.path, emitted.current)
      },
      onTransaction: () => draw((count) => count + 1),
    })
    // Adds the place after the last block, which is no change.
    made.view.dispatch(made.state.tr.setMeta('preventUpdate', true).setMeta('addToHistory', false))
    setEditor(made)
    return () => made.destroy()
  }, [])

  // Undone, discarded or joined with what somebody else wrote.
  useEffect(() => {
    if (!editor || isSame(value, emitted.current)) return
    emitted.current = value
    editor.commands.setContent((value ?? empty) as object, { emitUpdate: false })
  }, [editor, value])

  const marked = [...latest.current.blocks].join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: blocks with problems are drawn anew
  useEffect(() => {
    if (editor) editor.view.dispatch(editor.state.tr)
  }, [editor, marked])

  const go = (block: number) => {
    if (!editor) return
    const found = storedBlocks(editor.state.doc, emitted.current).find(
      ({ index }) => index === block,
    )
    editor
      .chain()
      .focus()
      .setNodeSelection(found?.offset ?? 0)
      .scrollIntoView()
      .run()
  }
  /** The editor undoes by itself; the form would do it a second time. */
  const keepKeys = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) event.stopPropagation()
  }
  return (
    <div className={styles.editor} data-changed={isChanged(form, path, value) || undefined}>
      <p className={styles.label}>{label}</p>
      {editor && form.mayChange && <Toolbar editor={editor} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: holds back keys of the editor in it */}
      <div ref={place} className={styles.text} onKeyDown={keepKeys} />
      {inside.map(({ block, message }) => (
        <p key={`${block} ${message}`} className="err">
          <LinkButton onClick={() => go(block)}>{message}</LinkButton>
        </p>
      ))}
    </div>
  )
}

const isChanged = ({ published }: FormState, path: Path, value: unknown): boolean =>
  published !== null && !isSame(value, at(published, path))

interface Command {
  name: string
  keys?: string
  isOn?: boolean
  run: () => unknown
}

function Toolbar({ editor }: { editor: TextEditor }) {
  const [asksLink, setAsksLink] = useState(false)
  const chain = () => editor.chain().focus()
  const level = [2, 3, 4].find((one) => editor.isActive('heading', { level: one })) ?? 0
  const toggle = (name: string, keys: string, node: string, run: () => unknown): Command => ({
    name,
    keys,
    isOn: editor.isActive(node),
    run,
  })
  const marks: Command[] = [
    toggle('Bold', 'Control+B', 'bold', () => chain().toggleBold().run()),
    toggle('Italic', 'Control+I', 'italic', () => chain().toggleItalic().run()),
    toggle('Code', 'Control+E', 'code', () => chain().toggleCode().run()),
    { name: 'Link', isOn: editor.isActive('link'), run: () => setAsksLink((asks) => !asks) },
    toggle('List', 'Control+Shift+8', 'bulletList', () => chain().toggleBulletList().run()),
    toggle('Numbers', 'Control+Shift+7', 'orderedList', () => chain().toggleOrderedList().run()),
    toggle('Quote', 'Control+Shift+B', 'blockquote', () => chain().toggleBlockquote().run()),
  ]
  const after = () => chain().command(leaveBlock)
  const inserts: Command[] = [
    {
      name: 'Table',
      run: () => after().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
    },
    {
      name: 'Picture',
      run: () =>
        after()
          .insertContent({ type: 'figure', attrs: { src: '', alt: '' } })
          .command(({ tr }) => {
            let added = 0
            tr.doc.nodesBetween(0, tr.selection.to, ({ type }, position) => {
              if (type.name === 'figure') added = position
            })
            tr.setSelection(NodeSelection.create(tr.doc, added))
            return true
          })
          .run(),
    },
    {
      name: 'Note',
      run: () =>
        after()
          .insertContent({ type: 'callout', content: [{ type: 'paragraph' }] })
          .run(),
    },
    toggle('Code block', 'Control+Alt+C', 'codeBlock', () => chain().toggleCodeBlock().run()),
  ]
  const moves: Command[] = [
    { name: 'Move up', keys: 'Alt+ArrowUp', run: () => chain().command(moveUp).run() },
    { name: 'Move down', keys: 'Alt+ArrowDown', run: () => chain().command(moveDown).run() },
  ]
  const inTable: Command[] = [
    { name: 'Row below', run: () => chain().addRowAfter().run() },
    { name: 'Column right', run: () => chain().addColumnAfter().run() },
    { name: 'First row as heads', run: () => chain().toggleHeaderRow().run() },
    { name: 'Delete row', run: () => chain().deleteRow().run() },
    { name: 'Delete column', run: () => chain().deleteColumn().run() },
    { name: 'Delete table', run: () => chain().deleteTable().run() },
  ]
  return (
    <div className={styles.tools}>
      <div role="toolbar" aria-label="Form of the text" className={styles.toolbar}>
        <select
          aria-label="Kind of paragraph"
          value={level}
          onChange={({ currentTarget }) => {
            const chosen = Number(currentTarget.value)
            if (chosen === 0) chain().setParagraph().run()
            else
              chain()
                .setHeading({ level: chosen as 2 })
                .run()
          }}
        >
          <option value={0}>Paragraph</option>
          <option value={2}>Heading</option>
          <option value={3}>Heading below it</option>
          <option value={4}>Third heading</option>
        </select>
        <Buttons commands={marks} />
        {editor.isActive('sample') && (
          <Buttons
            commands={[
              {
                name: 'No sample any more',
                run: () => chain().extendMarkRange('sample').unsetMark('sample').run(),
              },
            ]}
          />
        )}
        <span className={styles.gap} />
        <Buttons commands={inserts} />
        <span className={styles.gap} />
        <Buttons commands={moves} />
      </div>
      {asksLink && <LinkForm editor={editor} onDone={() => setAsksLink(false)} />}
      {editor.isActive('table') && (
        <div className={styles.panel}>
          <Attribute editor={editor} node="table" name="caption" label="Caption of the table" />
          <div role="toolbar" aria-label="Table" className={styles.toolbar}>
            <Buttons commands={inTable} />
          </div>
        </div>
      )}
      {editor.isActive('callout') && (
        <div className={styles.panel}>
          <Attribute editor={editor} node="callout" name="title" label="Title of the note" />
          <div className={styles.toolbar}>
            <Buttons
              commands={[{ name: 'Delete note', run: () => chain().deleteNode('callout').run() }]}
            />
          </div>
        </div>
      )}
      {editor.isActive('codeBlock') && (
        <div className={styles.panel}>
          <Field id="code-language" label="Language">
            <select
              id="code-language"
              value={editor.getAttributes('codeBlock').language ?? ''}
              onChange={({ currentTarget }) =>
                editor.commands.updateAttributes('codeBlock', {
                  language: currentTarget.value || null,
                })
              }
            >
              <option value="">None</option>
              <Options values={codeLanguages} />
            </select>
          </Field>
        </div>
      )}
      {isFigure(editor) && (
        <div className={styles.panel}>
          <Picture editor={editor}>
            <Attribute
              editor={editor}
              node="figure"
              name="alt"
              label="What the picture shows, in words"
            />
          </Picture>
          <Attribute editor={editor} node="figure" name="caption" label="Caption" optional />
          <div className={styles.toolbar}>
            <Buttons
              commands={[{ name: 'Delete picture', run: () => chain().deleteSelection().run() }]}
            />
          </div>
        </div>
      )}
    </div>
  )
}

const isFigure = ({ state: { selection } }: TextEditor): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'figure'

const Buttons = ({ commands }: { commands: readonly Command[] }) =>
  commands.map(({ name, keys, isOn, run }) => (
    <button
      key={name}
      type="button"
      aria-pressed={isOn}
      aria-keyshortcuts={keys}
      title={keys && `${name} (${keys.replace('Control', 'Ctrl')})`}
      onClick={run}
    >
      {name}
    </button>
  ))

interface AttributeProps {
  editor: TextEditor
  node: string
  name: string
  label: string
  optional?: boolean
}

/** A field for an attribute of the node at the cursor. */
function Attribute({ editor, node, name, label, optional = false }: AttributeProps) {
  const value = String(editor.getAttributes(node)[name] ?? '')
  return (
    <Field
      id={`${node}-${name}`}
      label={label}
      value={value}
      optional={optional}
      autoComplete="off"
      errors={!optional && value.trim() === '' ? [`${label}: write it before you publish.`] : []}
      onChange={({ currentTarget }) =>
        editor.commands.updateAttributes(node, { [name]: currentTarget.value })
      }
    />
  )
}

function LinkForm({ editor, onDone }: { editor: TextEditor; onDone: () => void }) {
  const [href, setHref] = useState(String(editor.getAttributes('link').href ?? ''))
  const [isWrong, setIsWrong] = useState(false)
  const address = href.trim()
  const set = () => {
    if (!isAddress(address)) return setIsWrong(true)
    const link = { type: 'link', attrs: { href: address } }
    const chain = editor.chain().focus()
    if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: address, marks: [link] }).run()
    else chain.extendMarkRange('link').setLink({ href: address }).run()
    onDone()
  }
  return (
    <div className={styles.panel}>
      <Field
        id="link-address"
        label="Address of the link"
        value={href}
        autoComplete="off"
        errors={
          isWrong
            ? ['A link begins with https://, http://, mailto:, tel: or, on this site, with /.']
            : []
        }
        onChange={({ currentTarget }) => setHref(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          set()
        }}
      />
      <div className={styles.toolbar}>
        <Buttons
          commands={[
            { name: 'Set the link', run: set },
            {
              name: 'Remove the link',
              run: () => {
                editor.chain().focus().extendMarkRange('link').unsetLink().run()
                onDone()
              },
            },
          ]}
        />
      </div>
    </div>
  )
}
