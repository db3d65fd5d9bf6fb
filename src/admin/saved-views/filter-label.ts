import { answerLabels, groupLabels } from '#contract/inbox.ts'
import { longDayOf } from '../format/dates.ts'
import { sortLabels } from '../inbox/list/inbox-url.ts'
import { type KindView, statusView } from '../record/kinds/kind-view.ts'
import { boxLabels, type Filter, periodLabel } from '../record/record.ts'

/** A filter in words: `Pending, assigned to nobody, due first`. */
export const filterLabel = (view: KindView, filter: Filter): string => {
  const { box, status, group, answers, drafts, q, assignee, from, to, sort } = filter
  const topic = filter.position ?? filter.service
  return [
    box && box !== 'inbox' ? boxLabels[box] : '',
    status ? statusView(view, status).label : 'All',
    group ? groupLabels[group].toLowerCase() : '',
    answers ? `${answerLabels[answers]} ${periodLabel(filter)}` : '',
    drafts ? 'with a draft' : '',
    topic ? (view.topics?.labels[topic] ?? topic) : '',
    assignee ? `assigned to ${assignee === 'none' ? 'nobody' : assignee}` : '',
    from ? `from ${longDayOf(from)}` : '',
    to ? `until ${longDayOf(to)}` : '',
    q ? `with “${q}”` : '',
    sort ? sortLabels[sort].toLowerCase() : '',
  ]
    .filter(Boolean)
    .join(', ')
}
