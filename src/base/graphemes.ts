// Characters as people see them. Made when first needed: it costs a moment to load.
let segmenter: Intl.Segmenter | undefined

export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter
}
