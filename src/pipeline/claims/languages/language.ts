// What the rules need to know of a language. A language is data: a file beside this one.

export interface Language {
  /** January first; each month with its short forms. */
  months: readonly (readonly string[])[]
  /** Sunday first. */
  weekdays: readonly string[]
  /** Days from today. */
  relativeDays: Readonly<Record<string, number>>
  /** In a sentence that says which day it is. */
  todayWords: readonly string[]
  numberWords: Readonly<Record<string, number>>
  /** How many of what is named: "both". */
  quantityWords: Readonly<Record<string, number>>
  /** Words that speak of all of what was named before. */
  wholeWords: readonly string[]
  magnitudes: Readonly<Record<string, number>>
  /** Written beside an amount, in lower case → ISO code. */
  currencies: Readonly<Record<string, string>>
  percentWords: readonly string[]
  /** Unit as written → what it measures, and how many base units it is. */
  units: Readonly<Record<string, readonly [dimension: string, factor: number]>>
  /** Words after which a word in capitals is an id. */
  idWords: readonly string[]
  /** Words that count things off: "Step 1". */
  numberedWords: readonly string[]
  /** Words that say that a number is rough. */
  roughWords: readonly string[]
  /** Words that say that a number was calculated, by what was done. */
  arithmetic: Readonly<Record<'sum' | 'difference' | 'product' | 'average', readonly string[]>>
  endingIn: string
  /** First persons, and what may stand between them and what they did. */
  firstPersons: readonly string[]
  perfect: readonly string[]
  adverbs: readonly string[]
  /** Auxiliaries of the passive: of what was just done ("has been", "is now"), and of what is told of the past. */
  passive: {
    perfect: readonly string[]
    been: string
    now: readonly string[]
    past: readonly string[]
    /** Of how a thing is now. */
    state: readonly string[]
  }
  /** Verbs whose outcome is a state of a thing that people care about: "cancelled", "confirmed". */
  stateVerbs: readonly string[]
  /** Whose thing it is: that of the person spoken to, or the one spoken of. */
  possessives: readonly string[]
  /** Words that say how things usually are, or on what condition. */
  habits: readonly string[]
  /** Words that only whole sentences have. */
  finite: readonly string[]
  /** Words before a thing that is meant. */
  definite: readonly string[]
  completeWords: readonly string[]
  /** Labels of a state. */
  statusWords: readonly string[]
  /** In a line that opens a list of what could be done, or is explained. */
  offerWords: readonly string[]
  /** Things that have numbers, besides `idWords`. */
  numberedThings: readonly string[]
  /** Keys that may be no unit: a minimum is no minute. */
  ambiguousKeys: readonly string[]
  /** The most frequent words, by which the language is known; and those of others. */
  frequent: readonly string[]
  frequentElsewhere: readonly string[]
  name: string
  successAdverbs: readonly string[]
  /** Sentences that only say that it is done. */
  doneSentences: string
  /** Before what is done: it is not said to be done. */
  hedges: readonly string[]
  /** Where a clause ends. */
  clauseBreaks: readonly string[]
  prepositions: readonly string[]
  stopWords: readonly string[]
  /** Things that may be anything. */
  generalNouns: readonly string[]
  /** Verbs that mean the same to somebody who reads the name of a tool. The first word names the group. */
  verbGroups: readonly (readonly string[])[]
  /** Nouns of actions → a verb. */
  actionNouns: Readonly<Record<string, string>>
  irregular: Readonly<Record<string, readonly string[]>>
  /** Verbs whose last letter is doubled. */
  doubled: readonly string[]
  /** "process", "complete": what was done is in the noun. */
  lightVerbs: readonly string[]
  /** Claims that need some attribute to be in the call: "added", "applied". */
  attributeVerbs: readonly string[]
  /** Tools with these verbs, or none, may back such a claim. */
  shapingVerbs: readonly string[]
  /** Looking something up: any call shows it. */
  lookVerbs: readonly string[]
  /** Verbs of tools that only read. */
  readingTools: readonly string[]
  /** Tools that do whatever their arguments say. */
  generalTools: readonly string[]
  /** Tools that only hold what the agent thinks. */
  thinkingTools: readonly string[]
}
