// The slots of a worker, shared by the runs it serves: a free one goes to the run that has the fewest.

export class SlotShare {
  readonly #total: number
  #taken = 0
  readonly #waiting = new Map<string, Array<() => void>>()
  readonly #has = new Map<string, number>()

  constructor(total: number) {
    this.#total = total
  }

  get busy(): number {
    return this.#taken
  }

  async take(run: string): Promise<void> {
    if (this.#taken < this.#total) return this.#give(run)
    await new Promise<void>((resolve) => {
      const line = this.#waiting.get(run) ?? []
      line.push(resolve)
      this.#waiting.set(run, line)
    })
  }

  free(run: string): void {
    this.#taken -= 1
    const left = (this.#has.get(run) ?? 1) - 1
    if (left === 0) this.#has.delete(run)
    else this.#has.set(run, left)
    const next = this.#next()
    if (next === undefined) return
    this.#give(next.run)
    next.go()
  }

  #give(run: string): void {
    this.#taken += 1
    this.#has.set(run, (this.#has.get(run) ?? 0) + 1)
  }

  #next(): { run: string; go(): void } | undefined {
    const runs = [...this.#waiting.keys()].toSorted((a, b) => (this.#has.get(a) ?? 0) - (this.#has.get(b) ?? 0))
    const [run] = runs
    const line = run === undefined ? undefined : this.#waiting.get(run)
    const go = line?.shift()
    if (run === undefined || !go) return undefined
    // The next free one goes to another run that has equally few.
    this.#waiting.delete(run)
    if (line && line.length > 0) this.#waiting.set(run, line)
    return { run, go }
  }
}
