// Knows byte for byte what was written to a results file, and notices when the file holds anything else.
import { createHash, type Hash } from 'node:crypto'
import { fstatSync, read, statSync, type BigIntStats } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../base/message-of.js'
import { UserError } from '../errors.js'

/** `lost`: nothing can be read back. Otherwise only the name points elsewhere, and the guard still reads what was written. */
export interface Damage {
  message: string
  lost: boolean
}

export interface GuardedFile {
  fd: number
  path: string
  /** The `inodeOf` from when it was opened. */
  inode?: string
}

export class FileGuard {
  readonly #fd: number
  readonly #path: string
  readonly #inode: string | undefined
  #hash: Hash
  #length: number
  #beforeLast: { hash: Hash; length: number } | undefined
  /** The state of the file when its content was last verified: while it stays the same, the file need not be read again. */
  #right: string | undefined

  /** `earlier`: the hash of what the file already held, when a run continues it. */
  constructor({ fd, path, inode }: GuardedFile, earlier?: { hash: Hash; length: number }) {
    this.#fd = fd
    this.#path = path
    this.#inode = inode
    this.#hash = earlier?.hash.copy() ?? newHash()
    this.#length = earlier?.length ?? 0
  }

  /** Call before each write: the write must not hide a change made by something else. */
  writes(): void {
    if (this.#right !== undefined && this.#right !== this.#state()) this.#right = undefined
  }

  wrote(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#length += bytes.length
    if (this.#right !== undefined) this.#right = this.#state()
  }

  /** What is written next can be undone with `takeBack`. */
  mark(): void {
    this.#beforeLast = { hash: this.#hash.copy(), length: this.#length }
  }

  takeBack(): void {
    if (!this.#beforeLast) return
    this.#hash = this.#beforeLast.hash
    this.#length = this.#beforeLast.length
  }

  /**
   * What was written, read from the opened file, wherever its name points now. Throws at the end if it differs.
   * All chunks are in one buffer: each is valid until the next is asked for.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    const expected = this.#hash.copy().digest('hex')
    const length = this.#length
    const found = newHash()
    const block = Buffer.allocUnsafe(Math.min(BLOCK, length))
    let position = 0
    while (position < length) {
      // Not a stream: leaving one early closes the file, which is still being written.
      const { bytesRead } = await readAt(this.#fd, block, 0, Math.min(block.length, length - position), position)
      if (bytesRead === 0) break
      const chunk = block.subarray(0, bytesRead)
      found.update(chunk)
      position += bytesRead
      yield chunk
    }
    if (position < length || found.digest('hex') !== expected) throw this.#changed()
  }

  async check(): Promise<Damage | undefined> {
    try {
      const state = this.#state()
      if (state !== this.#right) {
        if (fstatSync(this.#fd).size !== this.#length) throw this.#changed()
        for await (const _ of this.chunks());
        this.#right = state
      }
      return this.#moved()
    } catch (error) {
      if (error instanceof UserError) return { message: error.reason, lost: true }
      return { message: `cannot tell whether ${this.#path} holds what was written: ${messageOf(error)}`, lost: true }
    }
  }

  #state(): string {
    const { size, mtimeNs, ctimeNs } = fstatSync(this.#fd, { bigint: true })
    return `${size}:${mtimeNs}:${ctimeNs}`
  }

  #moved(): Damage | undefined {
    if (this.#inode === undefined) return undefined
    const now = inodeAt(this.#path)
    if (now === this.#inode) return undefined
    const what = now === undefined ? 'removed' : 'replaced by another file'
    return { message: `${this.#path} was ${what} while the run was writing it`, lost: false }
  }

  #changed(): UserError {
    return new UserError({
      code: 'EVENTS_CHANGED',
      message: `${this.#path} was changed by something other than this run`,
      hint: 'its results cannot be trusted: find out what writes there, and run again',
      exitCode: 3,
    })
  }
}

const BLOCK = 256 * 1024
const readAt = promisify(read)

export function newHash(): Hash {
  return createHash('sha256')
}

/** Which file was opened; undefined if the system reports a different number each time. */
export function inodeOf(fd: number, path: string): string | undefined {
  const inode = inodeText(fstatSync(fd, { bigint: true }))
  return inode === inodeAt(path) ? inode : undefined
}

function inodeAt(path: string): string | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false })
  return info && inodeText(info)
}

function inodeText({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}
