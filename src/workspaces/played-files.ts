// Which of an agent's files a recording has not kept: whether they were there, and what was in them, is unknown.
import { partsOf } from '../base/relative-path.js'
import { UserError } from '../errors.js'
import type { WrittenFiles } from '../model/workspace.js'

export class PlayedFiles {
  readonly #never: ReadonlySet<string>
  readonly #lacking = new Set<string>()
  #isPlayed = false

  /** `never`: folders that are never recorded. */
  constructor(never: ReadonlySet<string>) {
    this.#never = never
  }

  add(files: WrittenFiles, leftOut: readonly string[]): void {
    this.#isPlayed = true
    for (const path of Object.keys(files)) this.#lacking.delete(path)
    for (const path of leftOut) this.#lacking.add(path)
  }

  /** Undefined: nothing was played back, so nothing is missing. */
  lacking(): string[] | undefined {
    return this.#isPlayed ? [...this.#lacking] : undefined
  }

  /** Why nothing can be said about the file; undefined if the recording has it, or it was never written. */
  lacks(path: string): string | undefined {
    const parts = partsOf(path)
    const isOut =
      parts.some((_part, index) => this.#lacking.has(parts.slice(0, index + 1).join('/'))) ||
      (this.#isPlayed && parts.some((part) => this.#never.has(part)))
    return isOut ? `${path} is not in the recording: only small text files are` : undefined
  }

  requireAll(): void {
    const [first] = this.#lacking
    if (first === undefined) return
    throw new UserError({
      code: 'FILES_NOT_RECORDED',
      message: `${first} is not in the recording: only small text files are`,
      hint: 'compare all files in a run that is not played back',
    })
  }
}
