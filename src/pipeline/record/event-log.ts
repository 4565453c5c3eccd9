// The event file: append-only JSONL. An event is announced to the sinks only after its line is on disk.
import type { Hash } from 'node:crypto'
import { closeSync, fsync, fsyncSync, ftruncateSync, writeSync } from 'node:fs'
import type { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import type { RunEvent } from '../../model/event.js'
import type { Redactor } from '../../redact/redactor.js'
import { FileGuard, type Damage } from '../../files/file-guard.js'
import { monotonicNow } from '../../time/clock.js'
import { recordingOf, type FileRecording } from './read-events.js'

/** Receives every event after it was written. A sink that throws is reported once and skipped from then on. */
export interface EventSink {
  name: string
  write(event: RunEvent): void
  /** What an earlier part of a resumed run has already shown. */
  recall?(event: RunEvent): void
  /** After each batch of events: what was gathered can go out in one piece. */
  flush?(): void
  /** Before the summary: rejects if what was written so far cannot be delivered. */
  settle?(): Promise<void>
  close?(): void | Promise<void>
}

export interface EventLog {
  readonly path: string | undefined
  append(event: RunEvent): void
  /** Writes what is buffered now; throws the write error that broke the log, if any. */
  flush(): void
  /** Writes `event` over the last line: the summary, when the reports after it failed. */
  replaceLast(event: RunEvent): void
  /** What was written so far; undefined if there is no file, or one that cannot be read back. */
  recording(): FileRecording | undefined
  /** Whether the file is still there and holds what was written, no more and no less. */
  check(): Promise<Damage | undefined>
  close(): Promise<void>
}

export interface EventLogInit {
  /** An open file, with the length of its good part; absent: events go to the sinks alone. */
  file?: OpenedFile
  redactor: Redactor
  sinks: EventSink[]
  /** Called once when writing fails: the run must stop. `lost` are the events that did not get into the file. */
  onBroken(error: UserError, lost: RunEvent[]): void
  onSinkError(name: string, error: unknown): void
}

export interface OpenedFile {
  fd: number
  path: string
  /** Where the next line goes. */
  offset: number
  /** A pipe or a device: it cannot be truncated or written at a position. */
  device?: boolean
  /** It is removed when the run ends: there is nothing to resume. */
  temporary?: boolean
  /** Keep the old content until the first result exists (`--force`). */
  replaceOnFirstResult?: boolean
  /** Which file it is, to notice when its name leads to another. */
  inode?: string
  /** The hash of what it holds up to `offset`, as it was read. */
  hash?: Hash
}

// Large enough to make the cost of a write vanish, small enough that a burst is on disk within a moment.
const FLUSH_BYTES = 32 * 1024
const BUFFER_BYTES = 128 * 1024
// A write and what is printed after it cost more than a quick case: such cases share them.
const TOGETHER_MS = 4
const SYNC_EVERY_MS = 1000
const NEWLINE = 10

export function openEventLog(init: EventLogInit): EventLog {
  return new FileEventLog(init)
}

class FileEventLog implements EventLog {
  readonly path: string | undefined
  private readonly init: EventLogInit
  private readonly file: OpenedFile | undefined
  private sinks: EventSink[]
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  private used = 0
  private pending: RunEvent[] = []
  private scheduled = false
  private writtenAt = -TOGETHER_MS
  /** Lines that wait for the first result, while the old content must stay. */
  private held = ''
  private broken: UserError | undefined
  private dirty = false
  private lastLine = 0
  private readonly isRegular: boolean
  private readonly guard: FileGuard | undefined
  private closed = false
  private readonly timer: NodeJS.Timeout | undefined
  /** A write that waits for more lines. */
  private later: NodeJS.Timeout | undefined

  constructor(init: EventLogInit) {
    this.init = init
    this.file = init.file
    this.path = init.file?.path
    this.sinks = init.sinks
    this.isRegular = init.file !== undefined && init.file.device !== true
    if (init.file && this.isRegular) {
      const { hash, offset } = init.file
      this.guard = new FileGuard(init.file, hash && { hash, length: offset })
    }
    if (init.file) {
      this.timer = setInterval(() => this.sync(), SYNC_EVERY_MS)
      this.timer.unref()
    }
  }

  append(event: RunEvent): void {
    if (this.broken || this.closed) return
    const { line, value } = this.init.redactor.record(event)
    if (this.file?.replaceOnFirstResult && event.type !== 'result') {
      this.held += `${line}\n`
    } else if (this.file) {
      if (this.file.replaceOnFirstResult && !this.replaceOld(this.file)) return
      // One unit of a string takes at most three bytes in UTF-8.
      if (this.used + line.length * 3 + 1 > BUFFER_BYTES) this.write()
      if (this.broken) return
      if (event.type === 'summary') this.markLast(this.file)
      if (this.broken) return
      if (line.length * 3 + 1 > BUFFER_BYTES) {
        this.pending.push(value)
        return this.writeLarge(line)
      }
      this.used += this.buffer.write(line, this.used)
      this.buffer[this.used++] = NEWLINE
    }
    this.pending.push(value)
    if (this.used > FLUSH_BYTES) return this.write()
    if (!this.scheduled) this.schedule()
  }

  /** At the end of this turn of the event loop, or a moment later if another write has just happened. */
  private schedule(): void {
    this.scheduled = true
    const write = (): void => {
      this.scheduled = false
      this.writtenAt = monotonicNow()
      this.write()
    }
    if (monotonicNow() - this.writtenAt > TOGETHER_MS) setImmediate(write)
    else this.later = setTimeout(write, TOGETHER_MS)
  }

  flush(): void {
    this.write()
    if (this.broken) throw this.broken
  }

  replaceLast(event: RunEvent): void {
    this.write()
    if (!this.file || this.broken || !this.isRegular || this.file.replaceOnFirstResult) return
    this.file.offset = this.lastLine
    this.guard?.takeBack()
    if (this.cut(this.file, this.lastLine))
      this.writeBytes(this.file, Buffer.from(`${this.init.redactor.line(event)}\n`))
  }

  recording(): FileRecording | undefined {
    const { file, guard } = this
    if (!file || !guard) return undefined
    const held = Buffer.from(this.held)
    return recordingOf({
      path: file.path,
      chunks: file.replaceOnFirstResult ? () => oneChunk(held) : () => guard.chunks(),
    })
  }

  async check(): Promise<Damage | undefined> {
    this.write()
    if (this.broken || this.file?.replaceOnFirstResult) return undefined
    return this.guard?.check()
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.write()
    this.closed = true
    clearInterval(this.timer)
    clearTimeout(this.later)
    if (this.file) {
      if (!this.broken && this.isRegular) this.syncNow(this.file)
      this.closeFile(this.file)
    }
    for (const sink of this.sinks) {
      try {
        await sink.close?.()
      } catch (error) {
        this.init.onSinkError(sink.name, error)
      }
    }
    if (this.broken) throw this.broken
  }

  private write(): void {
    if (this.pending.length === 0 || this.broken) return
    if (this.file && this.used > 0) {
      if (!this.writeBytes(this.file, this.buffer.subarray(0, this.used))) return
      this.used = 0
    }
    const events = this.pending
    this.pending = []
    for (const event of events) this.announce(event)
    for (const sink of this.sinks) sink.flush?.()
  }

  /** Everything before the last line goes out first, so that the line can be taken back. */
  private markLast(file: OpenedFile): void {
    this.write()
    this.lastLine = file.offset
    this.guard?.mark()
  }

  /** A line too long for the buffer, which is empty by then. */
  private writeLarge(line: string): void {
    if (this.file && this.writeBytes(this.file, Buffer.from(`${line}\n`))) this.write()
  }

  private replaceOld(file: OpenedFile): boolean {
    if (!this.cut(file, 0)) return false
    delete file.replaceOnFirstResult
    const held = Buffer.from(this.held)
    this.held = ''
    return this.writeBytes(file, held)
  }

  private cut(file: OpenedFile, length: number): boolean {
    try {
      ftruncateSync(file.fd, length)
      return true
    } catch (error) {
      this.fail(file, error)
      return false
    }
  }

  private writeBytes(file: OpenedFile, bytes: Buffer): boolean {
    const start = file.offset
    try {
      this.guard?.writes()
      let done = 0
      while (done < bytes.length) {
        const position = this.isRegular ? start + done : null
        done += writeSync(file.fd, bytes, done, bytes.length - done, position)
      }
      file.offset = start + bytes.length
      this.guard?.wrote(bytes)
      this.dirty = true
      return true
    } catch (error) {
      this.breakWith(file, start, error)
      return false
    }
  }

  /** A full disk writes part of a line first: truncate to the last good line, so that every reader finds whole lines. */
  private breakWith(file: OpenedFile, goodOffset: number, error: unknown): void {
    try {
      ftruncateSync(file.fd, goodOffset)
    } catch {
      // A device or pipe cannot be truncated; then there is nothing to save.
    }
    this.fail(file, error)
  }

  private fail(file: OpenedFile, error: unknown): void {
    if (this.broken) return
    this.broken = cannotWrite(file.path, error, nextStep(file), 3)
    this.init.onBroken(this.broken, this.pending)
    this.pending = []
  }

  private announce(event: RunEvent): void {
    for (const sink of this.sinks) {
      try {
        sink.write(event)
      } catch (error) {
        this.sinks = this.sinks.filter((other) => other !== sink)
        this.init.onSinkError(sink.name, error)
      }
    }
  }

  private sync(): void {
    if (!this.dirty || !this.file || this.broken) return
    this.dirty = false
    fsync(this.file.fd, (error) => {
      if (error && error.code !== 'EINVAL' && error.code !== 'EBADF' && this.file) this.fail(this.file, error)
    })
  }

  private syncNow(file: OpenedFile): void {
    try {
      fsyncSync(file.fd)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') this.fail(file, error)
    }
  }

  /** Some file systems report only now that something could not be written. */
  private closeFile(file: OpenedFile): void {
    try {
      closeSync(file.fd)
    } catch (error) {
      this.fail(file, error)
    }
  }
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function nextStep({ path, temporary }: OpenedFile): string {
  if (temporary) return 'set TMPDIR to a folder with more room, or write the events to a file with -o'
  return `everything up to the last finished line is kept; free space or choose another place, then: viva test --resume ${path}`
}
