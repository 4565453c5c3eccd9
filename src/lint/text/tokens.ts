// How many tokens a text takes, about: no tokenizer is the right one for every model.

/** As reports explain the figure. */
export const TOKEN_METHOD =
  'estimated as one token for 4 characters, and for each character of Chinese, Japanese or Korean'

export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return dense + Math.ceil((text.length - dense) / 4)
}

const DENSE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/g
