import { Fragment, type ReactNode } from 'react'
import buttons from '../components/button.module.css'
import { When } from '../components/when.tsx'
import { calendarDayOf, dateTimeOf } from '../format/dates.ts'
import type { Fact, OpenRecord } from './kinds/kind-view.ts'
import styles from './record.module.css'
import { mailDraft, phoneLink, webLink } from './safe-links.ts'

interface Props extends OpenRecord {
  className?: string | undefined
  /** Leaves out empty facts. */
  isBrief?: boolean
  children?: ReactNode
}

/** The facts of a record and its assignee. `children`: the field to assign it with. */
export function Facts({ view, record, className = '', isBrief = false, children }: Props) {
  const subject = view.mail.subject(record)
  return (
    <dl className={`${styles.facts} ${className}`}>
      {view
        .facts(record)
        .filter(({ value }) => value || !isBrief)
        .map((fact) => (
          <div key={fact.term}>
            <dt className="caption">{fact.term}</dt>
            <dd>
              <FactValue fact={fact} subject={subject} />
            </dd>
          </div>
        ))}
      <div>
        <dt className="caption">
          {children ? <label htmlFor="assignee">Assigned to</label> : 'Assigned to'}
        </dt>
        <dd>{children || (record.assignee ?? 'Nobody')}</dd>
      </div>
    </dl>
  )
}

function FactValue({ fact, subject }: { fact: Fact; subject: string }) {
  const { value, as } = fact
  if (value === null || value === '') return <>N/A</>
  switch (as) {
    case 'email':
      return (
        <a href={mailDraft(value, subject)}>
          <Breakable address={value} />
        </a>
      )
    case 'phone':
      return <a href={phoneLink(value)}>{value}</a>
    case 'link':
      return <WebAddress address={value} />
    case 'file':
      return <WebAddress address={value} action="Open" />
    case 'day':
      return <time dateTime={value}>{calendarDayOf(value, new Date())}</time>
    case 'moment':
      return <When at={value} />
    case 'instant':
      return <When at={value} as={dateTimeOf} />
    default:
      return <bdi>{value}</bdi>
  }
}

/** A long address breaks behind its `@` or before a dot rather than within a word. */
function Breakable({ address }: { address: string }) {
  const [first = '', ...rest] = address.split(/(?<=@)|(?=\.)/)
  return (
    <>
      {first}
      {rest.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address, in its order
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

/** A stranger's link: only to the web, in a tab that knows nothing of this one, with its real host in sight. */
function WebAddress({ address, action }: { address: string; action?: string }) {
  const link = webLink(address)
  if (!link) return <>{address}</>
  const rest = link.href.slice(link.href.indexOf(link.host) + link.host.length)
  return (
    <span className={styles.address}>
      <a
        className={action ? buttons.link : undefined}
        href={link.href}
        target="_blank"
        rel="noopener noreferrer"
        title={link.href}
      >
        {action ?? <b>{link.host}</b>}
        <span className="visually-hidden">
          {action ? ` the file on ${link.host}` : ''}, in a new tab
        </span>
      </a>
      <span className={styles.rest}>{action ? link.host : rest === '/' ? '' : rest}</span>
    </span>
  )
}
