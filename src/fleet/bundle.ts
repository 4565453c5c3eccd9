// `--bundle`: the files of a run travel along, each once, by the hash of its content.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Redis } from 'ioredis'
import { pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'
import { isFolder } from '../files/stat.js'
import { hashOf } from './manifest.js'
import { PIECE_BYTES } from './pieces.js'
import type { RunSpec } from './protocol.js'
import type { RunKeys } from './redis/keys.js'
import { KEEP_MS } from './times.js'

const MAX_BUNDLE_BYTES = 256 * 1024 * 1024

/** Puts the files there, or keeps them there: workers may join for as long as the run is going on. */
export async function keepBundle(redis: Redis, keys: RunKeys, files: RunSpec['files'], root: string): Promise<void> {
  let total = 0
  for (const [path, hash] of await lacking(redis, keys, files)) {
    const content = readFileSync(join(root, path))
    total += content.length
    if (total > MAX_BUNDLE_BYTES) throw tooLarge()
    if (hashOf(content) !== hash) throw changed(path)
    const key = keys.file(hash)
    const change = redis.multi().del(key)
    for (let at = 0; at === 0 || at < content.length; at += PIECE_BYTES)
      change.rpush(key, content.subarray(at, at + PIECE_BYTES))
    await change.pexpire(key, KEEP_MS).exec()
  }
}

async function lacking(redis: Redis, keys: RunKeys, files: RunSpec['files']): Promise<Array<[string, string]>> {
  const entries = Object.entries(files)
  const renew = redis.pipeline()
  for (const [, hash] of entries) renew.pexpire(keys.file(hash), KEEP_MS)
  const kept = (await renew.exec()) ?? []
  return entries.filter((_, index) => kept[index]?.[1] !== 1)
}

/** Into a new folder, which the caller must remove. Throws if a path leads out or a content does not match its hash. */
export async function getBundle(
  redis: Redis,
  keys: RunKeys,
  { files, programs }: Pick<RunSpec, 'files' | 'programs'>,
  modulesFrom: string,
): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-bundle-')))
  for (const [path, hash] of Object.entries(files)) {
    const problem = pathProblem(path)
    if (problem !== undefined) throw new Error(`the bundle names "${path}": ${problem}`)
    const content = Buffer.concat(await redis.lrangeBuffer(keys.file(hash), 0, -1))
    if (hashOf(content) !== hash) throw new Error(`${path} of the bundle is not what was sent`)
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    // New in a new folder: neither a link nor a file can be there already.
    writeFileSync(target, content, { flag: 'wx', mode: programs.includes(path) ? 0o755 : 0o644 })
  }
  const modules = join(modulesFrom, 'node_modules')
  if (isFolder(modules)) symlinkSync(modules, join(root, 'node_modules'))
  return root
}

function tooLarge(): UserError {
  return new UserError({
    code: 'BUNDLE_TOO_LARGE',
    subject: { flag: '--bundle' },
    message: `the files are larger than ${MAX_BUNDLE_BYTES / 1024 / 1024} MB together`,
    hint: 'put the application on the workers instead, for example with their image',
  })
}

function changed(path: string): UserError {
  return new UserError({
    code: 'FILE_CHANGED',
    message: `${path} has changed since the run was started`,
    hint: 'start the run again',
  })
}
