// `-i` → cases, for a file, standard input and a message. The caller handles script tests and generators.
import { open, stat, type FileHandle } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import type { CaseSource } from '../../model/source.js'
import { openCaseFile, type ReadValues } from './case-file.js'
import { detectInput, type DetectedInput } from './detect.js'
import { readJsonl } from './jsonl.js'
import { openMessage } from './message.js'
import { withSkillEvals } from './skill-values.js'
import { spool } from './spool.js'
import { messageOf } from '../../base/message-of.js'
import { once } from '../../base/once.js'
import type { OpenFileOptions, OpenSourceOptions } from './open-options.js'
import { defined } from '../../base/defined.js'

export async function openSource(input: string | DetectedInput, options: OpenSourceOptions): Promise<CaseSource> {
  const detected = typeof input === 'string' ? detectInput(input, { cwd: options.cwd }) : input
  switch (detected.kind) {
    case 'message':
      return openMessage(detected.value, options)
    case 'stdin':
      return openStandardInput(options)
    case 'file': {
      const [file = detected.value, ...more] = detected.files
      if (more.length > 0) return (await import('./many-files.js')).openFiles(detected, options, openFile)
      return openFile(file, { ...options, label: detected.value })
    }
    case 'cases':
    case 'contract':
    case 'script_test':
    case 'generator_agent':
    case 'generator_script':
      throw new Error(`${detected.kind} is not a source of cases that can be opened here`)
  }
}

async function openStandardInput(options: OpenSourceOptions): Promise<CaseSource> {
  if (!options.stdin) throw noStandardInput()
  const spooled = await spool(options.stdin)
  const init = { kind: 'stdin' as const, label: '-', dir: options.cwd, read: readJsonl, ...spooled }
  return openCaseFile(init, options)
}

function noStandardInput(): UserError {
  return new UserError({
    code: 'NO_STDIN',
    subject: { flag: '-i' },
    message: '"-" is standard input, but there is none here',
    hint: 'pass it to the run as `stdin`, or name a case file',
  })
}

async function openFile(path: string, given: OpenFileOptions): Promise<CaseSource> {
  const { label = path, oneOf, checksIn } = given
  const file = resolve(given.cwd, path)
  const dir = dirname(file)
  const options = { ...given, ...checksIn?.(dir) }
  if (isCaseModule(file)) return openModule(file, path, options)
  const read = withSkillEvals(await readerFor(file), file)
  const init = { kind: 'file' as const, label: path, file, dir, read }
  const stats = await stat(file).catch((error: unknown) => cannotRead(path, error))
  if (stats.isDirectory()) throw notAFile(path, 'a folder')
  if (stats.isFIFO() || stats.isSocket()) {
    const pipe = await openHandle(file, path)
    return openCaseFile({ ...init, ...(await spool(pipe.createReadStream())) }, options)
  }
  if (!stats.isFile()) throw notAFile(path, 'a device')
  const handle = await openHandle(file, path)
  const again = oneOf && { ...oneOf, open: () => openHandle(file, path) }
  const source = await openCaseFile(
    { ...init, handle, close: once(() => handle.close()), ...defined({ again }) },
    options,
  )
  return label === path ? source : { ...source, label }
}

async function openModule(file: string, path: string, options: OpenFileOptions): Promise<CaseSource> {
  const { oneOf, label = path, ...checks } = options
  const source = await (await import('./program-cases.js')).openCaseModule(file, path, checks)
  if (oneOf) for await (const batch of source.cases()) for (const { testCase } of batch) testCase.file = oneOf.shown
  return { ...source, label }
}

/** A program that exports its cases. */
function isCaseModule(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file)
}

async function readerFor(file: string): Promise<ReadValues> {
  const ending = extname(file).toLowerCase()
  switch (ending) {
    case '.csv':
      return (await import('./csv-file.js')).readCsvFile
    case '.json':
      return (await import('./json-file.js')).readJsonFile
    case '.yaml':
    case '.yml':
      return (await import('./yaml-file.js')).readYamlFile
    default:
      return readJsonl
  }
}

async function openHandle(file: string, path: string): Promise<FileHandle> {
  return open(file, 'r').catch((error: unknown) => cannotRead(path, error))
}

function cannotRead(path: string, error: unknown): never {
  const reason = messageOf(error)
  throw new UserError({ code: 'CANNOT_READ', message: `cannot read ${path}: ${reason}`, cause: error })
}

function notAFile(path: string, found: string): UserError {
  return new UserError({ code: 'NOT_A_FILE', message: `${path} is ${found}, expected a case file` })
}
