// The recording of a run travels as a whole: workers read it as if it lay with them, and keep nothing of it.
import type { Redis } from 'ioredis'
import { UserError } from '../errors.js'
import type { Prepared } from '../run/prepare.js'
import type { TapeLoan } from '../run/recording/recordings.js'
import { getPieces, putPieces } from './pieces.js'
import { aboutTape, type RunSpec } from './protocol.js'
import type { RunKeys } from './redis/keys.js'
import type { Seal } from './seal.js'
import { KEEP_MS } from './times.js'

const MAX_CHARACTERS = 128 * 1024 * 1024

export interface TapePlace {
  redis: Redis
  keys: RunKeys
  seal: Seal
  spec: RunSpec
}

/** Puts it there, or keeps it there. */
export async function keepTape({ redis, keys, seal, spec }: TapePlace, { recordings }: Prepared): Promise<void> {
  if (!recordings?.lend || (await redis.pexpire(keys.tape, KEEP_MS)) === 1) return
  const text = JSON.stringify(recordings.lend())
  if (text.length > MAX_CHARACTERS) throw tooLarge(text.length)
  await putPieces(redis, keys.tape, seal.close(aboutTape(spec), text), KEEP_MS)
}

/** Throws when it is not there, or not what was sent. */
export async function getTape({ redis, keys, seal, spec }: TapePlace): Promise<TapeLoan> {
  const sealed = await getPieces(redis, keys.tape)
  const text = sealed === undefined ? undefined : seal.open(aboutTape(spec), sealed)
  if (text === undefined) throw new Error('the recording that was sent is not there, or not as it was sent')
  return JSON.parse(text) as TapeLoan
}

function tooLarge(characters: number): UserError {
  return new UserError({
    code: 'TAPE_TOO_LARGE',
    message: `the recording is ${Math.round(characters / 1024 / 1024)} MB, and ${MAX_CHARACTERS / 1024 / 1024} MB can be sent to workers`,
    hint: 'split the cases and their recordings, or replay it on one machine',
  })
}
