// Redacts text that arrives in pieces: whole lines go out, an unfinished line or private key waits.

export interface RedactionStream {
  /** What may be shown now. */
  write(chunk: string): string
  /** The rest. */
  end(): string
}

/** A line that does not end goes out anyway at this length, cut where no secret can straddle the cut. */
const MAX_HELD = 64 * 1024

export function createRedactionStream(redact: (text: string) => string): RedactionStream {
  let held = ''
  return {
    write(chunk) {
      held += chunk
      const cut = findCut(held)
      const ready = held.slice(0, cut)
      held = held.slice(cut)
      return ready === '' ? '' : redact(ready)
    },
    end() {
      const ready = held
      held = ''
      return ready === '' ? '' : redact(ready)
    },
  }
}

function findCut(held: string): number {
  const begin = held.lastIndexOf('-----BEGIN')
  const open = begin !== -1 && !/-----END[^-]*-----/.test(held.slice(begin))
  const end = held.lastIndexOf('\n', open ? begin : held.length) + 1
  if (end > 0 || held.length < MAX_HELD) return end
  return open ? held.length : held.lastIndexOf(' ') + 1
}
