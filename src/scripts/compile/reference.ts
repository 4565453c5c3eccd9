// References to functions: `scripts.a.b.Fn`, `scripts:a.b.fn`, `agents.a.b.Fn`, `file_test.Function`, a bare `Function`.
import { join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { suggest } from '../../base/suggest.js'
import { parseFile, type ScriptSyntax } from './parse.js'
import { isInside } from '../../files/inside.js'
import { isFile } from '../../files/stat.js'
import { filesBelow, isNamePart, SCRIPT_ENDS, shownPath } from './paths.js'
import { findAgent } from './resolve.js'

export interface FunctionTarget {
  /** Absolute. */
  file: string
  /** Undefined: the default export, else the only exported function. */
  name?: string
}

export interface ReferenceContext {
  root: string
  /** The agent whose folders are searched first. */
  agentDir?: string
}

export async function resolveFunction(ref: string, place: ReferenceContext): Promise<FunctionTarget> {
  const search: Search = { ref, place, tried: [], lacking: [] }
  const candidates = isBare(ref) ? bareCandidates(ref, place) : candidatesFor(ref, place)
  for (const candidate of candidates) {
    const found = await tryCandidate(candidate, search)
    if (found) return found
  }
  throw notFound(search)
}

interface Candidate {
  file: string
  name?: string
}

interface Search {
  ref: string
  place: ReferenceContext
  tried: string[]
  /** Files that exist but do not have it. */
  lacking: { file: string; name: string | undefined; functions: string[]; problem?: string }[]
}

function isBare(ref: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(ref)
}

/** A bare function: the agent's own test files first, as hooks are written there. */
function bareCandidates(name: string, { root, agentDir }: ReferenceContext): Candidate[] {
  const base = agentDir ?? root
  const isScript = (path: string): boolean => /\.[jt]s$/.test(path) && !path.endsWith('.d.ts')
  const inSource = filesBelow(join(base, 'src')).filter(isScript)
  const isTest = (path: string): boolean => /_test\.[jt]s$/.test(path)
  const files = [
    ...inSource.filter(isTest),
    ...inSource.filter((path) => !isTest(path)),
    ...filesBelow(join(base, 'tests')).filter(isScript),
    ...filesBelow(join(root, 'scripts')).filter(isScript),
  ]
  return files.map((file) => ({ file, name }))
}

function* candidatesFor(ref: string, place: ReferenceContext): Generator<Candidate> {
  const asHook = !/^(?:scripts[.:]|agents\.)/.test(ref)
  const path = ref.replace(/^scripts[.:]/, '')
  if (path.includes('/')) {
    yield* pathCandidates(path, place)
    return
  }
  const parts = path.split('.')
  if (!parts.every(isNamePart)) return
  if (parts[0] === 'agents') {
    yield* agentCandidates(parts.slice(1), place)
    return
  }
  const name = parts.at(-1) ?? ''
  for (const file of fileCandidates(parts.slice(0, -1), place, asHook)) yield { file, name }
  for (const file of fileCandidates(parts, place, asHook)) yield { file }
}

/** `src/dir/file_test.Function`: a path, a dot, a name. */
function* pathCandidates(path: string, { root, agentDir }: ReferenceContext): Generator<Candidate> {
  const whole = path.replace(/\.[jt]s$/, '')
  const dot = path.indexOf('.', path.lastIndexOf('/'))
  const hasName = whole === path && dot > 0
  const stem = hasName ? path.slice(0, dot) : whole
  const bases = agentDir ? [join(agentDir, 'src'), agentDir, root] : [join(root, 'src'), root]
  for (const base of bases) {
    for (const file of withEnds(resolve(base, stem), true)) {
      if (hasName) yield { file, name: path.slice(dot + 1) }
      else yield { file }
    }
  }
}

/** `agents.<id>.<module>.<Fn>` */
function* agentCandidates(parts: string[], { root }: ReferenceContext): Generator<Candidate> {
  const agent = findAgent(parts, root)
  if (!agent || agent.rest.length < 2) return
  const name = agent.rest.at(-1) ?? ''
  for (const file of withEnds(join(agent.dir, 'src', ...agent.rest.slice(0, -1)), false)) yield { file, name }
}

const OWN_FOLDERS = new Set(['src', 'tests', 'scripts'])

/** Where a dotted path may point: the agent's `src/`, its `tests/`, the application's `scripts/`, another agent's `src/`. */
function* fileCandidates(parts: string[], { root, agentDir }: ReferenceContext, asHook: boolean): Generator<string> {
  const [first = ''] = parts
  if (parts.length === 0) return
  const base = agentDir ?? root
  yield* withEnds(join(base, 'src', ...parts), asHook)
  yield* withEnds(join(base, 'tests', ...parts), asHook)
  if (OWN_FOLDERS.has(first) && parts.length > 1) yield* withEnds(join(base, ...parts), asHook)
  yield* withEnds(join(root, 'scripts', ...parts), asHook)
  if (OWN_FOLDERS.has(first) && parts.length > 1 && base !== root) yield* withEnds(join(root, ...parts), asHook)
  for (let split = parts.length - 1; split > 0; split--) {
    for (const folder of [join(root, 'assistants'), root]) {
      yield* withEnds(join(folder, ...parts.slice(0, split), 'src', ...parts.slice(split)), asHook)
    }
  }
}

/** Hooks are written in test files: `env.Before` means env_test.ts before env.ts. */
function withEnds(stem: string, testFirst: boolean): string[] {
  const plain = SCRIPT_ENDS.map((end) => stem + end)
  if (stem.endsWith('_test')) return plain
  const tests = SCRIPT_ENDS.map((end) => `${stem}_test${end}`)
  return testFirst ? [...tests, ...plain] : [...plain, ...tests]
}

async function tryCandidate({ file, name }: Candidate, search: Search): Promise<FunctionTarget | undefined> {
  const { root } = search.place
  const shown = shownPath(root, file)
  if (!search.tried.includes(shown)) search.tried.push(shown)
  if (!isFile(file) || !isInside(root, file)) return undefined
  const syntax = await parseFile(file, root)
  const target = name === undefined ? onlyOne(file, syntax) : named(file, name, syntax)
  if (target) return target
  const functions = syntax.functions.map((item) => item.name)
  const { problem } = syntax
  const where = problem ? `${problem.file ?? shown}:${problem.line}:${problem.column}: ${problem.message}` : undefined
  search.lacking.push({ file: shown, name, functions, ...(where === undefined ? {} : { problem: where }) })
  return undefined
}

function named(file: string, name: string, syntax: ScriptSyntax): FunctionTarget | undefined {
  const has = syntax.functions.some((item) => item.name === name) || syntax.exports.includes(name)
  return has || syntax.isCommonJs || syntax.stars.length > 0 ? { file, name } : undefined
}

function onlyOne(file: string, syntax: ScriptSyntax): FunctionTarget | undefined {
  if (syntax.hasDefault) return { file }
  const exported = syntax.functions.filter((item) => item.exported || syntax.exports.includes(item.name))
  const [only] = exported.length > 0 ? exported : syntax.functions
  const count = exported.length > 0 ? exported.length : syntax.functions.length
  if (count === 1 && only) return { file, name: only.name }
  return syntax.isCommonJs ? { file } : undefined
}

function notFound({ ref, tried, lacking }: Search): UserError {
  const broken = lacking.find((item) => item.problem !== undefined)
  const nearest = lacking.find((item) => item.name !== undefined) ?? lacking[0]
  const wanted = ref.split(/[.:/]/).at(-1) ?? ref
  const meant = suggest(
    wanted,
    lacking.flatMap((item) => item.functions),
  )
  const message = broken
    ? `${ref}: ${broken.problem ?? ''}`
    : nearest
      ? nearest.name === undefined
        ? `${ref}: ${nearest.file} has neither a default export nor exactly one exported function`
        : `function ${nearest.name} is not defined in ${nearest.file} (${ref})`
      : `no script for ${ref}`
  return new UserError({
    code: 'FUNCTION_NOT_FOUND',
    message,
    hint: [
      meant
        ? `did you mean ${meant}?`
        : nearest && !broken
          ? `functions there: ${nearest.functions.join(', ') || 'none'}`
          : '',
      tried.length > 0
        ? `tried: ${triedPaths(tried).join(', ')}`
        : 'a reference is written scripts.<agent>.<module>.<Function>',
    ]
      .filter((text) => text !== '')
      .join('; '),
  })
}

/** Each place once, whatever its extension. */
function triedPaths(tried: string[]): string[] {
  const stems = new Set(tried.map((file) => file.replace(/(?:_test)?\.[jt]s$/, '')))
  return [...stems].map((stem) => `${stem}.{ts,js}`)
}
