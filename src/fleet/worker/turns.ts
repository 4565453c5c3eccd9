// One after the other, in the order in which they came.

export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with a function that ends it. */
  async take(): Promise<() => void> {
    let end = (): void => {}
    const before = this.#last
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }
}
