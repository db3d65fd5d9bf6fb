import type { Ref } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import type { PlaceholderValues } from '#contract/mail/placeholders.ts'
import { Icon } from '../../components/icon.tsx'
import { Key, KeyButton } from '../../components/key.tsx'
import { Menu } from '../../components/menu.tsx'
import { views } from '../kinds/views.ts'
import styles from './composer.module.css'
import { useTemplatesFor } from './templates.ts'

interface Props {
  kind: KindPath
  values: PlaceholderValues
  button: Ref<HTMLButtonElement>
  onInsert: (text: string) => void
  /** Null where there is no text to save. */
  onSave: (() => void) | null
  onEdit: () => void
}

/** Templates and placeholders, to insert at the cursor. */
export function TemplatesMenu({ kind, values, button, onInsert, onSave, onEdit }: Props) {
  const { data: templates, error, refetch } = useTemplatesFor(kind)
  const placeholders = Object.entries(values).filter(([, value]) => value !== '')
  return (
    <Menu
      button={button}
      className={styles.menu}
      label={
        <>
          Templates
          <Key of="t" />
          <Icon name="caret" />
        </>
      }
    >
      {() => (
        <>
          <h3 className="caption">Insert at the cursor</h3>
          {templates?.map(({ _id, name, text }) => (
            <KeyButton key={_id} label={name} onClick={() => onInsert(text)} />
          ))}
          {templates?.length === 0 && <p>No templates for {views[kind].nouns} yet.</p>}
          {error && (
            <KeyButton
              label="The templates could not be loaded. Try again"
              onClick={() => void refetch()}
            />
          )}
          <hr />
          {placeholders.map(([name, value]) => (
            <button key={name} type="button" onClick={() => onInsert(`{${name}}`)}>
              <code>{`{${name}}`}</code>
              <span>{name === 'link' ? 'the link to their page' : value}</span>
            </button>
          ))}
          <hr />
          {onSave && <KeyButton label="Save this text as a template" onClick={onSave} />}
          <KeyButton label="Edit templates" onClick={onEdit} />
        </>
      )}
    </Menu>
  )
}
