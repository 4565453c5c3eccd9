// Whether a workspace can start as described: paths that stay inside, files that do not get in each other's way.
import type { FieldProblem } from '../base/field-name.js'
import { isRecord, readString } from '../base/record.js'
import { hasLoneSurrogate, partsOf, pathProblem } from '../base/relative-path.js'
import type { Fixture, WorkspaceSpec } from './workspace.js'

const SCRATCHPAD = '.agent/scratchpad.md'
/** The initial content of a workspace may not be larger. */
export const MAX_FIXTURE_BYTES = 16 * 1024 * 1024
/** Nothing in a workspace says whose it is; a file that looked as if it did would mislead. */
const LOOKS_LIKE_A_MARKER = /^\.[a-z-]*workspace(?:\.json)?$/i

/** Where the scratchpad is, relative to the workspace; `core.scratchpad` can move it. */
export function scratchpadPath(config: unknown): string {
  const core = isRecord(config) ? config['core'] : undefined
  const moved = isRecord(core) ? readString(core['scratchpad']) : undefined
  return moved === undefined ? SCRATCHPAD : partsOf(moved).join('/')
}

/** Every file to create, path → content. Call only if there are no problems. */
export function initialFiles({
  fixtures = {},
  scratchpad,
  config,
}: WorkspaceSpec): Record<string, string | Uint8Array> {
  const files = Object.entries(fixtures).map(([path, file]) => [partsOf(path).join('/'), contentOf(file)] as const)
  const pad = scratchpad === undefined ? [] : [[scratchpadPath(config), scratchpad] as const]
  return Object.fromEntries([...pad, ...files])
}

/** Paths begin at the workspace: `['fixtures', 'a/b']`. */
export function fixtureProblems({ fixtures = {}, scratchpad, config }: WorkspaceSpec): FieldProblem[] {
  const problems: FieldProblem[] = []
  const pad = scratchpadPath(config)
  const padProblem = pathProblem(pad)
  if (padProblem !== undefined)
    problems.push({ path: ['config', 'core', 'scratchpad'], message: `"${pad}" cannot be used: ${padProblem}` })
  const paths = new Set(scratchpad === undefined ? [] : [pad])
  for (const given of Object.keys(fixtures)) {
    const message = fixtureProblem(given, fixtures[given], paths)
    if (message === undefined) paths.add(partsOf(given).join('/'))
    else problems.push({ path: ['fixtures', given], message })
  }
  for (const path of paths) {
    const parents = path.split('/').map((_part, index, parts) => parts.slice(0, index).join('/'))
    const file = parents.find((parent) => paths.has(parent))
    const message = `"${file}" is a file, so it cannot be the folder of "${path}" as well`
    if (file !== undefined) problems.push({ path: ['fixtures', path], message })
  }
  const bytes = [scratchpad, ...Object.values(fixtures)].reduce<number>((sum, content) => sum + bytesOf(content), 0)
  const tooMuch = `${bytes} bytes in all, at most ${MAX_FIXTURE_BYTES} are allowed`
  if (bytes > MAX_FIXTURE_BYTES) problems.push({ path: ['fixtures'], message: tooMuch })
  return problems
}

function contentOf(file: Fixture): string | Uint8Array {
  return typeof file === 'string' ? file : Buffer.from(file.base64, 'base64')
}

function fixtureProblem(path: string, content: unknown, taken: ReadonlySet<string>): string | undefined {
  const problem = pathProblem(path)
  if (problem !== undefined) return `the path cannot be used: ${problem}`
  const parts = partsOf(path)
  if (parts.length === 1 && LOOKS_LIKE_A_MARKER.test(path)) return 'names like that are reserved for ownership markers'
  if (taken.has(parts.join('/'))) return 'another file is written to the same path'
  if (isEncoded(content)) return isBase64(content.base64) ? undefined : 'the content is not valid base64'
  if (typeof content !== 'string')
    return `the content must be text, found ${content === null ? 'null' : typeof content}`
  return hasLoneSurrogate(content) ? 'the content is not valid Unicode' : undefined
}

function isEncoded(content: unknown): content is { base64: string } {
  return isRecord(content) && typeof content['base64'] === 'string'
}

/** Decoding ignores what it does not know: other bytes than were meant would be written. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}

function bytesOf(content: unknown): number {
  if (isEncoded(content)) return Buffer.byteLength(content.base64, 'base64')
  return typeof content === 'string' ? Buffer.byteLength(content) : 0
}
