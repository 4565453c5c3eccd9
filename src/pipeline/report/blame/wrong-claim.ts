// The first thing an agent says that its calls, their results or what it was given do not bear out.
// Loaded where it is used: finding claims takes more code than all rules of blame.
import { asText, clip } from '../../../base/text.js'
import type { ResultEvent } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'
import { messagesOf } from '../../../model/spoken.js'
import type { Claim, RecordEntry } from '../../claims/claim.js'
import { claimsOfRecord } from '../../claims/claims-in.js'
import type { WrongClaim } from './context.js'

export function wrongClaim(result: ResultEvent): WrongClaim | undefined {
  const turns = (result.turns ?? []).filter(({ output }) => output !== undefined && output !== null)
  const isTalk = result.turns !== undefined && result.turns.length > 0
  if ((isTalk ? turns.length === 0 : asText(result.output) === '') || result.tool_evidence !== undefined)
    return undefined
  // Reading the claims of a whole log or document takes seconds, and people wait for an explanation.
  if (asText(result.tool_calls).length > MOST_READ) return undefined
  const entries = isTalk
    ? turns.flatMap(({ input, tool_calls, output }) => exchange(input, tool_calls, output))
    : exchange(result.input, result.tool_calls, result.output)
  for (const [at, claims] of claimsOfRecord({ entries }).entries()) {
    const claim = claims.find(isWrong)
    if (claim === undefined) continue
    const turn = isTalk ? turns[at]?.turn : undefined
    const { text, verdict, evidence } = claim
    return {
      text,
      isContradicted: verdict === 'contradicted',
      ...(evidence !== undefined && { evidence }),
      ...(turn !== undefined && { turn }),
    }
  }
  return undefined
}

/** Its instructions are not in a result, and may back a fact that nothing else shows; no instruction makes a call. */
function isWrong({ verdict, kind, unseen }: Claim): boolean {
  return unseen === undefined && (verdict === 'contradicted' || (verdict === 'unbacked' && kind === 'action'))
}

/** What follows in a longer answer is rarely what it was asked for. */
const LONGEST_ANSWER = 10_000
const MOST_READ = 30_000

function exchange(input: unknown, calls: ToolCall[] = [], output: unknown): RecordEntry[] {
  return [
    ...messagesOf(input).map(({ content }): RecordEntry => ({
      kind: 'given',
      from: 'the user',
      value: asText(content),
    })),
    ...calls.map((call): RecordEntry => ({ kind: 'call', call })),
    { kind: 'answer', text: clip(asText(output), LONGEST_ANSWER) },
  ]
}
