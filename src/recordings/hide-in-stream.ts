// Secrets in server-sent events. A model speaks in small pieces, one per event: what must not be written may be spread
// over many of them, so the pieces are examined together.
import { isRecord } from '../base/record.js'
import { parseJson } from '../base/json/parse-json.js'

/** One string per event, with all its lines. Events in which nothing is hidden stay as they are. */
export function hideInStream(events: readonly string[], hide: (text: string) => string): string[] {
  const result = events.map((event) => hideInEvent(event, hide))
  const data = result.map(dataOf)
  const changed = new Set<number>()
  for (const locations of locationsByKey(data)) {
    const said = locations.map(({ text }) => text)
    const whole = said.join('')
    const hidden = hide(whole)
    if (hidden === whole) continue
    for (const [index, text] of spread(said, whole, hidden).entries()) {
      const location = locations[index]
      if (!location || text === location.text) continue
      location.holder[location.name] = text
      changed.add(location.event)
    }
  }
  for (const index of changed) result[index] = withData(result[index] ?? '', data[index])
  return result
}

const DATA = /^data:[ ]?(.*?)\r?$/gm

function hideInEvent(event: string, hide: (text: string) => string): string {
  return hide(event.replaceAll(DATA, (line: string, json: string) => line.replace(json, () => hide(json))))
}

function dataOf(event: string): unknown {
  return parseJson([...event.matchAll(DATA)].map(([, json]) => json).join('\n'))?.value
}

function withData(event: string, data: unknown): string {
  let isFirst = true
  return event.replaceAll(DATA, () => {
    const line = isFirst ? `data: ${JSON.stringify(data)}` : ''
    isFirst = false
    return line
  })
}

interface Location {
  event: number
  holder: Record<string, unknown>
  name: string
  text: string
}

/** Pieces that form one text when joined: by the kind of event, and their place in it. */
function locationsByKey(data: readonly unknown[]): Location[][] {
  const found = new Map<string, Location[]>()
  for (const [event, value] of data.entries()) {
    if (!isRecord(value)) continue
    const { type, index, output_index, content_index, item_id } = value
    const about = [type, index, output_index, content_index, item_id].map((part) => JSON.stringify(part)).join(' ')
    collect(value, about, false, (key, location) => {
      const known = found.get(key)
      if (known) known.push({ event, ...location })
      else found.set(key, [{ event, ...location }])
    })
  }
  return [...found.values()].filter(({ length }) => length > 1)
}

function collect(
  holder: Record<string, unknown>,
  path: string,
  isPiece: boolean,
  found: (key: string, location: Omit<Location, 'event'>) => void,
): void {
  for (const [name, value] of Object.entries(holder)) {
    const inPiece = isPiece || name === 'delta' || name === 'text'
    if (typeof value === 'string') {
      if (inPiece) found(`${path}.${name}`, { holder, name, text: value })
    } else if (Array.isArray(value))
      for (const [at, item] of value.entries()) {
        if (!isRecord(item)) continue
        const { index } = item
        collect(item, `${path}.${name}[${typeof index === 'number' ? index : at}]`, inPiece, found)
      }
    else if (isRecord(value)) collect(value, `${path}.${name}`, inPiece, found)
  }
}

/** A change goes into the first piece it touches; what is before and after it stays. */
function spread(pieces: readonly string[], whole: string, hidden: string): string[] {
  const most = Math.min(whole.length, hidden.length)
  let start = 0
  while (start < most && whole[start] === hidden[start]) start++
  let end = 0
  while (end < most - start && whole.at(-1 - end) === hidden.at(-1 - end)) end++
  const stop = whole.length - end
  let at = 0
  let rest = hidden.slice(start, hidden.length - end)
  return pieces.map((piece) => {
    const from = at
    at += piece.length
    if (at < start || (at === start && start < stop)) return piece
    const before = piece.slice(0, Math.max(0, start - from))
    const changed = `${before}${rest}${piece.slice(Math.max(0, stop - from))}`
    rest = ''
    return changed
  })
}
