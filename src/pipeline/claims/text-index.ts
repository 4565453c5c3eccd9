// A text in which many names are looked for.

export class TextIndex {
  readonly text: string
  /** The words of the text, each with where it stands first. Made when first asked. */
  private firsts: ReadonlyMap<string, number> | undefined
  private readonly known = new Map<string, boolean>()

  constructor(text: string) {
    this.text = squashed(text)
  }

  /** As words of its own; a tail may also stand at the end of one. */
  has(name: string, isTail = false): boolean {
    const key = `${isTail ? '…' : ''}${name}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    const wanted = squashed(name)
    const from = isTail ? 0 : this.earliest(wanted)
    const found = from !== undefined && occurs(wanted, this.text, from, isTail)
    this.known.set(key, found)
    return found
  }

  /** Before it, the name cannot stand; undefined: one of its words is nowhere. */
  private earliest(wanted: string): number | undefined {
    this.firsts ??= firstsOf(this.text)
    let earliest = 0
    for (const { 0: word, index } of wanted.matchAll(WORD)) {
      const first = this.firsts.get(word)
      if (first === undefined) return undefined
      earliest = Math.max(earliest, first - index)
    }
    return earliest
  }
}

const WORD = /[\p{L}\p{N}]+/gu

function firstsOf(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const { 0: word, index } of text.matchAll(WORD)) if (!found.has(word)) found.set(word, index)
  return found
}

function occurs(wanted: string, text: string, from: number, isTail: boolean): boolean {
  for (let at = text.indexOf(wanted, from); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + wanted.length] ?? ' '
    if ((isTail || !/[\p{L}\p{N}]/u.test(before)) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

/** Quotation marks, dashes and white space are written in many ways. */
function squashed(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\\n|\s+/g, ' ')
}
