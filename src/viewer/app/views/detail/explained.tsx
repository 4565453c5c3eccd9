// What `viva explain` says about a case that did not pass: who most likely failed, the cause, and what to try.
import type { ResultEvent } from '../../../../model/event.js'
import { isNotShown } from '../../../../model/status.js'
import { blameLines } from '../../../../pipeline/report/blame/blame-text.js'
import { explainResult } from '../../../../pipeline/report/explain/explain.js'
import { explanationText } from '../../../../pipeline/report/explain/explain-text.js'
import type { Explanation } from '../../../../pipeline/report/explain/explanation.js'
import { LongText, Text } from '../text.js'

export function Explained({ event }: { event: ResultEvent }) {
  if (event.status !== 'failed' && !isNotShown(event)) return null
  const explanation = explainResult(event)
  return (
    <section class="explained" aria-label="Explanation">
      <dl>
        {linesOf(explanation).map(([label, text], index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>
              <Text value={text} />
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>As viva explain prints it</summary>
        <LongText value={explanationText(explanation)} mono />
      </details>
    </section>
  )
}

function linesOf(explanation: Explanation): Array<[label: string, text: string]> {
  const { cause, certainty } = explanation
  const isKnown = cause !== undefined && certainty !== 'cannot tell'
  return [
    ...(isKnown ? [['cause', `${cause} (${certainty})`] satisfies [string, string]] : []),
    ...blameLines(explanation),
    ...explanation.try.map((text): [string, string] => ['try', text]),
  ]
}
