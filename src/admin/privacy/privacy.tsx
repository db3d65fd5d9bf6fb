import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { erasePerson, exportPerson, retentionPreview } from '#contract/privacy.ts'
import { Field } from '#ui/field.tsx'
import { Button } from '../components/button.tsx'
import { dateOf } from '../components/dates.ts'
import { Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'

/** What is held on a person: to hand it over, or to erase it. */
export function Privacy() {
  const [email, setEmail] = useState('')
  const [said, setSaid] = useState<{ text: string; isBad: boolean } | null>(null)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const answer = useRef<HTMLParagraphElement>(null)
  const address = email.trim()

  useEffect(() => {
    if (said) answer.current?.focus()
  }, [said])

  const attempt = async (work: () => Promise<string>, failure: string) => {
    setBusy(true)
    setSaid(null)
    try {
      setSaid({ text: await work(), isBad: false })
    } catch (error) {
      setSaid({ text: sentenceOf(error, failure), isBad: true })
    } finally {
      setBusy(false)
    }
  }

  const download = () =>
    attempt(async () => {
      const { data } = await ask(exportPerson, { body: { email: address } })
      const file = URL.createObjectURL(
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
      )
      const link = document.createElement('a')
      link.href = file
      link.download = 'personal-data.json'
      link.click()
      setTimeout(() => URL.revokeObjectURL(file), 60_000)
      return `Everything held on ${address} has been downloaded.`
    }, 'The export failed. Please try again.')

  const erase = () =>
    attempt(async () => {
      const { data } = await ask(erasePerson, { body: { email: address } })
      queryClient.removeQueries({ queryKey: ['records'] })
      const gone = Object.entries(data).filter(([, count]) => count > 0)
      setEmail('')
      return gone.length === 0
        ? `Nothing was held on ${address}.`
        : `Erased for ${address}: ${gone.map(([name, count]) => `${name} ${count}`).join(', ')}.`
    }, 'Nothing was erased. Please try again.')

  return (
    <>
      <h1>Personal data</h1>
      <div className={panel.panels}>
        <section className={panel.panel} aria-labelledby="person">
          <h2 id="person">One person</h2>
          <p className={panel.say}>
            Everything held on an e-mail address, in every table, the trash and the mail. Staff
            accounts are not touched.
          </p>
          {said && (
            <p
              ref={answer}
              tabIndex={-1}
              className={said.isBad ? table.problem : table.good}
              role={said.isBad ? 'alert' : 'status'}
            >
              {said.text}
            </p>
          )}
          <form
            noValidate
            onSubmit={(event: FormEvent) => {
              event.preventDefault()
              if (address) void download()
            }}
          >
            <div className="plan">
              <Field
                id="person-email"
                label="Email"
                type="email"
                autoComplete="off"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            </div>
            <div className={panel.actions}>
              <Button type="submit" look="line" disabled={busy || !address}>
                Download everything
              </Button>
              <Button
                look="line danger"
                disabled={busy || !address}
                onClick={() => setAsking(true)}
              >
                Erase everything
              </Button>
            </div>
          </form>
        </section>
        <Expiring />
      </div>
      {asking && (
        <ConfirmErasure
          address={address}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void erase()
          }}
        />
      )}
    </>
  )
}

/** Erasing cannot be undone, so the address is typed a second time. */
function ConfirmErasure({
  address,
  onConfirm,
  onClose,
}: {
  address: string
  onConfirm: () => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const isSame = typed.trim().toLowerCase() === address.toLowerCase()
  return (
    <Dialog title="Erase everything" onClose={onClose} alert>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSame) onConfirm()
        }}
      >
        <p className={panel.say}>
          This removes every trace of <b>{address}</b> and cannot be undone. Type the address again
          to confirm.
        </p>
        <div className="plan">
          <Field
            id="typed-email"
            label="Email, once more"
            type="email"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <div className={panel.actions}>
          <Button type="submit" look="line danger" disabled={!isSame}>
            Erase for good
          </Button>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the retention rules will erase within a week. */
function Expiring() {
  const { data, error } = useQuery({
    queryKey: ['retention'],
    queryFn: async ({ signal }) => (await ask(retentionPreview, {}, { signal })).data,
  })
  return (
    <section className={panel.panel} aria-labelledby="expiring">
      <h2 id="expiring">Erased within a week</h2>
      <p className={panel.say}>
        By the retention rules of the privacy policy. Open a record to keep it.
      </p>
      {error && !data && <p className={table.problem}>{sentenceOf(error, 'Failed to load.')}</p>}
      {data?.length === 0 && (
        <Empty text="No record is due">
          <a href="/privacy-policy#how-long-we-keep-it">See how long each kind is kept</a>
        </Empty>
      )}
      {data && data.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Erased on</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ kind, _id, name, expiresAt }) => (
              <tr key={_id}>
                <th scope="row">
                  <Link to={`/admin/${kind}`} search={{ id: _id }}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td data-label="Erased on">
                  <When at={expiresAt} as={dateOf} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
