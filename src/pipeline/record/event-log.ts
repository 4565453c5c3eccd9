// The event file: append-only JSONL. An event is announced to the sinks only after its line is on disk.
import { closeSync, fstatSync, fsync, fsyncSync, ftruncateSync, writeSync } from 'node:fs'
import { UserError } from '../../errors.js'
import type { RunEvent } from '../../model/event.js'
import type { Redactor } from '../../redact/redactor.js'

/** Gets every event after it was written. A sink that throws is reported once and left out from then on. */
export interface EventSink {
  name: string
  write(event: RunEvent): void
  close?(): void | Promise<void>
}

export interface EventLog {
  readonly path: string | undefined
  append(event: RunEvent): void
  /** Writes what is buffered now; throws the write error that broke the log, if one did. */
  flush(): void
  /** Writes `event` over the last line: the summary, when the reports after it failed. */
  replaceLast(event: RunEvent): void
  close(): Promise<void>
}

export interface EventLogInit {
  /** An open file, with the length of its good part; absent: events go to the sinks alone. */
  file?: OpenedFile
  redactor: Redactor
  sinks: EventSink[]
  /** Called once when writing fails: the run must stop. */
  onBroken(error: UserError): void
  onSinkError(name: string, error: unknown): void
}

export interface OpenedFile {
  fd: number
  path: string
  /** Where the next line goes. */
  offset: number
  /** Keep the old content until the first result exists (`--force`). */
  replaceOnFirstResult?: boolean
}

// Large enough to make the cost of a write vanish, small enough that a burst is on disk within a moment.
const FLUSH_BYTES = 64 * 1024
const SYNC_EVERY_MS = 1000

export function openEventLog(init: EventLogInit): EventLog {
  return new FileEventLog(init)
}

class FileEventLog implements EventLog {
  readonly path: string | undefined
  private readonly init: EventLogInit
  private readonly file: OpenedFile | undefined
  private sinks: EventSink[]
  private text = ''
  private pending: RunEvent[] = []
  private scheduled = false
  private hasResult = false
  private broken: UserError | undefined
  private dirty = false
  private lastLine = 0
  private readonly isRegular: boolean
  private closed = false
  private readonly timer: NodeJS.Timeout | undefined

  constructor(init: EventLogInit) {
    this.init = init
    this.file = init.file
    this.path = init.file?.path
    this.sinks = init.sinks
    this.isRegular = init.file !== undefined && fstatSync(init.file.fd).isFile()
    if (init.file) {
      this.timer = setInterval(() => this.sync(), SYNC_EVERY_MS)
      this.timer.unref()
    }
  }

  append(event: RunEvent): void {
    if (this.broken || this.closed) return
    const { line, value } = this.init.redactor.record(event)
    if (this.file) {
      if (event.type === 'summary') this.lastLine = this.file.offset + Buffer.byteLength(this.text)
      this.text += `${line}\n`
    }
    this.pending.push(value)
    if (event.type === 'result') this.hasResult = true
    if (this.text.length >= FLUSH_BYTES) this.write()
    else if (!this.scheduled) {
      this.scheduled = true
      setImmediate(() => {
        this.scheduled = false
        this.write()
      })
    }
  }

  flush(): void {
    this.write()
    if (this.broken) throw this.broken
  }

  replaceLast(event: RunEvent): void {
    this.write()
    if (!this.file || this.broken || !this.isRegular) return
    this.file.offset = this.lastLine
    ftruncateSync(this.file.fd, this.lastLine)
    this.text = `${this.init.redactor.line(event)}\n`
    this.writeFile(this.file)
  }

  async close(): Promise<void> {
    this.write()
    this.closed = true
    clearInterval(this.timer)
    if (this.file) {
      if (!this.broken && this.isRegular) this.syncNow()
      closeSync(this.file.fd)
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
    if (this.file && !this.writeFile(this.file)) return
    const events = this.pending
    this.pending = []
    for (const event of events) this.announce(event)
  }

  private writeFile(file: OpenedFile): boolean {
    if (file.replaceOnFirstResult) {
      if (!this.hasResult && !this.closed) return false
      ftruncateSync(file.fd, 0)
      delete file.replaceOnFirstResult
    }
    const bytes = Buffer.from(this.text, 'utf8')
    const start = file.offset
    try {
      let done = 0
      while (done < bytes.length) {
        const position = this.isRegular ? start + done : null
        done += writeSync(file.fd, bytes, done, bytes.length - done, position)
      }
      file.offset = start + bytes.length
      this.text = ''
      this.dirty = true
      return true
    } catch (error) {
      this.breakWith(file, start, error)
      return false
    }
  }

  /** A full disk writes a part of a line first: cut back to the last good line, so that every reader finds whole lines. */
  private breakWith(file: OpenedFile, goodOffset: number, error: unknown): void {
    try {
      ftruncateSync(file.fd, goodOffset)
    } catch {
      // A device or pipe cannot be cut; there is nothing to save then.
    }
    this.broken = cannotWrite(file.path, error)
    this.init.onBroken(this.broken)
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
      if (error && error.code !== 'EINVAL' && error.code !== 'EBADF' && this.file)
        this.breakWith(this.file, this.file.offset, error)
    })
  }

  private syncNow(): void {
    if (!this.file) return
    try {
      fsyncSync(this.file.fd)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') this.breakWith(this.file, this.file.offset, error)
    }
  }
}

function cannotWrite(path: string, cause: unknown): UserError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'error'
  return new UserError({
    code: 'CANNOT_WRITE',
    message: `cannot write ${path}: ${describeCode(code)} (${code})`,
    hint: `everything up to the last finished line is kept; free space or choose another place, then: viva test --resume ${path}`,
    exitCode: 3,
    cause,
  })
}

function describeCode(code: string): string {
  switch (code) {
    case 'ENOSPC':
      return 'the disk is full'
    case 'EDQUOT':
      return 'the disk quota is used up'
    case 'EFBIG':
      return 'the file may not grow any further'
    case 'EIO':
      return 'the disk reports an error'
    default:
      return 'writing failed'
  }
}
