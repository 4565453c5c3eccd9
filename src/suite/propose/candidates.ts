// Assertions that good runs suggest. They are only suggestions: each is checked against the runs before anyone sees it.
import { asText } from '../../base/text.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { Conduct } from '../conduct.js'
import { answerCandidates } from './from-answers.js'
import { callCandidates, type Tools } from './from-calls.js'
import { workCandidates } from './from-work.js'

/** `turn`: what is proposed for one turn alone; absent: for the end of the case. */
export function candidatesFor(goods: readonly Conduct[], tools: Tools, turn?: number): AssertionSpec[] {
  if (turn !== undefined)
    return answerCandidates(goods.map(({ replies }) => replies[turn]?.next ?? replies[turn]?.content))
  return [
    ...callCandidates(
      goods.map(({ replies }) => replies.flatMap(({ tool_calls }) => tool_calls)),
      tools,
    ),
    ...answerCandidates(
      goods.map(({ replies }) => replies.at(-1)?.next ?? replies.at(-1)?.content),
      goods.some(({ replies }) => replies.some(({ tool_calls }) => tool_calls.length > 0)),
    ),
    ...workCandidates(goods),
  ]
}

/** The assertion as people write it down, on one line. */
export function written(spec: AssertionSpec): string {
  return asText(spec)
}
