// The keys of a watch: single letters, and a line of text for the filter.

export type Key = 'all' | 'failed' | 'filter' | 'quit' | 'interrupt'

export interface KeysInit {
  onKey(key: Exclude<Key, 'filter'>): void
  onFilter(pattern: string): void
  write(text: string): void
}

const KEYS: Record<string, Key> = {
  a: 'all',
  '\r': 'all',
  '\n': 'all',
  f: 'failed',
  '/': 'filter',
  q: 'quit',
  '\u0003': 'interrupt',
  '\u0004': 'quit',
}

/** Undefined without a terminal. Returns a function that restores it. */
export function listenForKeys({ onKey, onFilter, write }: KeysInit): (() => void) | undefined {
  const { stdin } = process
  if (stdin.isTTY !== true) return undefined
  let line: string | undefined
  const typed = (char: string): void => {
    if (line === undefined) {
      const key = KEYS[char.toLowerCase()]
      if (key === 'filter') {
        line = ''
        write('\nonly cases whose id matches (empty: all): ')
      } else if (key) onKey(key)
      return
    }
    if (char === '\u0003') onKey('interrupt')
    else if (char === '\u001b') cancel()
    else if (char === '\r' || char === '\n') enter(line)
    else if (char === '\u007f' || char === '\b') erase()
    else if (char >= ' ') {
      line += char
      write(char)
    }
  }
  const erase = (): void => {
    if (line === undefined || line === '') return
    line = Array.from(line).slice(0, -1).join('')
    write('\b \b')
  }
  const enter = (text: string): void => {
    line = undefined
    write('\n')
    onFilter(text.trim())
  }
  const cancel = (): void => {
    line = undefined
    write('\n')
  }
  const onData = (data: string): void => {
    // An arrow key or similar comes as one piece, and means nothing here.
    if (data.length > 1 && data.startsWith('\u001b')) return
    for (const char of data) typed(char)
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData)
  stdin.resume()
  return () => {
    stdin.off('data', onData)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
