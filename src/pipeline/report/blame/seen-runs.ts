// What other runs of a case say about who failed. Small, however many runs there are: no run is kept.
import { asText, preview } from '../../../base/text.js'
import { textHash } from '../../../base/text-hash.js'
import { assertionLabel } from '../../../model/assertion-label.js'
import type { ResultEvent } from '../../../model/event.js'
import { isJudge } from '../step-words.js'
import { actsOf } from './agent-steps.js'

export interface SeenRuns {
  /** How many runs passed. */
  passed?: number
  /** The acts of a run that passed, in order, as hashes. */
  passing?: string[]
  /** An answer that a judge passed in one run and failed in another. */
  judgedBothWays?: string
  /** An assertion that no run passed, although answers differ and all else holds. */
  neverPassed?: { label: string; runs: number; answers: number }
}

export interface SeenRunsFold {
  add(result: ResultEvent): void
  seen(): SeenRuns
}

/** Fewer runs or answers say nothing about an assertion. */
const ENOUGH_RUNS = 5
const ENOUGH_ANSWERS = 3
const MOST_ANSWERS = 50

export function createSeenRuns(): SeenRunsFold {
  const answers = new Set<string>()
  /** By judge and answer: the verdict that came first. */
  const verdicts = new Map<string, boolean>()
  const passes = new Map<string, number>()
  let runs = 0
  let passed = 0
  let passing: string[] | undefined
  let judgedBothWays: string | undefined

  return {
    add(result) {
      if (result.status === 'skipped' || (result.status === 'failed' && result.error_kind !== 'assertion')) return
      runs += 1
      if (result.status === 'passed') {
        passed += 1
        passing ??= actsOf(result)
      }
      const text = asText(result.output)
      // Judges see the calls, too.
      const answer = textHash(`${text}\n${asText(result.tool_calls)}`)
      if (answers.size < MOST_ANSWERS) answers.add(answer)
      for (const assertion of [...(result.assertions ?? []), ...(result.final_assertions ?? [])]) {
        const label = assertionLabel(assertion)
        passes.set(label, (passes.get(label) ?? 0) + (assertion.passed ? 1 : 0))
        if (isJudge(assertion.type) && assertion.error === undefined && verdicts.size < MOST_ANSWERS) {
          const key = `${textHash(label)} ${answer}`
          if (verdicts.get(key) === !assertion.passed) judgedBothWays ??= preview(text, 300)
          else verdicts.set(key, assertion.passed)
        }
      }
    },
    seen() {
      const never = [...passes].filter(([, count]) => count === 0)
      const [only] = never
      const isAlone =
        only !== undefined &&
        never.length === 1 &&
        passes.size > 1 &&
        [...passes].every(([label, count]) => label === only[0] || count === runs)
      return {
        passed,
        ...(passing && { passing }),
        ...(judgedBothWays !== undefined && { judgedBothWays }),
        ...(isAlone &&
          runs >= ENOUGH_RUNS &&
          answers.size >= ENOUGH_ANSWERS && { neverPassed: { label: only[0], runs, answers: answers.size } }),
      }
    },
  }
}
