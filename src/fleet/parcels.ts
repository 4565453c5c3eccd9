// What a run needs besides files, and every worker as a whole: it is in Redis, sealed, for as long as the run is going on.
import type { Redis } from 'ioredis'
import { UserError } from '../errors.js'
import { writtenCase } from '../model/case-written.js'
import type { Prepared } from '../run/prepare.js'
import type { TapeLoan } from '../run/recording/recordings.js'
import { getPieces, putPieces } from './pieces.js'
import { aboutParcel, type ParcelName, type RunSpec } from './protocol.js'
import type { RunKeys } from './redis/keys.js'
import type { Seal } from './seal.js'
import { KEEP_MS } from './times.js'

export interface Parcels {
  /** With a recording: workers read it as if it were theirs, and keep nothing of it. */
  tape: TapeLoan
  /** For cases that are in no file: what they refer to is checked before the first of them runs. */
  cases: object[]
}

export interface ParcelPlace {
  redis: Redis
  keys: RunKeys
  seal: Seal
  spec: RunSpec
}

const MAX_CHARACTERS = 128 * 1024 * 1024

const MAKERS: { [Name in ParcelName]: (prepared: Prepared) => Promise<Parcels[Name] | undefined> } = {
  tape: async ({ recordings }) => recordings?.lend?.(),
  cases: async ({ work, input }) => {
    if (work.mode !== 'agent' || !isInNoFile(input.kind)) return undefined
    const cases: object[] = []
    for await (const batch of work.planned())
      for (const { unit } of batch) if (unit.kind === 'case') cases.push(writtenCase(unit.testCase))
    return cases
  },
}

const WORDS: Record<ParcelName, { is: string; hint: string }> = {
  tape: { is: 'the recording is', hint: 'split the cases and their recordings, or replay it on one machine' },
  cases: { is: 'the cases are', hint: 'write them to a file: viva test -i … --dry-run -o cases.jsonl' },
}

/** Which of them this run has. */
export function parcelsOf({ recordings, input, work }: Prepared): ParcelName[] {
  return [
    ...(recordings?.lend ? (['tape'] as const) : []),
    ...(work.mode === 'agent' && isInNoFile(input.kind) ? (['cases'] as const) : []),
  ]
}

/** Puts them there, or keeps them there. */
export async function keepParcels({ redis, keys, seal, spec }: ParcelPlace, prepared: Prepared): Promise<void> {
  for (const name of spec.parcels) {
    const key = keys.parcel(name)
    if ((await redis.pexpire(key, KEEP_MS)) === 1) continue
    const text = JSON.stringify(await MAKERS[name](prepared))
    if (text.length > MAX_CHARACTERS) throw tooLarge(name, text.length)
    await putPieces(redis, key, seal.close(aboutParcel(spec, name), text), KEEP_MS)
  }
}

/** Throws if one is missing, or not what was sent. */
export async function getParcels({ redis, keys, seal, spec }: ParcelPlace): Promise<Partial<Parcels>> {
  const parcels: Partial<Record<ParcelName, unknown>> = {}
  for (const name of spec.parcels) {
    const sealed = await getPieces(redis, keys.parcel(name))
    const text = sealed === undefined ? undefined : seal.open(aboutParcel(spec, name), sealed)
    if (text === undefined) throw new Error(`${WORDS[name].is} not there, or not as sent`)
    parcels[name] = JSON.parse(text) as unknown
  }
  return parcels as Partial<Parcels>
}

/** A message is its own case; script tests are files. */
function isInNoFile(kind: Prepared['input']['kind']): boolean {
  return kind === 'stdin' || kind === 'cases' || kind === 'generator_agent' || kind === 'generator_script'
}

function tooLarge(name: ParcelName, characters: number): UserError {
  const [size, most] = [characters, MAX_CHARACTERS].map((count) => Math.round(count / 1024 / 1024))
  return new UserError({
    code: 'TOO_LARGE_TO_SEND',
    message: `${WORDS[name].is} ${size} MB, and ${most} MB can be sent to workers`,
    hint: WORDS[name].hint,
  })
}
