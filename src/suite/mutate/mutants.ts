// Every mutant of a conduct, one at a time, without those that are the original again.
import { asText } from '../../base/text.js'
import { canonicalJson } from '../../base/json/canonical-json.js'
import type { AgentReply } from '../../model/agent.js'
import type { Conduct } from '../conduct.js'
import type { Mutant, Operator, Original } from './operator.js'
import { OPERATORS } from './registry.js'

export interface NamedMutant extends Mutant {
  operator: Operator
}

/** `ignored`: names of operators that do no harm to this case. */
export function* mutantsOf(original: Original, ignored: ReadonlySet<string> = new Set()): Generator<NamedMutant> {
  const made = new Set<string>()
  for (const operator of OPERATORS) {
    if (ignored.has(operator.name)) continue
    for (const mutant of operator.mutants(original)) {
      const difference = differenceOf(original.conduct, mutant.conduct)
      if (difference === undefined || made.has(difference)) continue
      made.add(difference)
      yield { ...mutant, operator }
    }
  }
}

/** What is different, as text; undefined if nothing is once spelling is set aside. */
function differenceOf(original: Conduct, changed: Conduct): string | undefined {
  const parts: string[] = []
  const turns = Math.max(original.replies.length, changed.replies.length)
  for (let turn = 0; turn < turns; turn++) {
    const [before, after] = [original.replies[turn], changed.replies[turn]]
    if (before === after) continue
    const now = after ? essenceOf(after) : 'no reply'
    if (!before || essenceOf(before) !== now) parts.push(`${turn} ${now}`)
  }
  if (original.files !== changed.files && canonicalJson(original.files) !== canonicalJson(changed.files))
    parts.push(canonicalJson(changed.files))
  if (original.state !== changed.state && canonicalJson(original.state) !== canonicalJson(changed.state))
    parts.push(canonicalJson(changed.state))
  return parts.length === 0 ? undefined : parts.join('\n')
}

/** White space and Unicode spelling do not make another answer. */
function essenceOf(reply: AgentReply): string {
  const { tool_calls: calls, session, duration_ms, cost_dollars, usage, awaiting_input } = reply
  const said = asText(reply.next ?? reply.content)
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${said}\n${canonicalJson({ calls, events: session?.events, duration_ms, cost_dollars, usage, awaiting_input })}`
}
