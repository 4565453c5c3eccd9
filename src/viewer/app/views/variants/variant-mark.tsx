// How one variant did on a case: a mark, and its share or its time if there is room.
import { formatDuration } from '../../../../base/duration.js'
import { formatPercent } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { passRate, type Case } from '../../data/cases.js'
import { StatusIcon, words, type Mark } from '../icons.js'

export function VariantMark({ name, member }: { name: string; member: Case | undefined }) {
  const mark = markOf(member)
  return (
    <div class={`mark status-${mark}`}>
      <StatusIcon mark={mark} label={`${visible(name)}: ${words(mark).toLowerCase()}`} />
      <span class="mark-note">{noteOf(member)}</span>
    </div>
  )
}

export function markOf(member: Case | undefined): Mark {
  if (!member) return 'not_run'
  return member.flaky && member.status === 'passed' ? 'flaky' : member.status
}

function noteOf(member: Case | undefined): string {
  if (!member) return 'not run'
  if (member.status === 'skipped' || member.status === 'not_shown') return ''
  return member.results.length > 1 ? formatPercent(passRate(member)) : formatDuration(member.durationMs)
}
