// Files of a folder that look like an agent, as `-n` names them: agent.ts, agent.py, or the only function there is.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Folders where people keep their agent; the first that has one counts. */
const FOLDERS = ['.', 'src']
const CODE = /\.(?:[cm]?[jt]s|tsx|jsx)$/
/** Not agents, whatever they export. */
const OTHER = /\.(?:test|spec|config|d)\.[cm]?[jt]sx?$|^\./
/** Usual names of the function, the likeliest first. */
const USUAL = ['run', 'agent', 'answer', 'chat', 'respond', 'handler', 'main']
const MOST_FILES = 20
const MOST_BYTES = 512 * 1024

/** Targets relative to `cwd`, the likeliest first; none if it would be a guess among many. Runs nothing of them. */
export async function likelyAgents(folder: string, cwd: string): Promise<string[]> {
  for (const name of FOLDERS) {
    const found = await agentsIn(join(folder, name), cwd)
    if (found.length > 0) return found
  }
  return []
}

async function agentsIn(folder: string, cwd: string): Promise<string[]> {
  const names = namesIn(folder)
  const code = names.filter((name) => CODE.test(name) && !OTHER.test(name))
  const called = code.filter((name) => name.startsWith('agent.'))
  const from = (name: string): string => relative(cwd, join(folder, name)).split(sep).join('/')
  const found: string[] = []
  for (const name of called) {
    const [likely] = await functionsOf(join(folder, name))
    if (likely !== undefined) found.push(`./${from(name)}${likely}`)
  }
  if (names.includes('agent.py')) found.push(`exec:python3 ${from('agent.py')}`)
  if (found.length > 0 || code.length > MOST_FILES) return found
  const all: string[] = []
  for (const name of code)
    for (const exported of await functionsOf(join(folder, name))) all.push(`./${from(name)}${exported}`)
  return all.length === 1 ? all : []
}

/** `#name` of each exported function, the likeliest first; an empty one for the default export. */
async function functionsOf(file: string): Promise<string[]> {
  const { parseScript } = await import('../scripts/compile/parse.js')
  try {
    if (statSync(file).size > MOST_BYTES) return []
    const { functions, exports, hasDefault } = await parseScript(file, readFileSync(file, 'utf8'), file)
    const own = new Set(functions.map(({ name }) => name))
    const names = exports.filter((name) => own.has(name)).toSorted((a, b) => rank(a) - rank(b))
    return [...names.map((name) => `#${name}`), ...(hasDefault ? [''] : [])]
  } catch {
    return []
  }
}

function rank(name: string): number {
  const at = USUAL.indexOf(name)
  return at < 0 ? USUAL.length : at
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
