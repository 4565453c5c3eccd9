// What became of a case, in a few words and in two icons.
import type { CaseChangeKind, ComparedCase } from '../../../../model/compared-case.js'
import { StatusIcon, words, type Mark } from '../icons.js'

export const CHANGE_WORDS: Record<CaseChangeKind, string> = {
  newly_failing: 'newly failing',
  regressed: 'passes less often',
  newly_passing: 'newly passing',
  improved: 'passes more often',
  status: 'other outcome',
  output: 'other answer',
  input: 'other input',
  only_before: 'only before',
  only_after: 'only after',
  same: 'same',
}

const TONES: Partial<Record<CaseChangeKind, Mark>> = {
  newly_failing: 'failed',
  regressed: 'failed',
  newly_passing: 'passed',
  improved: 'passed',
  same: 'skipped',
}

export function ChangeChip({ change }: { change: CaseChangeKind }) {
  return <span class={`change-chip status-${TONES[change] ?? 'undetermined'}`}>{CHANGE_WORDS[change]}</span>
}

export function BeforeAfter({ before, after }: Pick<ComparedCase, 'before' | 'after'>) {
  const name = (status: Mark | undefined) => (status ? words(status) : 'Not in the run')
  return (
    <span class="before-after" role="img" aria-label={`${name(before)} before, ${name(after).toLowerCase()} after`}>
      {before ? <StatusIcon mark={before} /> : <span class="no-run">–</span>}
      <span class="muted">→</span>
      {after ? <StatusIcon mark={after} /> : <span class="no-run">–</span>}
    </span>
  )
}
