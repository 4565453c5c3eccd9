// A folder with SKILL.md → a skill as data, with the documents beside it.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sortedEntries } from '../../files/entries.js'
import { isInside } from '../../files/inside.js'
import type { Instructions, Skill, Subject } from '../subject.js'
import { statOf } from '../../files/stat.js'
import { referencesIn } from '../text/references.js'
import { readFrontmatter } from '../text/frontmatter.js'
import { readEvals } from './read-evals.js'
import { LEADS_OUT, readText, readTree, shownFrom, shownPath } from './read-tree.js'

/** The file of a skill in a folder; undefined if it holds none. */
export function skillFileIn(dir: string): string | undefined {
  const names = sortedEntries(dir).flatMap((entry) => (entry.isFile() || entry.isSymbolicLink() ? [entry.name] : []))
  return names.find((name) => name === 'SKILL.md') ?? names.find((name) => name.toLowerCase() === 'skill.md')
}

export async function readSkill(dir: string, cwd: string): Promise<Subject> {
  const shown = shownFrom(cwd, dir)
  const name = skillFileIn(dir) ?? 'SKILL.md'
  const tree = readTree(dir, shown, (path) => skillFileIn(path) !== undefined)
  const file = shownPath(shown, name)
  const source = isInside(dir, join(dir, name)) ? sourceOf(join(dir, name)) : { reason: LEADS_OUT }
  if ('reason' in source && !tree.folder.unread.some((unread) => unread.file === file))
    tree.folder.unread.push({ file, reason: source.reason })
  const head =
    'text' in source
      ? await readFrontmatter(source.text)
      : { fields: undefined, problem: undefined, body: '', bodyLine: 1 }
  const shared = { paths: tree.paths, tools: undefined, outside: new Set<string>() }
  const body: Instructions = { ...shared, file, firstLine: head.bodyLine, text: head.body, base: '', isMain: true }
  const skill: Skill = {
    file,
    folderName: existsSync(join(dir, '.git')) ? undefined : basename(dir),
    parent: dirname(dir),
    fields: head.fields,
    problem: head.problem,
    body,
    evals: await readEvals(dir, shown, tree.paths),
  }
  const texts = [
    body,
    ...tree.documents.filter((path) => path !== name && isReadByAgents(path)).flatMap((path) => documentOf(path)),
  ]
  // The frontmatter is read by models, too.
  if ('text' in source)
    texts.push({
      ...shared,
      file,
      firstLine: 1,
      text: source.text.slice(0, source.text.length - head.body.length),
      base: '',
      isMain: false,
    })
  for (const text of texts)
    for (const { path, leadsOut } of referencesIn(text))
      if (leadsOut && statOf(join(dir, text.base, path)) !== undefined) shared.outside.add(path)
  return { kind: 'skill', label: shown, skill, lists: [], texts, folder: tree.folder }

  function documentOf(path: string): Instructions[] {
    const found = sourceOf(join(dir, path))
    if (!('text' in found)) return []
    return [
      { ...shared, file: shownPath(shown, path), firstLine: 1, text: found.text, base: folderOf(path), isMain: false },
    ]
  }
}

/** Templates and examples refer to what a user has. */
function isReadByAgents(path: string): boolean {
  return (
    !/(?:^|\/)(?:assets|templates?|examples?|evals|fixtures|tests?)\//i.test(path) &&
    !/(?:^|\/)(?:license|changelog|notice)[^/]*$/i.test(path)
  )
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

function sourceOf(path: string): { text: string } | { reason: string } {
  try {
    const text = readText(path)
    if (typeof text === 'string') return { text }
    return { reason: text.reason ?? 'the file is not text' }
  } catch {
    return { reason: 'the file cannot be read' }
  }
}
