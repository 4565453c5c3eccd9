// The mistakes of an input file: collected, capped, thrown as one.
import type { ErrorCode } from '../../model/error-codes.js'
import { UserError, type Problem } from '../../errors.js'
import { plural } from '../../base/format.js'

const SHOWN = 50

export class ProblemList {
  readonly file: string
  readonly #problems: Problem[] = []
  #count = 0

  constructor(file: string) {
    this.file = file
  }

  get count(): number {
    return this.#count
  }

  add(problem: Problem): void {
    this.#count++
    if (this.#problems.length < SHOWN) this.#problems.push({ file: this.file, ...problem })
  }

  /** Throws what was collected, if anything. */
  check(code: ErrorCode, hint?: string): void {
    if (this.#count === 0) return
    const more = this.#count - this.#problems.length
    const problems = more > 0 ? [...this.#problems, { file: this.file, message: `and ${more} more` }] : this.#problems
    throw new UserError({
      code,
      message: `${this.file} has ${plural(this.#count, 'problem')}; nothing was run`,
      problems,
      ...(hint !== undefined && { hint }),
    })
  }
}
