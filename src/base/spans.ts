// How long something took whose parts ran side by side.

export class Spans {
  #spans: Array<[from: number, to: number]> = []

  /** By how much the whole has become longer. */
  add(from: number, to: number): number {
    const before = this.#length()
    const apart = this.#spans.filter((span) => span[1] < from || span[0] > to)
    const joined = this.#spans.filter((span) => !apart.includes(span))
    apart.push([Math.min(from, ...joined.map((span) => span[0])), Math.max(to, ...joined.map((span) => span[1]))])
    this.#spans = apart
    return this.#length() - before
  }

  #length(): number {
    return this.#spans.reduce((sum, [from, to]) => sum + to - from, 0)
  }
}
