import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { act, correctEmail } from '../../changes/edits.ts'
import { CheckedForm } from '../../components/checked-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SubmitOrCancel, textIn } from '../../components/form.tsx'
import type { OpenRecord } from '../kinds/kind-view.ts'

interface Props extends OpenRecord {
  onClose: () => void
}

/** The address of a sender, where mail to it came back. */
export function CorrectAddress({ view, record, onClose }: Props) {
  return (
    <Dialog title="Correct the address" onClose={onClose}>
      <CheckedForm
        onSend={(form) => {
          const email = textIn(form, 'email')
          onClose()
          if (email !== record.email) act(view, record, correctEmail(email))
        }}
      >
        <div className="form-grid">
          <Field
            name="email"
            type="email"
            label="E-mail address"
            hint="Messages that bounced can be sent again afterwards."
            maxLength={limits.email}
            defaultValue={record.email}
            autoComplete="off"
          />
        </div>
        <SubmitOrCancel onCancel={onClose}>Save the address</SubmitOrCancel>
      </CheckedForm>
    </Dialog>
  )
}
