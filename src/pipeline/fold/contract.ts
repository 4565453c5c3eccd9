// Folds the cases of an MCP server's contract: what it lists, what of that was used, and what was found.
import { contractIn } from '../../model/contract-text.js'
import type { ContractSummary, ResultEvent } from '../../model/event.js'
import type { Message } from '../../model/message.js'

type Listed = ContractSummary['listed'][number]

export class ContractFold {
  readonly #listed = new Map<Listed['kind'], Listed>()
  #findings = 0
  #hints = 0
  #isUsed = false

  /** Repeats try the same things again: the first one is counted. */
  add(result: ResultEvent): void {
    const part = result.run === 1 ? contractIn(result.input as Message | undefined) : undefined
    if (!part) return
    this.#isUsed = true
    for (const { type, passed, message, not_evaluated } of result.assertions ?? []) {
      if (type !== 'contract' || not_evaluated) continue
      if (!passed) this.#findings++
      else if (message !== undefined) this.#hints++
    }
    const { subject } = part
    if ('item' in subject) this.#count(subject.kind, isExercised(result))
  }

  /** Undefined if no contract was tried. */
  summary(): ContractSummary | undefined {
    if (!this.#isUsed) return undefined
    return { listed: [...this.#listed.values()], findings: this.#findings, hints: this.#hints }
  }

  #count(kind: Listed['kind'], isUsed: boolean): void {
    const { listed, exercised } = this.#listed.get(kind) ?? { listed: 0, exercised: 0 }
    this.#listed.set(kind, { kind, listed: listed + 1, exercised: exercised + (isUsed ? 1 : 0) })
  }
}

/** Two rules say so, whatever else was found. */
function isExercised({ assertions = [] }: ResultEvent): boolean {
  const holds = (rule: string): boolean =>
    assertions.some(
      ({ type, params, passed, not_evaluated }) =>
        type === 'contract' && params?.['rule'] === rule && passed && not_evaluated !== true,
    )
  return holds('starts') && holds('exercised')
}
