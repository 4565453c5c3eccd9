// The files that an entry of `evals.json` names → what the workspace of its case begins with. Nothing outside the skill's
// folder is read.
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FieldProblem } from '../../base/field-name.js'
import { messageOf } from '../../base/message-of.js'
import { pathProblem } from '../../base/relative-path.js'
import { sortedEntries } from '../../files/entries.js'
import { resolveInside } from '../../files/inside.js'
import { isFile, isFolder, statOf } from '../../files/stat.js'
import { MAX_FIXTURE_BYTES } from '../../model/fixtures.js'
import type { EvalFile } from '../../model/skill-eval.js'
import type { Fixture } from '../../model/workspace.js'

/** The folder of the skill that an evals file belongs to. */
export function skillFolderOf(file: string): string {
  const own = dirname(file)
  const above = [own, dirname(own), dirname(dirname(own))].find((folder) => isFile(join(folder, SKILL)))
  return above ?? (basename(own) === 'evals' ? dirname(own) : own)
}

const SKILL = 'SKILL.md'

export interface EvalFixtures {
  fixtures: Record<string, Fixture>
  problems: FieldProblem[]
}

/** `file`: the evals file. A folder stands for the files in it. */
export async function readEvalFiles(files: readonly EvalFile[], file: string): Promise<EvalFixtures> {
  const roots = [...new Set([skillFolderOf(file), dirname(file)])]
  const fixtures: Record<string, Fixture> = {}
  const problems: FieldProblem[] = []
  for (const given of files) {
    const path = given.path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    try {
      if (given.content === undefined) Object.assign(fixtures, await readOne(path, roots))
      else fixtures[path] = given.content
    } catch (error) {
      problems.push({ path: given.field, message: messageOf(error) })
    }
  }
  return { fixtures, problems }
}

async function readOne(path: string, roots: readonly string[]): Promise<Record<string, Fixture>> {
  const [skill = ''] = roots
  const wrong = pathProblem(path)
  if (wrong !== undefined) throw new Error(`"${path}" cannot be used: ${inSkill(wrong)}`)
  if (basename(path) === SKILL) throw new Error(`"${path}" ${IS_SKILL}`)
  const root = roots.find((folder) => statOf(join(folder, path)) !== undefined)
  if (root === undefined) throw new Error(`there is no file "${path}" in ${roots.join(' or in ')}`)
  const found: Record<string, Fixture> = {}
  let bytes = 0
  for (const each of filesAt(root, path)) {
    const real = resolveInside(skill, join(root, each))
    if (real === undefined) throw new Error(`"${each}" leads out of the skill's folder ${skill}`)
    bytes += statOf(real)?.size ?? 0
    if (bytes > MAX_FIXTURE_BYTES) throw new Error(`"${path}" is larger than ${MAX_FIXTURE_BYTES} bytes`)
    found[each] = await readOneFile(real, each)
  }
  return found
}

const IS_SKILL =
  'is the skill itself: without the skill, too, the agent would find it in its workspace; list what the task works on'

function inSkill(problem: string): string {
  return problem.replace('outside the workspace', "outside the skill's folder")
}

const MOST_FILES = 1000

/** Relative to `root`; links are followed only to where they may lead. */
function filesAt(root: string, path: string): string[] {
  if (!isFolder(join(root, path))) return [path]
  const found: string[] = []
  const visit = (folder: string): void => {
    for (const entry of sortedEntries(join(root, folder))) {
      const each = `${folder}/${entry.name}`
      if (entry.isDirectory()) visit(each)
      else found.push(each)
      if (found.length > MOST_FILES) throw new Error(`"${path}" holds more than ${MOST_FILES} files`)
    }
  }
  visit(path)
  if (found.length === 0) throw new Error(`"${path}" is a folder with nothing in it`)
  return found
}

async function readOneFile(real: string, path: string): Promise<Fixture> {
  if (!isFile(real)) throw new Error(`"${path}" is not a file`)
  const bytes = await readFile(real)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Another encoding, or no text at all.
  }
  return { base64: bytes.toString('base64') }
}
