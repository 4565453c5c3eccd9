// Cases of a file, in two passes: the first checks everything and keeps almost nothing, the second streams.
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { UserError } from '../../errors.js'
import type { CompiledAssertion } from '../../model/assertion.js'
import { normalizeCase } from '../../model/case-normalize.js'
import { PlanDigest, type Fingerprint } from '../../model/fingerprint.js'
import type { CaseSource, LoadedCase } from '../../model/source.js'
import { dropProtoKeys, mayHaveProtoKey } from '../../base/json/json-text.js'
import { isRecord } from '../../base/record.js'
import { ValueChecker, type CheckOptions } from './check-values.js'
import { fingerprintAll } from './fingerprint-all.js'
import type { RawValue } from './raw-value.js'

export interface CaseFileInit {
  kind: CaseSource['kind']
  label: string
  dir: string
  /** Absolute path, if the file is the user's own. */
  file?: string
  handle: FileHandle
  read: ReadValues
  close(): Promise<void>
  /** One of many files: it is opened again for the second pass, and its cases say where they are. */
  again?: { open(): Promise<FileHandle>; shown: string; keep: boolean }
}

/** A format: the values of a file, in batches, from its start. */
export type ReadValues = (file: FileHandle, onBytes?: (bytes: Uint8Array) => void) => AsyncIterable<RawValue[]>

// A file of this size is kept from the first pass: reading it twice costs more than the memory it takes.
const KEPT_BYTES = 4n * 1024n * 1024n
const BATCH = 256

/** Throws a UserError that lists every mistake in the file. */
export async function openCaseFile(init: CaseFileInit, options: CheckOptions): Promise<CaseSource> {
  const checker = new ValueChecker(init.label, options)
  const hash = createHash('sha256')
  const before = await init.handle.stat({ bigint: true })
  const digest = options.fingerprintOf && new PlanDigest()
  const kept: Kept[] | undefined = before.size <= KEPT_BYTES && init.again?.keep !== false ? [] : undefined
  let read = 0
  const onBytes = (bytes: Uint8Array): void => {
    read += bytes.length
    hash.update(bytes)
  }
  try {
    for await (const values of init.read(init.handle, onBytes)) {
      // Room for all ids in one go: growing step by step would need it twice.
      if (checker.total === 0) checker.expect((values.length * Number(before.size)) / Math.max(read, 1))
      await checker.checkAll(values)
      if (digest && options.fingerprintOf && checker.problems.count === 0)
        await fingerprintAll(values, options.fingerprintOf, { dir: init.dir, digest })
      if (kept) keep(kept, values)
    }
    checker.finish()
  } catch (error) {
    await init.close()
    throw error
  }
  const contentHash = hash.digest('hex')
  if (init.again) await init.close()
  return {
    kind: init.kind,
    label: init.label,
    ...(init.file !== undefined && { file: init.file }),
    dir: init.dir,
    total: checker.total,
    hash: contentHash,
    ...(digest && { digest }),
    warnings: checker.warnings,
    multi_turn: checker.multiTurn,
    cases: () => {
      const batches = kept ? fromMemory(kept) : opened(init, (handle) => streamCases(init, handle, contentHash, before))
      return init.again ? located(batches, init.again.shown) : batches
    },
    close: () => init.close(),
  }
}

async function* located(batches: AsyncIterable<LoadedCase[]>, file: string): AsyncGenerator<LoadedCase[]> {
  for await (const batch of batches) {
    for (const { testCase } of batch) testCase.file = file
    yield batch
  }
}

async function* opened(
  { again, handle }: CaseFileInit,
  read: (handle: FileHandle) => AsyncIterable<LoadedCase[]>,
): AsyncGenerator<LoadedCase[]> {
  if (!again) return yield* read(handle)
  const own = await again.open()
  try {
    yield* read(own)
  } finally {
    await own.close()
  }
}

/** A value that was checked, without its text. */
interface Kept {
  value: Record<string, unknown>
  line: number
  checks: CompiledAssertion[] | undefined
  print: Fingerprint | undefined
}

function keep(kept: Kept[], values: RawValue[]): void {
  for (const { value, line, checks, print } of values) if (isRecord(value)) kept.push({ value, line, checks, print })
}

async function* fromMemory(kept: Kept[]): AsyncGenerator<LoadedCase[]> {
  for (let start = 0; start < kept.length; start += BATCH) {
    yield kept
      .slice(start, start + BATCH)
      .map(({ value, line, checks, print }) => ({ testCase: normalizeCase(value, line), checks, print }))
  }
}

/** A file can be changed and given its old time: what counts is what was read. */
async function* streamCases(
  init: CaseFileInit,
  handle: FileHandle,
  digest: string,
  before: Stamp,
): AsyncGenerator<LoadedCase[]> {
  const unchanged = (): Promise<boolean> => isUnchanged(handle, before)
  if (!(await unchanged())) throw fileChanged(init.label)
  const hash = createHash('sha256')
  for await (const values of init.read(handle, (bytes) => hash.update(bytes))) {
    yield values.map((raw) => {
      if (!isRecord(raw.value)) throw fileChanged(init.label)
      if (raw.text === '' || mayHaveProtoKey(raw.text)) dropProtoKeys(raw.value)
      return { testCase: normalizeCase(raw.value, raw.line) }
    })
  }
  if (!(await unchanged()) || hash.digest('hex') !== digest) throw fileChanged(init.label)
}

interface Stamp {
  size: bigint
  mtimeNs: bigint
}

async function isUnchanged(handle: FileHandle, before: Stamp): Promise<boolean> {
  const now = await handle.stat({ bigint: true })
  return now.size === before.size && now.mtimeNs === before.mtimeNs
}

function fileChanged(label: string): UserError {
  return new UserError({
    code: 'FILE_CHANGED',
    message: `${label} was changed while its cases were running`,
    hint: 'run it again; edit a copy, or wait until the run is over',
    exitCode: 3,
  })
}
