// Words that are the same but for their ending: order, orders; bag, baggage.

export class AkinWords {
  private readonly words = new Set<string>()
  private readonly beginnings = new Set<string>()

  constructor(words: readonly string[]) {
    for (const each of words) {
      const word = singular(each)
      if (this.words.has(word)) continue
      this.words.add(word)
      for (const beginning of beginningsOf(word)) this.beginnings.add(beginning)
    }
  }

  has(noun: string): boolean {
    const word = singular(noun)
    return (
      this.words.has(word) ||
      this.beginnings.has(word) ||
      beginningsOf(word).some((beginning) => this.words.has(beginning))
    )
  }
}

/** Of three letters only if the last is doubled. */
function beginningsOf(word: string): string[] {
  const found = word.length > 3 && word[3] === word[2] ? [word.slice(0, 3)] : []
  for (let length = 4; length < Math.min(word.length, 30); length += 1) found.push(word.slice(0, length))
  return found
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word
}
