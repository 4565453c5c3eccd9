// `scripts.a.b.c`, `scripts.a.*`, `scripts.*` → the test files they refer to.
import { basename, dirname, join, relative, sep } from 'node:path'
import { UserError } from '../../errors.js'
import { suggest } from '../../base/suggest.js'
import { isInside } from '../../files/inside.js'
import { isFile, isFolder } from '../../files/stat.js'
import { agentFolders, filesBelow, isNamePart, SCRIPT_ENDS, shownPath } from './paths.js'
import { listed } from '../../base/text.js'

export interface TestFile {
  ref: string
  agent_id: string
  agent_dir: string
  /** Absolute. */
  path: string
}

const PREFIX = 'scripts.'

export function resolveTests(ref: string, root: string): TestFile[] {
  const parts = ref.startsWith(PREFIX) ? ref.slice(PREFIX.length).split('.') : []
  if (parts.length === 0 || !parts.every(isNamePart)) throw badReference(ref, root)
  if (parts.at(-1) === '*') return resolveAll(ref, parts.slice(0, -1), root)
  if (parts.length < 2 || parts.includes('*')) throw badReference(ref, root)
  return [resolveOne(ref, parts, root)]
}

/** The longest prefix of `parts` that is an agent's folder, below `assistants/` or the root. */
export function findAgent(parts: string[], root: string): { dir: string; id: string; rest: string[] } | undefined {
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length)
    for (const dir of agentPaths(name, root)) {
      if (isFile(join(dir, 'package.yao')) && isInside(root, dir)) {
        return { dir, id: name.join('/'), rest: parts.slice(length) }
      }
    }
  }
  return undefined
}

function agentPaths(name: string[], root: string): string[] {
  const places = [join(root, 'assistants', ...name), join(root, ...name)]
  // The application may be a single agent: then its own folder has that name.
  if (name.length === 1 && name[0] === basename(root)) places.push(root)
  return places
}

function resolveOne(ref: string, parts: string[], root: string): TestFile {
  const agent = findAgent(parts, root)
  const tried: string[] = []
  for (const { dir, id, rest } of agent ? [agent] : withoutPackage(parts, root)) {
    if (rest.length === 0) continue
    for (const end of SCRIPT_ENDS) {
      const path = `${join(dir, 'src', ...rest)}_test${end}`
      tried.push(shownPath(root, path))
      if (isFile(path) && isInside(root, path)) return { ref, agent_id: id, agent_dir: dir, path }
    }
  }
  throw notFound(ref, parts, tried, agent?.dir, root)
}

/** No package.yao anywhere along the way: the last part is the module. */
function withoutPackage(parts: string[], root: string): { dir: string; id: string; rest: string[] }[] {
  const name = parts.slice(0, -1)
  const rest = parts.slice(-1)
  return agentPaths(name, root).map((dir) => ({ dir, id: name.join('/'), rest }))
}

function resolveAll(ref: string, name: string[], root: string): TestFile[] {
  const agents = name.length === 0 ? agentFolders(root) : namedAgents(name, root)
  const files = agents.flatMap((dir) => testFilesOf(dir, root))
  if (files.length === 0) throw noneFound(ref, agents, root)
  return files
}

/** The agent itself, or all agents in the folder of that name. */
function namedAgents(name: string[], root: string): string[] {
  const exact = findAgent(name, root)
  if (exact?.rest.length === 0) return [exact.dir]
  return agentPaths(name, root)
    .filter((dir) => isFolder(dir) && isInside(root, dir))
    .flatMap((dir) => agentFolders(dir))
}

function testFilesOf(dir: string, root: string): TestFile[] {
  const source = join(dir, 'src')
  const id = agentIdOf(dir, root)
  const files = filesBelow(source).filter((path) => /_test\.[jt]s$/.test(path) && isInside(root, path))
  return files
    .filter((path) => path.endsWith('.ts') || !files.includes(path.replace(/\.js$/, '.ts')))
    .map((path) => {
      const module = relative(source, path).replace(/_test\.[jt]s$/, '')
      const ref = `${PREFIX}${[...id.split('/'), ...module.split(sep)].join('.')}`
      return { ref, agent_id: id, agent_dir: dir, path }
    })
}

function agentIdOf(dir: string, root: string): string {
  const shown = shownPath(root, dir).replace(/^assistants\//, '')
  return shown === '' ? basename(root) : shown
}

function badReference(ref: string, root: string): UserError {
  return new UserError({
    code: 'SCRIPT_REFERENCE',
    message: `invalid script path: ${ref}`,
    hint: `write scripts.<agent>.<module>, scripts.<agent>.* or scripts.*${listHint(knownModules(root))}`,
  })
}

function notFound(
  ref: string,
  parts: string[],
  tried: string[],
  agentDir: string | undefined,
  root: string,
): UserError {
  const modules = agentDir ? testFilesOf(agentDir, root).map((file) => file.ref) : knownModules(root)
  const meant = suggest(ref, [...modules, ...knownModules(root)])
  const sibling = tried[0]?.replace(/_test\.ts$/, '.ts')
  const hasModule = sibling !== undefined && isFile(join(root, sibling))
  return new UserError({
    code: 'SCRIPT_NOT_FOUND',
    message: `no test file for ${ref}: looked for ${tried.length > 0 ? tried.join(', ') : parts.join('/')}`,
    hint: meant
      ? `did you mean ${meant}?`
      : hasModule
        ? `${sibling} exists: write its tests in ${tried[0]}`
        : modules.length > 0
          ? `test modules that exist: ${listed(modules, 12)}`
          : `there are no test files below ${dirname(root) === root ? root : basename(root)}: they are called <module>_test.ts, in an agent's src/`,
  })
}

function noneFound(ref: string, agents: string[], root: string): UserError {
  const where = agents.length > 0 ? agents.map((dir) => `${shownPath(root, join(dir, 'src'))}/`).join(', ') : 'no agent'
  return new UserError({
    code: 'SCRIPT_NOT_FOUND',
    message: `no test file for ${ref}: looked in ${where}`,
    hint: `test files are called <module>_test.ts and belong in an agent's src/${listHint(knownModules(root))}`,
  })
}

function knownModules(root: string): string[] {
  return agentFolders(root).flatMap((dir) => testFilesOf(dir, root).map((file) => file.ref))
}

function listHint(modules: string[]): string {
  return modules.length > 0 ? `; test modules that exist: ${listed(modules, 12)}` : ''
}
