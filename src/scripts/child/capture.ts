// What a script prints: lines for the report of the test that printed them, never the host's own output.
import { format } from 'node:util'
import { replaceStreams } from '../../process/replace-streams.js'
import { onBeforeSend, send } from './channel.js'
import { append, isError, toJson } from './primordials.js'

/** This much of each test arrives line by line, so that a crash loses nothing; the rest in larger pieces. */
const EAGER_BYTES = 64 * 1024
const BATCH_BYTES = 64 * 1024

let sent = 0
let waiting: string[] = []
let waitingBytes = 0
let partial = ''

export function installCapture(): void {
  onBeforeSend(flushLogs)
  // Real streams are never created: they cost start-up time, and nothing reads what is printed as data.
  replaceStreams(printStream)
}

/** A new test: its first lines are sent immediately again. */
export function resetCapture(): void {
  flushLogs()
  sent = 0
}

/** Never throws: what is printed has no part in a verdict. */
export function addLog(text: string): void {
  try {
    append(waiting, text)
    waitingBytes += text.length + 1
    if (sent < EAGER_BYTES || waitingBytes >= BATCH_BYTES) flushWaiting()
  } catch {
    waiting = []
    waitingBytes = 0
  }
}

function flushLogs(): void {
  if (partial !== '') {
    const rest = partial
    partial = ''
    addLog(rest)
  }
  flushWaiting()
}

export function logText(args: unknown[]): string {
  return args.map((item) => (typeof item === 'string' ? item : format('%s', textOf(item)))).join(' ')
}

function textOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isError(value)) return value
  try {
    return toJson(value) ?? value
  } catch {
    return value
  }
}

function flushWaiting(): void {
  if (waiting.length === 0) return
  const lines = waiting
  sent += waitingBytes
  waiting = []
  waitingBytes = 0
  send({ k: 'log', lines })
}

function print(text: string): void {
  const lines = (partial + text).split('\n')
  partial = lines.pop() ?? ''
  for (const line of lines) addLog(line)
}

interface PrintStream {
  fd: number
  isTTY: boolean
  writable: boolean
  columns: number
  write(chunk: unknown, encoding?: unknown, done?: unknown): boolean
  end(chunk?: unknown): void
}

function printStream(fd: number): PrintStream {
  const same = (): PrintStream => stream
  const stream = {
    fd,
    isTTY: false,
    writable: true,
    writableLength: 0,
    // Node's console looks here.
    _writableState: { errorEmitted: false },
    columns: 80,
    write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
      print(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString())
      const callback = typeof encoding === 'function' ? encoding : done
      if (typeof callback === 'function') process.nextTick(callback, null)
      return true
    },
    end(chunk?: unknown): void {
      if (chunk !== undefined) stream.write(chunk)
    },
    on: same,
    once: same,
    off: same,
    addListener: same,
    removeListener: same,
    removeAllListeners: same,
    prependListener: same,
    // Node pipes the output of threads here.
    setMaxListeners: same,
    emit: () => false,
    listenerCount: () => 0,
    cork() {},
    uncork() {},
    getColorDepth: () => 1,
    hasColors: () => false,
  }
  return stream
}
