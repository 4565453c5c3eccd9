// A prepared run → what workers learn about it: options that mean the same elsewhere, paths below a common root.
import { randomBytes } from 'node:crypto'
import { isAbsolute, relative, resolve } from 'node:path'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { pathBelow } from '../../files/inside.js'
import { statOf } from '../../files/stat.js'
import { credentialSecrets } from '../../http/credentials.js'
import { optionsWhere } from '../../config/options.js'
import { isSecretSetting } from '../../redact/secret-names.js'
import type { Prepared } from '../../run/prepare.js'
import { agentFiles, posix } from '../agent-files.js'
import { buildId } from '../build-id.js'
import { readManifest } from '../manifest.js'
import { parcelsOf } from '../parcels.js'
import { PROTOCOL, type RunSpec } from '../protocol.js'

/** Options that are decided here alone, or written here. */
const OURS = optionsWhere(
  ({ rules: { fleet } }) => (typeof fleet === 'string' ? fleet : fleet.otherwise) === 'coordinator',
)

export interface Described {
  spec: RunSpec
  /** The folder that paths of the specification are relative to, on this machine. */
  root: string
}

export function describeRun(prepared: Prepared): Described {
  const { cwd, appRoot, options, work, run_id, variants, input } = prepared
  requireSendable(prepared)
  const root = rootOf(cwd, appRoot)
  const below = (path: string, flag: string): string => posix(requireBelow(root, path, flag))
  const files = input.kind === 'file' ? input.files.map((file) => resolve(cwd, file)) : []
  const named = [
    ...files.map((file) => below(file, '-i')),
    ...(options.ctx === undefined ? [] : [below(resolve(cwd, options.ctx), '--ctx')]),
  ]
  // Event files are otherwise left out.
  for (const { target = '' } of variants)
    if (target.startsWith('recorded:')) named.push(below(resolve(cwd, target.slice('recorded:'.length)), '-n'))
  // A recording is one of them: it travels separately.
  const written = [...options.output, options.save_turns, ...prepared.interceptors.files()].flatMap((path) =>
    path === undefined ? [] : (pathBelow(root, resolve(cwd, path)) ?? []),
  )
  const except = written.map(posix)
  const given = Object.fromEntries(Object.entries(options).filter(([key]) => !OURS.has(key)))
  // As seen from where the run is started, on any machine.
  const moved = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : posix(relative(cwd, resolve(cwd, path)))
  const app = below(appRoot, 'the application root')
  const parcels = parcelsOf(prepared)
  const isSent = parcels.includes('cases')
  const manifest = readManifest({
    root,
    app,
    also: named,
    agents: agentFiles(variants, cwd, root),
    except: new Set(except),
  })
  return {
    root,
    spec: {
      protocol: PROTOCOL,
      version: buildId(),
      run_id,
      term: randomBytes(8).toString('hex'),
      total: work.total,
      options: {
        ...given,
        ...defined({ ctx: moved(options.ctx), replay: moved(options.replay), record: moved(options.record) }),
        ...(!isSent && { input: input.kind === 'file' ? files.map((file) => `@${moved(file)}`) : input.value }),
      },
      variants,
      cwd: below(cwd, 'the working directory'),
      app,
      files: manifest,
      programs: Object.keys(manifest).filter((path) => isProgram(resolve(root, path))),
      except,
      bundle: options.bundle,
      parcels,
    },
  }
}

function isProgram(path: string): boolean {
  return ((statOf(path)?.mode ?? 0) & 0o111) !== 0
}

/** The upper one of both: one is inside the other, or no worker could have both. */
function rootOf(cwd: string, appRoot: string): string {
  if (pathBelow(cwd, appRoot) !== undefined) return cwd
  if (pathBelow(appRoot, cwd) !== undefined) return appRoot
  throw new UserError({
    code: 'NOT_PORTABLE',
    message: `the application root ${appRoot} and the working directory ${cwd} are in different places: workers could not locate them`,
    hint: 'start viva test --queue from the application root, or from a folder above it',
  })
}

function requireBelow(root: string, path: string, flag: string): string {
  const way = pathBelow(root, path)
  if (way !== undefined) return way
  throw new UserError({
    code: 'NOT_PORTABLE',
    subject: { flag },
    message: `${path} is outside ${root}: workers do not have it`,
    hint: 'move it there, or start viva test --queue from a folder above both',
  })
}

/** Cases, and names of agents, travel through Redis; secrets do not. */
function requireSendable({ options, variants, inline, redactor }: Prepared): void {
  if (inline.agent) throw notPortable()
  const isSecret = (text: string): boolean => credentialSecrets(text).length > 0 || redactor.text(text) !== text
  for (const { name, target = '', env = {} } of variants) {
    if (isSecret(target)) throw secret(name === '' ? '-n' : `variant "${name}"`)
    if (isAbsolute(target.replace(/#[^#]*$/, ''))) throw absolute(target)
    for (const [key, value] of Object.entries(env))
      if ((isSecretSetting(key) && !value.includes('$ENV.')) || isSecret(value))
        throw secret(`env.${key} of variant "${name}"`)
  }
  for (const target of [options.simulator, options.reporter, options.judge])
    if (target !== undefined && isSecret(target)) throw secret(redactor.text(target).replace(/\/\/.*@/, '//…@'))
}

function notPortable(): UserError {
  return new UserError({
    code: 'NOT_PORTABLE',
    message: 'an agent that is a function of this process cannot be run by workers',
    hint: 'export it from a module, and name that: ./agent.ts#run',
  })
}

function absolute(target: string): UserError {
  return new UserError({
    code: 'NOT_PORTABLE',
    subject: { flag: '-n' },
    message: `${target} is an absolute path, which other machines may not have`,
    hint: 'name it relative to where the run is started, for example ./agent.ts#run',
  })
}

function secret(what: string): UserError {
  return new UserError({
    code: 'SECRET_IN_QUEUE',
    message: `${what} contains a secret, which would be sent through Redis`,
    hint: 'secrets stay with the workers: set a variable there, and write $ENV.NAME in the configuration',
  })
}
