// The files that a text refers to: links, and paths in code that lie in the folders that skills have. What may be an example,
// a pattern or a file of the user's is not a reference.
import { decodeUri } from '../../base/text.js'
import type { Instructions } from '../subject.js'
import { readMarkdown, type Spot } from './markdown.js'

export interface Reference {
  /** Line in the file. */
  spot: Spot
  /** Relative to the folder, if it does not lead out of it. */
  path: string
  kind: 'link' | 'mention'
  isThere: boolean
  leadsOut: boolean
}

export function referencesIn(text: Instructions): Reference[] {
  const { lines, links, spans } = readMarkdown(text.text)
  const found: Reference[] = []
  const add = (spot: Spot, kind: Reference['kind'], bases: string[]): void => {
    const target = targetOf(spot.value)
    if (target === undefined) return
    const candidates = bases.map((base) => joined(base, target))
    const inside = candidates.filter((path) => path !== undefined)
    const leadsOut = inside.length === 0
    const path = leadsOut ? target : target.replace(/^\.\//, '')
    const isThere = leadsOut ? text.outside.has(path) : inside.some((each) => each === '' || text.paths.has(each))
    found.push({ spot: { ...spot, line: text.firstLine + spot.line - 1 }, path, kind, isThere, leadsOut })
  }
  // Some write them from the file, some from the folder of the skill.
  const bases = text.base === '' ? [''] : [text.base, '']
  for (const link of links) if (isLocal(link.value)) add(link, 'link', bases)
  for (const spot of [...spans, ...commandPaths(lines)]) {
    const own = ownPath(spot.value)
    const line = lines[spot.line - 1]?.text ?? ''
    if (own === undefined || EXAMPLE.test(line) || POSSESSED.test(line.slice(0, spot.column - 1))) continue
    if (isOfAnother(lines.slice(Math.max(0, spot.line - 3), spot.line + 1).map(({ text: line }) => line))) continue
    // Documents beside SKILL.md also teach by examples: there the folder must exist.
    if (text.isMain || text.paths.has(own.folder)) add({ ...spot, value: own.path }, 'mention', bases)
  }
  return found
}

/** Not an address, an anchor, a placeholder or a path of the machine. */
function isLocal(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#|\/|~|\/\/)/i.test(target) && !PLACEHOLDER.test(target) && /[./]/.test(target)
}

const PLACEHOLDER = /[<>{}$*|[\]…]|\.\.\.|\bpath\/to\b|\bexample\b|^url$|^link$/i

/** The folders of the convention: `scripts/x.py` in a skill is its own script. */
const OWN_PATH = /^(scripts|references|assets)\/(?:[\w@+-][\w@.+-]*\/)*[\w@+-][\w@.+-]*\.[A-Za-z0-9]{1,8}$/

/** Without the arguments that follow a script. */
function ownPath(value: string): { path: string; folder: string } | undefined {
  const [path = ''] = value.replace(/^\.\//, '').split(/\s/)
  const folder = PLACEHOLDER.test(path) ? undefined : OWN_PATH.exec(path)?.[1]
  return folder === undefined ? undefined : { path, folder }
}

/** "`other-skill`'s `references/x.md`", or below a root that a variable holds. */
function isOfAnother(around: string[]): boolean {
  return /`[a-z0-9]+(?:-[a-z0-9]+)+`(?:['’]|\s+[–—-]\s+its\b|\s+skill\b)|\$\{?[A-Z_]+\}?\//.test(around.join(' '))
}

/** "`social` (see its `references/x.md`)", "the plugin's `scripts/y.sh`": of another, as is said right before. */
const POSSESSED = /(?:\b(?:its|their)|\bplugin(?:['’]s)?)\s+[*_]*`*$/i

const EXAMPLE = /\bexamples?\b|\be\.g\.|\bsuch as\b|\b(?:would|could|might) be\b|\blike\b/i

/** `python scripts/x.py …` in a block of code. */
function commandPaths(lines: ReturnType<typeof readMarkdown>['lines']): Spot[] {
  const found: Spot[] = []
  for (const { kind, number, text } of lines) {
    if (kind !== 'code' || text.length > 2000) continue
    for (const match of text.matchAll(COMMAND)) {
      const [whole, value = ''] = match
      found.push({ line: number, column: match.index + whole.length - value.length + 1, value })
    }
  }
  return found
}

const COMMAND =
  /^\s*(?:[$>]\s+)?(?:python3?|uv run|node|bash|sh|npx tsx|deno run|ruby|bun(?: run)?)\s+(?:-\S+\s+)*((?:\.\/)?scripts\/[\w./-]+\.[A-Za-z0-9]{1,5})/g

function targetOf(value: string): string | undefined {
  const path = decodeUri(value.split(/[#?]/)[0] ?? '').replaceAll('\\', '/')
  return path === '' ? undefined : path
}

/** Undefined if it leads out. */
function joined(base: string, target: string): string | undefined {
  const parts: string[] = base === '' ? [] : base.split('/')
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}
