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
    const value = spot.value.replace(/^\.\//, '')
    const own = ownFolder(value)
    if (own === undefined || EXAMPLE.test(lines[spot.line - 1]?.text ?? '')) continue
    if (isOfAnother(lines.slice(Math.max(0, spot.line - 3), spot.line + 1).map(({ text: line }) => line))) continue
    // Documents beside SKILL.md also teach by examples: there the folder must exist.
    if (text.isMain || text.paths.has(own)) add({ ...spot, value }, 'mention', bases)
  }
  return found
}

/** Not an address, an anchor, a placeholder or a path of the machine. */
function isLocal(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#|\/|~|\/\/)/i.test(target) && !PLACEHOLDER.test(target) && /[./]/.test(target)
}

const PLACEHOLDER = /[<>{}$*|[\]…]|\.\.\.|\bpath\/to\b|\bexample\b|^url$|^link$/i

/** The folders of the convention: `scripts/x.py` in a skill is its own script. */
const OWN_PATH = /^(scripts|references|assets)\/(?:[\w@+-][\w@.+ -]*\/)*[\w@+-][\w@.+-]*\.[A-Za-z0-9]{1,8}$/

function ownFolder(value: string): string | undefined {
  return PLACEHOLDER.test(value) ? undefined : OWN_PATH.exec(value)?.[1]
}

/** "`other-skill`'s `references/x.md`", or below a root that a variable holds. */
function isOfAnother(around: string[]): boolean {
  return /`[a-z0-9]+(?:-[a-z0-9]+)+`(?:['’]|\s+[–—-]\s+its\b|\s+skill\b)|\$\{?[A-Z_]+\}?\//.test(around.join(' '))
}

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
