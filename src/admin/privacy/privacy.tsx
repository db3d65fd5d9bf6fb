import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { erasePerson, exportPerson, retentionPreview } from '#contract/privacy/calls.ts'
import { Field } from '#ui/field.tsx'
import { focus } from '../browser/focus.ts'
import { saveFile } from '../browser/save-file.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { Problem, SubmitOrCancel, submitTo } from '../components/form.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { dateOf } from '../format/dates.ts'
import { blind, candidateName } from '../record/blind.ts'
import { Link } from '../router/link.tsx'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { isOff } from '../site.ts'

/** Something done with all that is held on an address; `run` says what it did. */
interface Job {
  run: (address: string) => Promise<string>
  failed: string
}

const download: Job = {
  run: async (address) => {
    const { data } = await ask(exportPerson, { body: { email: address } })
    const json = JSON.stringify(data, null, 2)
    saveFile(new Blob([json], { type: 'application/json' }), 'personal-data.json')
    return `Everything held on ${address} has been downloaded.`
  },
  failed: 'The export failed. Please try again.',
}

const inTemplates = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : ` Templates still hold the address: ${names.join(', ')}. Change them under Edit templates.`

const erase: Job = {
  run: async (address) => {
    const { data, meta } = await ask(erasePerson, { body: { email: address } })
    queryClient.removeQueries({ queryKey: ['records'] })
    void queryClient.invalidateQueries()
    const gone = Object.entries(data).filter(([, count]) => count > 0)
    const said =
      gone.length === 0
        ? `Nothing was held on ${address}.`
        : `Erased for ${address}: ${gone.map(([name, count]) => `${name} ${count}`).join(', ')}.`
    return said + inTemplates(meta.templates)
  },
  failed: 'Some of the data may not be erased yet. Please try again.',
}

export function Privacy() {
  const [email, setEmail] = useState('')
  const [asking, setAsking] = useState(false)
  const address = email.trim()
  const job = useMutation({
    mutationFn: ({ run, of }: Job & { of: string }) => run(of),
    onSuccess: (_said, { run, of }) => {
      // The next address may have been typed meanwhile.
      if (run === erase.run) setEmail((typed) => (typed.trim() === of ? '' : typed))
    },
  })
  const isClosed = job.isPending || !address

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
          <Problem error={job.error} failed={job.variables?.failed ?? ''} />
          {job.data && (
            <p key={job.submittedAt} ref={focus} tabIndex={-1} className={table.good} role="status">
              {job.data}
            </p>
          )}
          <form
            noValidate
            onSubmit={submitTo(() => {
              if (address) job.mutate({ ...download, of: address })
            })}
          >
            <div className="form-grid">
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
              <Button type="submit" look="line" disabled={isClosed}>
                Download everything
              </Button>
              <Button look="line danger" disabled={isClosed} onClick={() => setAsking(true)}>
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
            job.mutate({ ...erase, of: address })
          }}
        />
      )}
    </>
  )
}

interface Props {
  address: string
  onConfirm: () => void
  onClose: () => void
}

/** Erasing cannot be undone, so the address is typed a second time. */
function ConfirmErasure({ address, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const isSame = typed.trim().toLowerCase() === address.toLowerCase()
  return (
    <Dialog title="Erase everything" onClose={onClose} alert>
      <form
        onSubmit={submitTo(() => {
          if (isSame) onConfirm()
        })}
      >
        <p className={panel.say}>
          This removes every trace of <b>{address}</b> and cannot be undone. Type the address again
          to confirm.
        </p>
        <div className="form-grid">
          <Field
            id="typed-email"
            label="Email, once more"
            type="email"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <SubmitOrCancel look="line danger" disabled={!isSame} onCancel={onClose}>
          Erase for good
        </SubmitOrCancel>
      </form>
    </Dialog>
  )
}

function Expiring() {
  const query = useQuery(dataQuery(['retention'], retentionPreview, { query: blind }))
  const { data } = query
  return (
    <section className={panel.panel} aria-labelledby="expiring">
      <h2 id="expiring">Erased within a week</h2>
      <p className={panel.say}>
        By the retention rules of the privacy policy. Open a record to keep it.
      </p>
      <LoadProblem query={query} failed="Failed to load." />
      {data?.length === 0 && (
        <Empty text="No record is due">
          <a href="/privacy-policy#how-long-we-keep-it">See how long each kind is kept</a>
        </Empty>
      )}
      <Table
        columns={[
          [
            'Record',
            ({ kind, _id, name, candidate }) => {
              const shown = <bdi>{candidate === undefined ? name : candidateName(candidate)}</bdi>
              if (isOff(kind)) return shown
              return (
                <Link to={`/admin/${kind}`} search={{ id: _id }}>
                  {shown}
                </Link>
              )
            },
          ],
          ['Erased on', ({ expiresAt }) => <When at={expiresAt} as={dateOf} />],
        ]}
        rows={data ?? []}
      />
    </section>
  )
}
