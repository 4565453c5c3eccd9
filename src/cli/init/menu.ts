// A menu on a terminal: arrow keys or a number, Enter; Escape, q and Ctrl-C leave it.
import { visibleInColor } from '../../base/hidden.js'
import { fitWidth } from '../../base/width.js'

export interface MenuRow {
  name: string
  about: string
  /** What speaks for it. */
  seen?: string
}

interface Out {
  write(text: string): unknown
  columns?: number
}

/** The index of the chosen row; undefined if the person left. */
export async function choose(title: string, rows: readonly MenuRow[], out: Out): Promise<number | undefined> {
  let at = 0
  let drawn = 0
  const draw = (): void => {
    const lines = menuLines(title, rows, at, (out.columns ?? 80) - 1)
    const back = drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : ''
    out.write(`${back}${lines.map((line) => `${line}\n`).join('')}`)
    drawn = lines.length
  }
  return readKeys(draw, (key) => {
    const number = /^[1-9]$/.test(key) ? Number(key) : 0
    if (LEAVE.has(key)) return { done: undefined }
    if (key === '\r' || key === '\n') return { done: at }
    if (UP.has(key)) at = (at + rows.length - 1) % rows.length
    else if (DOWN.has(key)) at = (at + 1) % rows.length
    else if (number > 0 && number <= rows.length) at = number - 1
    else return undefined
    draw()
    return undefined
  })
}

/** Enter and y mean yes. Undefined if the person left. */
export function confirm(question: string, out: Out): Promise<boolean | undefined> {
  return readKeys<boolean>(
    () => out.write(`${question} [Y/n] `),
    (key) => {
      const answer = /^[yY\r\n]$/.test(key) ? true : /^[nN]$/.test(key) ? false : undefined
      if (LEAVE.has(key) || answer !== undefined) out.write(`${answer === true ? 'yes' : 'no'}\n`)
      if (LEAVE.has(key)) return { done: undefined }
      return answer === undefined ? undefined : { done: answer }
    },
  )
}

const UP = new Set(['\u001b[A', '\u001bOA', 'k', '\u0010'])
const DOWN = new Set(['\u001b[B', '\u001bOB', 'j', '\u000e', '\t'])
const LEAVE = new Set(['\u0003', '\u0004', '\u001b', 'q'])

function menuLines(title: string, rows: readonly MenuRow[], at: number, columns: number): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, about, seen }, index) => {
    const found = seen === undefined ? '' : `  [${seen}]`
    return `${index === at ? '❯' : ' '} ${name.padEnd(width)}  ${about}${found}`
  })
  return [title, ...lines, '  ↑ ↓ and Enter to choose, q to leave'].map((line) =>
    fitWidth(visibleInColor(line), columns),
  )
}

/** Asks once keys are read, then calls `onKey` with one at a time until it is done. Several may arrive in one piece. */
function readKeys<T>(
  ask: () => unknown,
  onKey: (key: string) => { done: T | undefined } | undefined,
): Promise<T | undefined> {
  const { stdin } = process
  return new Promise((resolve) => {
    const end = (result: T | undefined, rest = ''): void => {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      stdin.setRawMode(false)
      stdin.pause()
      // Typed ahead, for the next question.
      if (rest !== '') stdin.unshift(rest)
      resolve(result)
    }
    const onEnd = (): void => end(undefined)
    const onData = (data: string): void => {
      const keys = data.match(KEYS) ?? []
      for (const [index, key] of keys.entries()) {
        const result = onKey(key)
        if (result) return end(result.done, keys.slice(index + 1).join(''))
      }
    }
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.on('data', onData)
    stdin.on('end', onEnd)
    stdin.resume()
    ask()
  })
}

/** A key with its escape sequence, or a character. */
// eslint-disable-next-line no-control-regex
const KEYS = /\u001b(?:\[[0-9;]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu
