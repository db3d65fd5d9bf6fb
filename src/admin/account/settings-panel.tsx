import { useState } from 'react'
import type { Settings } from '#contract/accounts/settings.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import styles from '../components/choice.module.css'
import { Choice } from '../components/choice.tsx'
import { submitTo, textIn } from '../components/form.tsx'
import panel from '../components/panel.module.css'
import { useMay } from '../session/profile.ts'
import { sentenceOf } from '../session/session.ts'
import { saveSettings } from '../session/settings-query.ts'
import { notify } from '../shell/notices.tsx'
import { openOverlay } from '../shell/overlay.ts'
import { useShortcutsAreOn } from '../shell/shortcuts.tsx'

/** Personal settings; each is saved as it is chosen. */
export function SettingsPanel({ settings }: { settings: Settings }) {
  // A choice shows in its own event; the cache tells its readers only after that.
  const [pending, setPending] = useState<Partial<Settings>>({})
  /** The texts as they stood in the form: one that was changed elsewhere alone is not sent. */
  const [begun, setBegun] = useState(settings)
  const maySendMail = useMay('records.change')
  const areOnHere = useShortcutsAreOn()

  const save = async (given: Partial<Settings>) => {
    setPending((now) => ({ ...now, ...given }))
    let isSaved = false
    try {
      await saveSettings(given)
      isSaved = true
      notify({ text: 'Saved.' })
    } catch (error) {
      notify({ text: sentenceOf(error, 'That was not saved. Please try again.'), tone: 'bad' })
    }
    const isOwn = (name: string, value: unknown) => given[name as keyof Settings] === value
    setPending((now) =>
      Object.fromEntries(Object.entries(now).filter(([name, value]) => !isOwn(name, value))),
    )
    return isSaved
  }

  const saveTexts = async (given: Partial<Settings>) => {
    const changed = Object.entries(given).filter(
      ([name, value]) => begun[name as keyof Settings] !== value,
    )
    if (await save(Object.fromEntries(changed))) setBegun((before) => ({ ...before, ...given }))
  }

  const { digest, density, shortcuts } = { ...settings, ...pending }
  return (
    <section className={panel.panel} aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <p className={panel.say}>They apply on every device that you sign in on.</p>
      {maySendMail && (
        <form
          noValidate
          onSubmit={submitTo(
            (form) =>
              void saveTexts({
                displayName: textIn(form, 'displayName') || null,
                signature: textIn(form, 'signature'),
              }),
          )}
        >
          <div className="form-grid">
            <Field
              id="displayName"
              name="displayName"
              label="Your name in mail"
              hint="Senders read it on their page and as who writes. Without it the mail is from the brand alone."
              optional
              maxLength={limits.displayName}
              defaultValue={settings.displayName ?? ''}
              autoComplete="name"
            />
            <Field
              id="signature"
              name="signature"
              label="Signature"
              hint="Below each of your messages."
              optional
              long
              rows={3}
              maxLength={limits.signature}
              defaultValue={settings.signature}
            />
          </div>
          <div className={panel.actions}>
            <Button type="submit" look="line">
              Save name and signature
            </Button>
          </div>
        </form>
      )}
      <Choice
        label="A mail each morning"
        says="What is owed, what came and what failed. No mail when there is nothing to say."
        checked={digest === 'daily'}
        onChange={(event) => void save({ digest: event.target.checked ? 'daily' : 'off' })}
      />
      <Choice
        label="Single-key shortcuts"
        says="Such as j for the next record; ? lists them."
        checked={shortcuts}
        onChange={(event) => void save({ shortcuts: event.target.checked })}
      />
      {shortcuts && !areOnHere && (
        <p className={panel.say}>
          They are off on this device.{' '}
          <LinkButton onClick={() => openOverlay('keys')}>Switch them on here</LinkButton>
        </p>
      )}
      <fieldset className={styles.choices}>
        <legend>Rows in lists</legend>
        {(['compact', 'comfortable'] as const).map((value) => (
          <Choice
            key={value}
            type="radio"
            name="density"
            label={value === 'compact' ? 'Compact' : 'Comfortable'}
            checked={density === value}
            onChange={() => void save({ density: value })}
          />
        ))}
      </fieldset>
    </section>
  )
}
