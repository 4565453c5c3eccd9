// What one variant answered, in the table: the words that differ from the baseline's are marked.
import { useMemo, useState } from 'preact/hooks'
import { visible } from '../../../../base/hidden.js'
import type { Case } from '../../data/cases.js'
import { wordDiff } from '../../text/word-diff.js'
import { PieceList } from '../detail/sides.js'
import { pickRun } from '../detail/use-detail.js'
import { Text } from '../text.js'
import { VariantMark } from './variant-mark.js'
import { WholeAnswer } from './whole-answer.js'

interface Props {
  name: string
  member: Case | undefined
  /** Undefined in the column of the baseline. */
  baseline: Case | undefined
}

/** What four lines of a narrow column hold for sure; the list itself has only the beginning of a long answer. */
const FITS = 100

export function AnswerCell({ name, member, baseline }: Props) {
  const [isWhole, setWhole] = useState(false)
  const answer = answerOf(member)
  const expected = answerOf(baseline)
  const pieces = useMemo(
    () => (expected && answer && expected !== answer ? wordDiff(expected, answer)?.after : undefined),
    [expected, answer],
  )
  return (
    <div role="gridcell" class="answer-cell">
      <span class="answer-cell-top">
        <VariantMark name={name} member={member} />
        <bdi class="answer-cell-name muted">{visible(name)}</bdi>
        {member && answer.length > FITS && (
          <button
            type="button"
            class="link answer-cell-more no-print"
            onClick={(click) => {
              click.stopPropagation()
              setWhole(true)
            }}
          >
            Show all<span class="sr-only"> of the answer of {visible(name)}</span>
          </button>
        )}
      </span>
      {member && isWhole && <WholeAnswer name={name} member={member} onClose={() => setWhole(false)} />}
      {member?.status === 'failed' && (
        <span class="answer-cell-error wrong">
          <bdi>{visible(member.error)}</bdi>
        </span>
      )}
      <div class="answer-cell-text side-after">
        {baseline && answer !== '' && answer === expected ? (
          <span class="muted">as the baseline</span>
        ) : pieces ? (
          <PieceList pieces={pieces} mono={false} />
        ) : (
          <Text value={answer} />
        )}
      </div>
    </div>
  )
}

function answerOf(member: Case | undefined): string {
  return (member && pickRun(member, undefined)?.output) ?? ''
}
