// A run as this worker has it: the same files, the same options, its own root, keys and processes.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import { pathProblem } from '../../base/relative-path.js'
import { UserError } from '../../errors.js'
import { DEFAULT_OPTIONS } from '../../config/options.js'
import type { SharePace } from '../../http/types.js'
import { completeIo, type RunIo } from '../../run/io.js'
import { prepare, type Prepared } from '../../run/prepare.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { openWork, type Work } from '../../run/work.js'
import { agentFiles } from '../agent-files.js'
import { buildId } from '../build-id.js'
import { getBundle } from '../bundle.js'
import { additions, differences } from '../manifest.js'
import { getParcels } from '../parcels.js'
import { CASES, PROTOCOL, type RunSpec } from '../protocol.js'
import type { RunKeys } from '../redis/keys.js'
import { isRedisError } from '../redis/open-redis.js'
import { FileWatch } from './file-watch.js'
import type { Seal } from '../seal.js'

export interface OpenRunInit {
  spec: RunSpec
  /** The folder that this worker was started for. */
  root: string
  slots: number
  io: Partial<RunIo>
  /** Not in its environment, and not to be shown. */
  secrets: readonly string[]
  redis: Redis
  keys: RunKeys
  seal: Seal
  /** Of the whole fleet. */
  sharePace: SharePace
  signal: AbortSignal
}

export interface OpenedRun {
  prepared: Prepared
  files: FileWatch
  close(): Promise<void>
}

/** Differences that are listed one by one. */
const MAX_NAMED = 5

/** Throws a UserError that says why this worker cannot take the run. */
export async function openRun(init: OpenRunInit): Promise<OpenedRun> {
  const { spec, redis, keys } = init
  requireSame(spec)
  const root = spec.bundle ? await unpack(init) : init.root
  const remove = (): void => {
    if (spec.bundle) rmSync(root, { recursive: true, force: true })
  }
  let prepared: Prepared | undefined
  const close = async (): Promise<void> => {
    await prepared?.close().catch(() => {})
    remove()
  }
  try {
    // First: what changes while it is being compared has changed.
    // A command may also name what it writes.
    const named = agentFiles(spec.variants, join(root, spec.cwd), root).filter((path) => spec.programs.includes(path))
    const files = new FileWatch(lastingFiles(spec), root, named)
    const different = [...differences(spec.files, root), ...(spec.bundle ? [] : additions(spec, root))]
    if (different.length > 0) throw refusal(listed(different))
    const { [CASES]: cases, ...lent } = await getParcels(init)
    const settings = await settingsOf(init, root, cases as object[] | undefined)
    const io = completeIo({ ...init.io, cwd: settings.cwd }, settings.options)
    prepared = await prepare(settings, io, init.signal, {
      run_id: spec.run_id,
      sharePace: init.sharePace,
      lent,
      // Units bring their cases. What decides about them is read before the first one runs, and identified by the file alone.
      openWork: async (work) => quietly(await openWork(work), spec.total),
    })
    await prepared.project.ready()
    await prepared.interceptors.ready()
    return { prepared, files, close }
  } catch (error) {
    await close()
    if (error instanceof UserError || isRedisError(error)) throw error
    throw refusal(messageOf(error))
  }
  async function unpack({ root: own }: OpenRunInit): Promise<string> {
    try {
      return await getBundle(redis, keys, spec, own)
    } catch (error) {
      if (isRedisError(error)) throw error
      throw refusal(messageOf(error))
    }
  }
}

function requireSame({ protocol, version: theirs, cwd, app }: RunSpec): void {
  if (theirs !== buildId() || protocol !== PROTOCOL)
    throw refusal(`the run is of Viva ${theirs} (protocol ${protocol}), this worker is ${buildId()} (${PROTOCOL})`)
  for (const path of [cwd, app])
    if (path !== '' && pathProblem(path) !== undefined) throw refusal(`"${path}" leads outside`)
}

/** What the run itself does not change: with `-U` it accepts snapshots, which may be here. */
function lastingFiles({ files, options }: RunSpec): RunSpec['files'] {
  if (options.update_snapshots !== true) return files
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('.snap')))
}

/** The coordinator has read the same cases, and reported what is odd about them. */
function quietly(work: Work, total: number): Work {
  return work.mode === 'agent' ? { ...work, total, source: { ...work.source, warnings: [] } } : { ...work, total }
}

async function settingsOf({ spec, slots, secrets }: OpenRunInit, root: string, cases?: object[]): Promise<Settings> {
  const cwd = join(root, spec.cwd)
  const options = { ...spec.options, app: join(root, spec.app), parallel: slots }
  const settings = await readSettings(options, cwd, cases ? { cases } : {})
  // The configuration may have its own defaults; what counts is what the run was started with.
  return {
    ...settings,
    options: { ...DEFAULT_OPTIONS, ...spec.options, parallel: slots },
    variants: spec.variants,
    secrets,
  }
}

function listed(different: string[]): string {
  const more = different.length - MAX_NAMED
  return `${different.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function refusal(message: string): UserError {
  return new UserError({ code: 'RUN_REFUSED', message, exitCode: 3 })
}
