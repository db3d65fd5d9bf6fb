import { answerLabels, groupLabels } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { sortLabels } from '../inbox/list/inbox-url.ts'
import { type KindView, statusView } from '../record/kinds/kind-view.ts'
import { boxLabels, type Filter } from '../record/record.ts'

/** A filter in words: `Pending, assigned to nobody, due first`. */
export const filterLabel = (
  view: KindView,
  { box, status, group, answers, days, drafts, q, assignee, from, to, sort, position }: Filter,
): string =>
  [
    box && box !== 'inbox' ? boxLabels[box] : '',
    status ? statusView(view, status).label : 'All',
    group ? groupLabels[group].toLowerCase() : '',
    answers ? `${answerLabels[answers]} in ${days ?? limits.statsDays.default} days` : '',
    drafts ? 'with a draft' : '',
    position ? (view.topics?.[position] ?? position) : '',
    assignee ? `assigned to ${assignee === 'none' ? 'nobody' : assignee}` : '',
    from ? `from ${from}` : '',
    to ? `until ${to}` : '',
    q ? `with “${q}”` : '',
    sort ? sortLabels[sort].toLowerCase() : '',
  ]
    .filter(Boolean)
    .join(', ')
