// Reads the source map at the end of compiled code: which place in which file each part came from.

export interface Segment {
  /** Offset in the compiled code. */
  offset: number
  /** As written in the map: relative to the compiled file. */
  source: string
  /** 1-based. */
  line: number
}

const MARK = '//# sourceMappingURL=data:application/json;base64,'
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map(DIGITS.split('').map((digit, value) => [digit, value]))

export function readSegments(code: string): Segment[] {
  const at = code.lastIndexOf(MARK)
  if (at < 0) return []
  const text = Buffer.from(code.slice(at + MARK.length).trim(), 'base64').toString('utf8')
  const { sources, mappings } = JSON.parse(text) as { sources: string[]; mappings: string }
  return decode(mappings, sources, lineStarts(code))
}

/** The fields are running sums: the column starts over on each line, the others run through the whole map. */
function decode(mappings: string, sources: string[], starts: number[]): Segment[] {
  const segments: Segment[] = []
  let source = 0
  let line = 0
  for (const [row, text] of mappings.split(';').entries()) {
    let column = 0
    for (const part of text === '' ? [] : text.split(',')) {
      const [columnStep = 0, sourceStep, lineStep = 0] = decodeNumbers(part)
      column += columnStep
      if (sourceStep === undefined) continue
      source += sourceStep
      line += lineStep
      segments.push({ offset: (starts[row] ?? 0) + column, source: sources[source] ?? '', line: line + 1 })
    }
  }
  return segments
}

/** Base 64 digits of five bits each, lowest first; the sixth bit says that more follow, the lowest of all is the sign. */
function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of text) {
    const bits = VALUES.get(digit) ?? 0
    value += (bits & 31) * 2 ** shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2)
    value = 0
    shift = 0
  }
  return numbers
}

function lineStarts(code: string): number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
