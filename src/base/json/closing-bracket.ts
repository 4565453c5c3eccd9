// Where a bracket is closed, in text that need not be JSON: strings and comments are passed over.

/** The position after the bracket that closes the one at `start`; undefined if the text ends first. */
export function closingBracket(text: string, start: number): number | undefined {
  let depth = 0
  let before = ''
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? ''
    if (isBlank(character)) continue
    if (opensString(character, before)) position = endOfString(text, position)
    else if (character === '/' && before !== ':') position = endOfComment(text, position)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth === 0) return position + 1
    before = character
  }
  return undefined
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}

// An apostrophe within a sentence opens nothing.
function opensString(character: string, before: string): boolean {
  return character === '"' || (character === "'" && '{[,:'.includes(before))
}

/** The position of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  const quote = text[start]
  let position = start + 1
  while (position < text.length && text[position] !== quote) position += text[position] === '\\' ? 2 : 1
  return position
}

// After a colon, slashes are taken for an address: `see https://…`.
function endOfComment(text: string, start: number): number {
  const mark = text[start + 1]
  if (mark !== '/' && mark !== '*') return start
  const end = mark === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start + 2) + 1
  return end > 0 ? end : text.length
}
