// Which hooks `src/index.ts` has, read from its syntax: a package without them starts no script process.
import { join } from 'node:path'
import type { Problem } from '../../../errors.js'
import { suggest } from '../../../base/suggest.js'
import { isFile } from '../../../files/stat.js'
import type { ScriptSyntax } from '../../../scripts/compile/parse.js'
import type { HookFile } from '../types.js'
import { readText } from './yao-file.js'

const HOOKS = ['Create', 'Next']

interface HookContext {
  dir: string
  appRoot: string
  warn?(text: string): void
}

/** A hook that is overlooked leaves the model's own answer to be tested: what cannot be read is a problem. */
export async function findHooks(context: HookContext, problems: Problem[]): Promise<HookFile | undefined> {
  const file = ['index.ts', 'index.js'].map((name) => join(context.dir, 'src', name)).find(isFile)
  const source = file === undefined ? undefined : readText(file, problems)
  if (file === undefined) refuseOthers(context.dir, problems)
  if (file === undefined || source === undefined) return undefined
  // Most packages have no scripts, and need not wait for what reads them.
  const { exportedNames } = await import('../../../scripts/compile/exported-names.js')
  const { parseScript } = await import('../../../scripts/compile/parse.js')
  const syntaxOf = (path: string, text: string): Promise<ScriptSyntax> => parseScript(path, text, context.appRoot)
  const syntax = await syntaxOf(file, source)
  if (syntax.problem) {
    problems.push({ ...syntax.problem, file })
    return undefined
  }
  const { names, unknown } = await exportedNames(file, syntax, syntaxOf)
  const known = new Set([...names, ...syntax.functions.map(({ name }) => name)])
  // CommonJS is not parsed: the name of a hook counts as the hook.
  const has = (hook: string): boolean => known.has(hook) || (syntax.isCommonJs && hasWord(source, hook))
  const missing = HOOKS.filter((hook) => !has(hook))
  const isWithout = missing.length === HOOKS.length
  for (const name of isWithout ? unknown : [])
    problems.push({ file, message: `cannot see what ${name} exports; write export { Next } from '${name}'` })
  if (isWithout && syntax.hasDefault && HOOKS.some((hook) => hasWord(source, hook)))
    problems.push({ file, message: 'hooks are exported by name (export function Next), not by default' })
  for (const { name, line, exported } of syntax.functions) {
    const near = exported ? suggest(name, missing) : undefined
    if (near === undefined) continue
    if (name.toLowerCase() === near.toLowerCase())
      problems.push({ file, line, message: `"${name}" is not called: no hook has this name`, suggestion: near })
    else context.warn?.(`${file}:${line}: no hook is called "${name}", so it never runs; did you mean "${near}"?`)
  }
  return isWithout ? undefined : { file, create: has('Create'), next: has('Next') }
}

/** As `src/index.mts`, which nothing would read. */
function refuseOthers(dir: string, problems: Problem[]): void {
  const files = ['mts', 'mjs', 'cts', 'cjs', 'tsx', 'jsx'].map((end) => join(dir, 'src', `index.${end}`)).filter(isFile)
  for (const file of files) {
    const source = readText(file, problems)
    if (source === undefined || !HOOKS.some((hook) => hasWord(source, hook))) continue
    problems.push({ file, message: 'hooks are read from src/index.ts or src/index.js: rename this file' })
  }
}

function hasWord(source: string, word: string): boolean {
  return new RegExp(String.raw`\b${word}\b`).test(source)
}
