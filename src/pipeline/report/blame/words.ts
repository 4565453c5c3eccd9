// Words that several rules look for.

/** Does an answer say that something did not work? */
export function admitsTrouble(answer: string): boolean {
  return /\b(?:sorry|unfortunately|cannot|can't|can\u2019t|could not|couldn't|couldn\u2019t|unable|unavailable|failed|fails|error|problem|trouble|try again|not (?:possible|able|available|found)|did not work|didn't work|offline|down)\b/i.test(
    answer,
  )
}

/** Words that carry meaning, in their first letters: `refunded` is `refund`. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, 5)))
}

const STOP_WORDS = new Set(
  'the and for with that this from have has had get got you your are was were will would can could should want wants wish need needs please about into out its they them their there then than what when where which who whom how why not but any all some one two our his her him she our out off over under also just ask asks tell tells make makes let say says user assistant agent conversation goal'.split(
    ' ',
  ),
)

/** Ids and numbers of at least three digits, and words that mix letters and digits. */
export function identifiersIn(text: string): Set<string> {
  const found = text.match(/(?<![\w.])#?(?=[\w-]*\d)[A-Za-z0-9][\w-]{2,}(?![\w])/g) ?? []
  return new Set(found.map((word) => word.toLowerCase().replace(/^#/, '')))
}
