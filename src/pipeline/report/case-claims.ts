// What the answers of a result claim, against what the transcript shows before each of them.
import { asText } from '../../base/text.js'
import type { ResultEvent } from '../../model/event.js'
import { INSTRUCTIONS, type Claim, type RecordEntry } from '../claims/claim.js'
import { claimsOfRecord } from '../claims/claims-in.js'
import { unseenCalls } from '../claims/record-of.js'
import { flatSteps, type Step } from './case-steps.js'

/** By the number of the step that is an answer. Places are those of the answer as text. */
export function caseClaims(event: ResultEvent, steps: readonly Step[]): ReadonlyMap<number, Claim[]> {
  const flat = flatSteps(steps)
  const { changes, session } = event
  const unseen = unseenCalls({ ...event, unreported_hats: session?.unreported_hats })
  const found = claimsOfRecord({
    entries: flat.flatMap(entryOf),
    ...(changes && { files: { changes, present: [], missing: [] } }),
    ...(unseen !== undefined && { unseen }),
  })
  const answers = flat.filter(({ kind }) => kind === 'answer')
  return new Map(answers.map(({ n }, index) => [n, found[index] ?? []]))
}

/** What was said before the case began is given, whoever said it. */
function entryOf(step: Step): RecordEntry[] {
  switch (step.kind) {
    case 'prompt':
      return [{ kind: 'given', from: INSTRUCTIONS, value: step.text }]
    case 'message': {
      const { role, content } = step.message
      const isPrompt = role === 'system' || role === 'developer'
      return [
        {
          kind: 'given',
          from: isPrompt ? INSTRUCTIONS : role === 'user' ? 'the user' : 'what was said before',
          value: asText(content),
        },
      ]
    }
    case 'tool':
      return [{ kind: 'call', call: step.call }]
    case 'answer':
      return [{ kind: 'answer', text: asText(step.output) }]
    case 'attempt':
    case 'turn':
    case 'model':
    case 'hook':
    case 'delegate':
    case 'request':
    case 'span':
    case 'check':
    case 'checkpoint':
      return []
  }
}
