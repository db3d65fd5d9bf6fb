import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { PlaceholderValues } from '#contract/mail/placeholders.ts'
import type { Template } from '#contract/mail/templates.ts'
import { Field } from '#ui/field.tsx'
import { Button, Close, LinkButton } from '../../components/button.tsx'
import { CheckedForm } from '../../components/checked-form.tsx'
import { Conflict, storedIn } from '../../components/conflict.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import {
  focusFirst,
  NameField,
  Options,
  Problem,
  SubmitOrCancel,
  sendByKey,
  textIn,
} from '../../components/form.tsx'
import { shownKinds, site } from '../../site.ts'
import { views } from '../kinds/views.ts'
import { TemplatePreview } from './mail-preview.tsx'
import {
  type TemplateDraft,
  templatesQuery,
  useRemoveTemplate,
  useSaveTemplate,
} from './templates.ts'
import styles from './templates-dialog.module.css'

/** Shown in a preview where no record is open. */
const sample: PlaceholderValues = {
  name: 'Ada Sample',
  service: site.services[0]?.label ?? '',
  position: site.positions[0]?.label ?? '',
  link: '{link}',
}

/** The templates: change and delete them, write new ones. Opens with a text that is to be saved. */
export function TemplatesDialog({
  kind = null,
  text = '',
  values = sample,
  onClose,
}: {
  /** Chosen for a new one. */
  kind?: KindPath | null
  text?: string
  /** For the preview. */
  values?: PlaceholderValues
  onClose: () => void
}) {
  const { data: templates, error } = useQuery(templatesQuery)
  const [edited, setEdited] = useState<TemplateDraft | null>(text ? { name: '', text, kind } : null)
  return (
    <Dialog
      title="Templates"
      onClose={onClose}
      foot={
        !edited && (
          <>
            <Button onClick={() => setEdited({ name: '', text: '', kind })}>New template</Button>
            <Close onClick={onClose} />
          </>
        )
      }
    >
      {edited ? (
        <TemplateForm
          key={edited.id}
          template={edited}
          values={values}
          onClose={() => setEdited(null)}
        />
      ) : (
        <>
          <Problem error={error} failed="The templates could not be loaded." />
          {templates?.length === 0 && <p>No templates yet.</p>}
          <ul className={styles.list}>
            {templates?.map((template) => (
              <Row
                key={template._id}
                template={template}
                onEdit={() => setEdited({ ...template, id: template._id })}
              />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

const kindTitle = (kind: KindPath | null | undefined) => (kind ? views[kind].title : 'All kinds')

function Row({ template, onEdit }: { template: Template; onEdit: () => void }) {
  const { name, kind, text, _id } = template
  const remove = useRemoveTemplate()
  const [asks, setAsks] = useState(false)
  return (
    <li>
      <p>
        <b>{name}</b> <span className="secondary">{kindTitle(kind)}</span>
      </p>
      <p className={`soft ${styles.excerpt}`}>{text}</p>
      <Problem error={remove.error} failed="The template was not deleted." />
      <LinkButton on={name} onClick={onEdit}>
        Edit
      </LinkButton>{' '}
      <LinkButton on={name} busy={remove.isPending} onClick={() => setAsks(true)}>
        Delete
      </LinkButton>
      {asks && (
        <Confirm
          title="Delete template"
          question={`Delete “${name}” for all staff?`}
          action="Delete"
          onConfirm={() => remove.mutate(_id)}
          onClose={() => setAsks(false)}
        />
      )}
    </li>
  )
}

interface TemplateFormProps {
  template: TemplateDraft
  values: PlaceholderValues
  onClose: () => void
}

function TemplateForm({ template, values, onClose }: TemplateFormProps) {
  const id = useId()
  const save = useSaveTemplate()
  const [text, setText] = useState(template.text)
  const wanted = save.variables
  const stored = storedIn<Template>(save.error)
  return (
    <CheckedForm
      ref={focusFirst}
      error={stored ? null : save.error}
      failed="The template was not saved. Please try again."
      onSend={(form) => {
        const kind = shownKinds.find((path) => path === textIn(form, 'kind')) ?? null
        const { id: edited, version } = template
        save.mutate(
          {
            ...(edited ? { id: edited, version } : {}),
            name: textIn(form, 'name'),
            text: textIn(form, 'text'),
            kind,
          },
          { onSuccess: onClose },
        )
      }}
    >
      <div className="form-grid">
        <NameField maxLength={limits.templateName} defaultValue={template.name} />
        <Field
          name="text"
          label="Text"
          hint="{name}, {service}, {position} and {link} are filled in for each person."
          long
          rows={7}
          maxLength={limits.staffMessage}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={sendByKey}
        />
        <Field id={`${id}-kind`} label="For">
          <select id={`${id}-kind`} name="kind" defaultValue={template.kind ?? ''}>
            <option value="">All kinds</option>
            <Options values={shownKinds.map((path) => [path, views[path].title])} />
          </select>
        </Field>
      </div>
      <TemplatePreview text={text} name={values.name} values={values} />
      <SubmitOrCancel busy={save.isPending && 'Saving...'} onCancel={onClose}>
        Save template
      </SubmitOrCancel>
      {wanted && stored && (
        <Conflict
          name={stored.name}
          sides={[
            ['Name', stored.name, wanted.name],
            ['Text', stored.text, wanted.text],
            ['For', kindTitle(stored.kind), kindTitle(wanted.kind)],
          ]}
          onKeep={onClose}
          onSave={() => save.mutate({ ...wanted, version: stored.version }, { onSuccess: onClose })}
          onClose={save.reset}
        />
      )}
    </CheckedForm>
  )
}
