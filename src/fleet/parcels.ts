// What a run needs besides files, and every worker as a whole: it is in Redis, sealed, for as long as the run is going on.
import type { Redis } from 'ioredis'
import { UserError } from '../errors.js'
import { writtenCase } from '../model/case-written.js'
import type { Prepared } from '../run/prepare.js'
import { getPieces, putPieces } from './pieces.js'
import { aboutParcel, CASES, type RunSpec } from './protocol.js'
import type { RunKeys } from './redis/keys.js'
import type { Seal } from './seal.js'
import { KEEP_MS } from './times.js'

export interface ParcelAddress {
  redis: Redis
  keys: RunKeys
  seal: Seal
  spec: RunSpec
}

const MAX_CHARACTERS = 128 * 1024 * 1024

/** Which of them this run has: what interceptors lend, and cases that are in no file. */
export function parcelsOf({ interceptors, input, work }: Prepared): string[] {
  return [...interceptors.lenders, ...(work.mode === 'agent' && isInNoFile(input.kind) ? [CASES] : [])]
}

async function makeParcel(name: string, { interceptors, work }: Prepared): Promise<unknown> {
  if (name !== CASES) return interceptors.lend(name)
  const cases: object[] = []
  // What they refer to is checked before the first of them runs.
  if (work.mode === 'agent')
    for await (const batch of work.planned())
      for (const { unit } of batch) if (unit.kind === 'case') cases.push(writtenCase(unit.testCase))
  return cases
}

/** Puts them there, or keeps them there. */
export async function keepParcels({ redis, keys, seal, spec }: ParcelAddress, prepared: Prepared): Promise<void> {
  for (const name of spec.parcels) {
    const key = keys.parcel(name)
    if ((await redis.pexpire(key, KEEP_MS)) === 1) continue
    const text = JSON.stringify(await makeParcel(name, prepared))
    if (text.length > MAX_CHARACTERS) throw tooLarge(name, text.length)
    await putPieces(redis, key, seal.close(aboutParcel(spec, name), text), KEEP_MS)
  }
}

/** By name. Throws if one is missing, or not what was sent. */
export async function getParcels({ redis, keys, seal, spec }: ParcelAddress): Promise<Record<string, unknown>> {
  const parcels: Record<string, unknown> = {}
  for (const name of spec.parcels) {
    const sealed = await getPieces(redis, keys.parcel(name))
    const text = sealed === undefined ? undefined : seal.open(aboutParcel(spec, name), sealed)
    if (text === undefined) throw new Error(`${called(name)} is missing, or not as sent`)
    parcels[name] = JSON.parse(text) as unknown
  }
  return parcels
}

/** A message is its own case; script tests are files. */
function isInNoFile(kind: Prepared['input']['kind']): boolean {
  return kind === 'stdin' || kind === 'cases' || kind === 'generator_agent' || kind === 'generator_script'
}

function called(name: string): string {
  return name === CASES ? 'the list of cases' : `what workers need for ${name}`
}

function tooLarge(name: string, characters: number): UserError {
  const [size, most] = [characters, MAX_CHARACTERS].map((count) => Math.round(count / 1024 / 1024))
  return new UserError({
    code: 'TOO_LARGE_TO_SEND',
    message: `${called(name)} is ${size} MB, and ${most} MB can be sent to workers`,
    hint:
      name === CASES
        ? 'write them to a file: viva test -i … --dry-run -o cases.jsonl'
        : 'split the cases, or run them on one machine',
  })
}
