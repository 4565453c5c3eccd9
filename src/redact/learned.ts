// Secrets that a name or a format gives away in one place, to be hidden in the places where nothing does.
import { CUT_MARK, hideCut } from './cut-values.js'

export class Learned {
  readonly #values = new Set<string>()

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  readonly add = (secret: string): void => {
    const value = secret.trim()
    if (this.#values.size < MOST && isTelling(value)) this.#values.add(value)
  }

  hide(text: string): string {
    let result = text
    for (const value of [...this.#values].toSorted((a, b) => b.length - a.length)) {
      for (const spelling of [value, JSON.stringify(value).slice(1, -1)])
        if (result.includes(spelling)) result = result.replaceAll(spelling, '[SECRET]')
    }
    return result.includes(CUT_MARK) ? hideCut(result, [...this.#values]) : result
  }
}

/** An event with more than this is a list of secrets, each hidden in its own place. */
const MOST = 100

/** A word or a number may mean something else elsewhere, and hiding it there would hide evidence. */
function isTelling(value: string): boolean {
  if (value.length < 8 || value.length > 4096 || /\[[A-Z_]+\]/.test(value)) return false
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value)
}
