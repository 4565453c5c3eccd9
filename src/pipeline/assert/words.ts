// What a word is: a stretch between spaces with a letter or digit in it; scripts without spaces are segmented.

export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [piece] of text.matchAll(/\S+/g)) {
    if (UNSPACED.test(piece)) words.push(...segment(piece))
    else if (/[\p{L}\p{N}]/u.test(piece)) words.push(piece)
  }
  return words
}

export function countWords(text: string): number {
  return wordsOf(text).length
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

let segmenter: Intl.Segmenter | undefined

function* segment(piece: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  for (const part of segmenter.segment(piece)) if (part.isWordLike) yield part.segment
}
