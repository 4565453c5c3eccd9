// What an agent said in several pieces, as one text: what came before a tool call and what came after it stay apart.

/** `undefined` stands for a call or its result. */
export function joinTexts(pieces: ReadonlyArray<string | undefined>): string {
  let text = ''
  let isApart = false
  for (const piece of pieces) {
    if (piece === undefined) isApart = true
    else if (piece !== '') {
      text += isApart ? apart(text, piece) : piece
      isApart = false
    }
  }
  return text
}

/** The piece, with an empty line before it where the two would run together. */
export function apart(before: string, piece: string): string {
  return before === '' || /\s$/.test(before) || /^\s/.test(piece) ? piece : `\n\n${piece}`
}
