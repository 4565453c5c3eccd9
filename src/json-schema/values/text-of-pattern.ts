// A text that a regular expression accepts, for the constructs that schemas use. The caller checks it: undefined or wrong is possible.

/** `choice`: which alternative and which repetition to take where there are several. */
export function textOfPattern(source: string, choice = 0): string | undefined {
  const reader: Reader = { source, at: 0, choice }
  try {
    const text = readAlternatives(reader)
    return reader.at === source.length ? text : undefined
  } catch (error) {
    if (error instanceof NotRead) return undefined
    throw error
  }
}

interface Reader {
  source: string
  at: number
  choice: number
}

class NotRead extends Error {}

/** Longer than any identifier; a pattern that asks for more is not for hand-made values. */
const MOST_REPEATED = 300

function readAlternatives(reader: Reader): string {
  const all = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    all.push(readSequence(reader))
  }
  return all[reader.choice % all.length] ?? ''
}

function readSequence(reader: Reader): string {
  let text = ''
  for (;;) {
    const char = reader.source[reader.at]
    if (char === undefined || char === '|' || char === ')') return text
    const start = reader.at
    const atom = readAtom(reader)
    const times = readTimes(reader)
    if (times === undefined) text += atom
    else text += repeated(reader, start, atom, times)
  }
}

function repeated(reader: Reader, _start: number, atom: string, [least, most]: [number, number]): string {
  const wanted = Math.min(most, Math.max(least, reader.choice % 2 === 0 ? Math.max(least, 1) : least))
  if (wanted > MOST_REPEATED) throw new NotRead()
  return atom.repeat(wanted)
}

function readTimes(reader: Reader): [number, number] | undefined {
  const rest = reader.source.slice(reader.at)
  const [found, char, least, comma, most] = /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(rest) ?? []
  if (found === undefined) return undefined
  reader.at += found.length
  if (char === '*') return [0, Infinity]
  if (char === '+') return [1, Infinity]
  if (char === '?') return [0, 1]
  const from = Number(least)
  return [from, most === undefined ? (comma === undefined ? from : Infinity) : Number(most)]
}

function readAtom(reader: Reader): string {
  const char = reader.source[reader.at++] ?? ''
  switch (char) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '(':
      return readGroup(reader)
    case '[':
      return readClass(reader)
    case '\\':
      return readEscape(reader)
    default:
      if ('*+?{'.includes(char)) throw new NotRead()
      return char
  }
}

function readGroup(reader: Reader): string {
  const [opening = ''] = /^\?(?::|<[A-Za-z_]\w*>)/.exec(reader.source.slice(reader.at)) ?? []
  if (opening === '' && reader.source[reader.at] === '?') return skipLookaround(reader)
  reader.at += opening.length
  const text = readAlternatives(reader)
  if (reader.source[reader.at++] !== ')') throw new NotRead()
  return text
}

/** What it asks for may hold by chance; the caller finds out. */
function skipLookaround(reader: Reader): string {
  const [opening] = /^\?<?[=!]/.exec(reader.source.slice(reader.at)) ?? []
  if (opening === undefined) throw new NotRead()
  reader.at += opening.length
  readAlternatives(reader)
  if (reader.source[reader.at++] !== ')') throw new NotRead()
  return ''
}

const CLASSES: Record<string, string> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', n: '\n', t: '\t', r: '\r' }

function readEscape(reader: Reader): string {
  const rest = reader.source.slice(reader.at)
  const [property] = /^[pP]\{[^}]*\}/.exec(rest) ?? []
  if (property !== undefined) {
    reader.at += property.length
    return /N|digit/i.test(property) ? '1' : 'a'
  }
  const [whole, code] = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(rest) ?? []
  if (whole !== undefined) {
    reader.at += whole.length
    return String.fromCodePoint(Number.parseInt(code ?? whole.slice(1), 16))
  }
  const char = rest[0]
  if (char === undefined || /[1-9k]/.test(char)) throw new NotRead()
  reader.at++
  if (char === 'b' || char === 'B') return ''
  return CLASSES[char] ?? char
}

function readClass(reader: Reader): string {
  const isNegated = reader.source[reader.at] === '^'
  if (isNegated) reader.at++
  const members: string[] = []
  let isFirst = true
  for (;;) {
    const char = reader.source[reader.at++]
    if (char === undefined) throw new NotRead()
    if (char === ']' && !isFirst) break
    isFirst = false
    members.push(char === '\\' ? readEscape(reader) : char)
    const [range] = /^-[^\]]/.exec(reader.source.slice(reader.at)) ?? []
    // The first of a range belongs to it.
    if (range !== undefined) reader.at += range[1] === '\\' ? range.length + 1 : range.length
  }
  if (!isNegated) return preferred(members) ?? ''
  return 'a A 1 - _ / . ~ é'.split(' ').find((char) => !members.includes(char)) ?? 'ß'
}

/** A letter or a digit where there is one. */
function preferred(members: string[]): string | undefined {
  return members.find((char) => /[a-z0-9]/i.test(char)) ?? members[0]
}
