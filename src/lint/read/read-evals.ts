// The evals of a skill as data: does the file load, which files does it need?
import { join } from 'node:path'
import { isRecord, readList, readString } from '../../base/record.js'
import { isFile } from '../../files/stat.js'
import { parseStrictJson } from '../../pipeline/sources/strict-json.js'
import type { EvalFile } from '../subject.js'
import { readText, shownPath } from './read-tree.js'

export async function readEvals(dir: string, shown: string, paths: ReadonlySet<string>): Promise<EvalFile[]> {
  const path = 'evals/evals.json'
  return paths.has(path) && isFile(join(dir, path)) ? [await readOne(join(dir, path), shownPath(shown, path))] : []
}

async function readOne(path: string, file: string): Promise<EvalFile> {
  const none = { file, problems: [], skillName: undefined, files: [] }
  const text = readText(path)
  if (typeof text !== 'string') return { ...none, problems: [{ message: text.reason ?? 'the file is not text' }] }
  const { value, problems } = await parseStrictJson(text.replace(/^\uFEFF/, ''))
  if (problems.length > 0) return { ...none, problems }
  const around = isRecord(value) ? value : {}
  const evals = Array.isArray(value) ? value : around['evals']
  if (!Array.isArray(evals)) return { ...none, problems: [{ line: 1, message: 'there is no list "evals"' }] }
  const lineOf = (part: string): number =>
    text.slice(0, Math.max(0, text.indexOf(JSON.stringify(part)))).split('\n').length
  const files = evals
    .flatMap((item) => readList(isRecord(item) ? item['files'] : undefined))
    .filter((item) => typeof item === 'string')
  return {
    ...none,
    problems: evals.flatMap((item: unknown, index) => {
      const wrong = evalProblem(item)
      return wrong === undefined ? [] : [{ message: `evals[${index}] ${wrong}` }]
    }),
    skillName: readString(around['skill_name']),
    files: files.map((name) => ({ path: name, line: lineOf(name) })),
  }
}

function evalProblem(item: unknown): string | undefined {
  if (!isRecord(item)) return 'is not an object'
  const prompt = item['prompt'] ?? item['query']
  return typeof prompt === 'string' && prompt.trim() !== '' ? undefined : 'has no prompt'
}
