// `viva init`: scaffolds a project that passes at once, or only the types for editors.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { VIVA_TYPES } from '../../scripts/viva-types.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import type { CommandCall } from '../command.js'
import { initFiles } from '../init-files.js'

export async function init({ args, flags }: CommandCall): Promise<number> {
  const given = args[0]
  const dir = resolve(given ?? '.')
  const files: Record<string, string> = { 'viva.d.ts': VIVA_TYPES }
  if (flags['types'] !== true) Object.assign(files, initFiles())
  const taken = Object.keys(files).filter((path) => existsSync(join(dir, path)))
  if (taken.length > 0 && flags['force'] !== true) throw wouldReplace(taken, dir)
  for (const [path, text] of Object.entries(files)) {
    write(join(dir, path), text)
    process.stdout.write(`  ${path}\n`)
  }
  if (flags['types'] === true) return 0
  const enter = given === undefined ? '' : `  cd ${given}\n`
  process.stdout.write(
    `\nTry it:\n${enter}  viva test -i assistants/greeter/tests/inputs.jsonl\n  viva test -i scripts.greeter.greeting\n`,
  )
  return 0
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
