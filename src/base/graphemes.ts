// Characters as people see them. Created on first use: it takes a moment to load.
let segmenter: Intl.Segmenter | undefined

export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter
}
