// What is recorded during the run: one line per interaction, on disk before the result of its case.
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseJson } from '../base/json/parse-json.js'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { makeFolders } from '../files/make-folders.js'
import { replaceFile } from '../files/replace-file.js'
import type { Interaction, ConversationId } from '../model/cassette.js'

/** The first line: which run, and the time its prompts state. */
export interface UnsavedStart {
  run_id: string
  clock: string
}

export type UnsavedLine =
  /** `order`: among all calls of the run; `position`: among those of its hat in its conversation. */
  | {
      type: 'interaction'
      order: number
      position: number
      interaction: Interaction
      /** What was there is too old: it is replaced even if the answer is the same. */
      renews?: true
    }
  /** Of the interactions that were there before, only those at these positions of each hat remain. */
  | { type: 'cut'; conversation: ConversationId; kept: Record<string, number[]> }
  /** The conversation begins again: what was recorded of it does not count. */
  | { type: 'restart'; conversation: ConversationId }

export interface Unsaved {
  start: UnsavedStart
  lines: UnsavedLine[]
}

export class UnsavedFile {
  readonly #path: string
  #fd: number | undefined
  #isEmpty = false

  constructor(path: string) {
    this.#path = path
  }

  /** Begins with what an earlier part of the run left. */
  open(unsaved: Unsaved): void {
    try {
      makeFolders(dirname(this.#path))
      const lines = [{ type: 'start', ...unsaved.start }, ...unsaved.lines]
      replaceFile(this.#path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      this.#fd = openSync(this.#path, 'a')
      this.#isEmpty = unsaved.lines.length === 0
    } catch (error) {
      throw this.#cannot(error)
    }
  }

  append(line: UnsavedLine): void {
    if (this.#fd === undefined) throw new Error('the file of unsaved entries is not open')
    try {
      this.#isEmpty = false
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
      for (let written = 0; written < bytes.length;) written += writeSync(this.#fd, bytes, written)
    } catch (error) {
      throw this.#cannot(error)
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** The run ends early: what was recorded is kept; an empty file of unsaved entries is not. */
  leave(): void {
    if (this.#fd !== undefined && this.#isEmpty) this.remove()
    else this.close()
  }

  remove(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }

  #cannot(error: unknown): UserError {
    return cannotWrite(this.#path, error, 'choose another place for the recording', 3)
  }
}

/** Undefined if there is none. A truncated last line is left out: its call was never answered. */
export function readUnsaved(path: string): Unsaved | undefined {
  if (!existsSync(path)) return undefined
  const [first, ...rest] = readFileSync(path, 'utf8').split('\n')
  const start = parseJson(first ?? '')?.value as (UnsavedStart & { type: string }) | undefined
  if (start?.type !== 'start') throw damaged(path, 1)
  const lines: UnsavedLine[] = []
  // After the last newline there is nothing, or half a line.
  for (const [index, text] of rest.slice(0, -1).entries()) {
    const line = parseJson(text)?.value as UnsavedLine | undefined
    if (line === undefined) throw damaged(path, index + 2)
    lines.push(line)
  }
  return { start: { run_id: start.run_id, clock: start.clock }, lines }
}

function damaged(path: string, line: number): UserError {
  return new UserError({
    code: 'BAD_JOURNAL',
    message: `${path}:${line}: the journal of a recording is damaged`,
    hint: 'remove it and record again',
  })
}

/** Beside the recording it belongs to. */
export function unsavedFileOf(path: string): string {
  return `${path}.journal`
}
