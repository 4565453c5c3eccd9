// What cases refer to and must exist: connectors, simulators, judges, scripts. Each is looked up once per file.
import type { Problem } from '../../errors.js'

/** Something that a case names, and the field it is in. */
export interface Reference {
  name: string
  field: string
}

/** What is wrong with the reference; nothing if it exists. */
export type CheckReference = (name: string, field: string) => Problem[] | Promise<Problem[]>

export class References {
  readonly #check: CheckReference | undefined
  readonly #known = new Set<string>()

  constructor(check: CheckReference | undefined) {
    this.#check = check
  }

  /** True if nothing has to be looked up. */
  areKnown(references: Reference[]): boolean {
    if (this.#check === undefined || references.length === 0) return true
    return references.every(({ name }) => this.#known.has(name))
  }

  async problemsOf(references: Reference[]): Promise<Problem[]> {
    const found: Problem[] = []
    for (const { name, field } of this.#check ? references : []) {
      if (this.#known.has(name)) continue
      const problems = (await this.#check?.(name, field)) ?? []
      if (problems.length === 0) this.#known.add(name)
      found.push(...problems)
    }
    return found
  }
}
