// A run as this worker has it: the same files, the same options, its own root, keys and processes.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import { pathProblem } from '../../base/relative-path.js'
import { UserError } from '../../errors.js'
import { completeIo, type RunIo } from '../../run/io.js'
import { prepare, type Prepared } from '../../run/prepare.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { resolveTested, type Tested } from '../../run/unit/tested.js'
import { openWork, type AgentWork, type Work, type WorkInit } from '../../run/work.js'
import { version } from '../../version.js'
import { getBundle } from '../bundle.js'
import { differences } from '../manifest.js'
import { PROTOCOL, type RunSpec } from '../protocol.js'
import type { RunKeys } from '../redis/keys.js'

export interface OpenRunInit {
  spec: RunSpec
  /** The folder that this worker was started for. */
  root: string
  slots: number
  io: Partial<RunIo>
  redis: Redis
  keys: RunKeys
  signal: AbortSignal
}

export interface OpenedRun {
  prepared: Prepared
  close(): Promise<void>
}

/** Differences that are named one by one. */
const MAX_NAMED = 5

/** Throws a UserError that says why this worker cannot take the run. */
export async function openRun(init: OpenRunInit): Promise<OpenedRun> {
  const { spec, redis, keys } = init
  requireSame(spec)
  const root = spec.bundle ? await unpack(init) : init.root
  const remove = (): void => {
    if (spec.bundle) rmSync(root, { recursive: true, force: true })
  }
  try {
    const different = differences(spec.files, root)
    if (different.length > 0) throw refusal(listed(different))
    const settings = await settingsOf(init, root)
    const io = completeIo({ ...init.io, cwd: settings.cwd }, settings.options)
    const prepared = await prepare(settings, io, init.signal, {
      run_id: spec.run_id,
      openWork: (work) => openShare(work, spec, root),
    })
    await prepared.project.ready()
    await prepared.snapshots.ready()
    return {
      prepared,
      close: async () => {
        await prepared.close().catch(() => {})
        remove()
      },
    }
  } catch (error) {
    remove()
    if (error instanceof UserError) throw error
    throw refusal(messageOf(error))
  }
  async function unpack({ root: own }: OpenRunInit): Promise<string> {
    try {
      return await getBundle(redis, keys, spec.files, own)
    } catch (error) {
      throw refusal(messageOf(error))
    }
  }
}

function requireSame({ protocol, version: theirs, cwd, app, source }: RunSpec): void {
  if (theirs !== version() || protocol !== PROTOCOL)
    throw refusal(`the run is of Viva ${theirs} (protocol ${protocol}), this worker is ${version()} (${PROTOCOL})`)
  for (const path of [cwd, app, source?.dir, source?.file])
    if (path !== undefined && path !== '' && pathProblem(path) !== undefined) throw refusal(`"${path}" leads outside`)
}

async function settingsOf({ spec, slots }: OpenRunInit, root: string): Promise<Settings> {
  const cwd = join(root, spec.cwd)
  const options = { ...spec.options, app: join(root, spec.app), parallel: slots }
  const settings = await readSettings(options, cwd)
  const dir = spec.source === undefined ? settings.dir : join(root, spec.source.dir)
  return {
    ...settings,
    dir,
    // The configuration here has defaults of its own; what counts is what the run was started with.
    options: { ...settings.options, ...spec.options, parallel: slots, variant: [] },
    variants: spec.variants,
    ...(spec.source?.file !== undefined && {
      input: { kind: 'file' as const, value: join(root, spec.source.file), params: {} },
    }),
  }
}

/** Units bring their cases; files of script tests are looked up by their reference. */
async function openShare(init: WorkInit, spec: RunSpec, root: string): Promise<Work> {
  if (spec.mode === 'script_test') return openWork(init)
  const tested = await resolveTested(init.settings, init.project)
  const [{ agent }] = tested as [Tested]
  const nothing = async function* (): AsyncGenerator<never> {}
  const work: AgentWork = {
    mode: 'agent',
    label: '',
    total: spec.total,
    tested,
    agent,
    source: {
      kind: spec.source?.file === undefined ? 'generator' : 'file',
      label: '',
      dir: join(root, spec.source?.dir ?? ''),
      ...(spec.source?.file !== undefined && { file: join(root, spec.source.file) }),
      warnings: [],
      cases: nothing,
      close: async () => {},
    },
    planned: nothing,
    jobs: nothing,
    close: async () => {},
  }
  return work
}

function listed(different: string[]): string {
  const more = different.length - MAX_NAMED
  return `${different.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function refusal(message: string): UserError {
  return new UserError({ code: 'RUN_REFUSED', message, exitCode: 3 })
}
