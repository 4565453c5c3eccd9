// `viva init`: scaffolds a project that passes immediately, or only the types for editors.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import { readTemplates } from '../../files/shipped.js'
import type { CommandCall } from '../command.js'
import { INIT_KINDS, type InitKind } from '../init/kinds.js'
import { workflow } from '../init/workflow.js'
import { stdout } from '../terminal.js'

export async function init({ args, flags }: CommandCall): Promise<number> {
  const given = args[0]
  const dir = resolve(given ?? '.')
  if (flags['types'] === true) {
    writeAll(dir, readTemplates('viva.d.ts'), flags['force'] === true)
    return 0
  }
  const kind = await kindOf(flags['kind'])
  const copied = Object.assign({}, ...kind.templates.map(readTemplates)) as Record<string, string>
  writeAll(dir, { ...copied, '.github/workflows/viva.yml': workflow(kind) }, flags['force'] === true)
  keepOwnFolder(dir)
  const enter = given === undefined ? [] : [`cd ${given}`]
  const commands = [...enter, ...kind.setup, ...kind.tests.map((test) => `viva test ${test}`)]
  stdout.write(`\nTry it:\n${commands.map((command) => `  ${command}\n`).join('')}`)
  return 0
}

async function kindOf(given: unknown): Promise<InitKind> {
  const found = INIT_KINDS.find(({ kind }) => kind === given)
  if (found) return found
  if (given === undefined && process.stdin.isTTY && process.stdout.isTTY)
    return (await import('../init/ask-kind.js')).askKind()
  return INIT_KINDS[0] as InitKind
}

const IGNORED = '.viva/'

/** Runs, history and caches stay out of the tests and out of git. An existing list gets a line. */
function keepOwnFolder(dir: string): void {
  write(join(dir, '.viva/.gitignore'), '*\n')
  const path = join(dir, '.gitignore')
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (before.split(/\r?\n/).includes(IGNORED)) return
  write(path, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${IGNORED}\n`)
  stdout.write('  .gitignore\n')
}

function writeAll(dir: string, files: Record<string, string>, force: boolean): void {
  const taken = Object.keys(files).filter((path) => existsSync(join(dir, path)))
  if (taken.length > 0 && !force) throw wouldReplace(taken, dir)
  for (const [path, text] of Object.entries(files)) {
    write(join(dir, path), text)
    stdout.write(`  ${path}\n`)
  }
}

function write(path: string, text: string): void {
  try {
    makeFolders(dirname(path))
    writeFileSync(path, text)
  } catch (error) {
    throw cannotWrite(path, error, 'choose another folder: viva init my-agents')
  }
}

function wouldReplace(taken: string[], dir: string): UserError {
  return new UserError({
    code: 'FILES_EXIST',
    message: `${taken.length === 1 ? 'this file exists' : 'these files exist'} in ${dir}: ${taken.join(', ')}`,
    hint: 'nothing was written; choose another folder, or replace them with --force',
  })
}
