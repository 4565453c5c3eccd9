// The evals of a skill as data: what the reader of cases says about them, and which skill they are for.
import { join } from 'node:path'
import { messageOf } from '../../base/message-of.js'
import { isRecord, readList, readString } from '../../base/record.js'
import { UserError, type Problem } from '../../errors.js'
import { isInside } from '../../files/inside.js'
import { parseJson } from '../../base/json/parse-json.js'
import { proposeCheck } from '../../model/propose-check.js'
import { isSkillEval, readSkillEval } from '../../model/skill-eval.js'
import type { EvalFile } from '../subject.js'
import { LEADS_OUT, readText, shownPath } from './read-tree.js'

const EVALS = /^evals\/(?:evals|[\w-]*triggers?[\w-]*)\.json$/i

export async function readEvals(dir: string, shown: string, paths: ReadonlySet<string>): Promise<EvalFile[]> {
  const found: EvalFile[] = []
  for (const path of paths)
    if (EVALS.test(path)) found.push(await readOne(join(dir, path), shownPath(shown, path), dir))
  return found
}

async function readOne(path: string, file: string, dir: string): Promise<EvalFile> {
  const text = isInside(dir, path) ? tryReading(path) : { message: LEADS_OUT }
  if (typeof text !== 'string') return { file, problems: [text], skillName: undefined, checkable: [] }
  const value = parseJson(text)?.value
  return {
    file,
    problems: await problemsOf(path, dir),
    skillName: isRecord(value) ? readString(value['skill_name']) : undefined,
    checkable: checkableIn(value, text),
  }
}

/** Expectations that say outright what must be in the code, or which file must be there. */
function checkableIn(value: unknown, text: string): EvalFile['checkable'] {
  const entries = isRecord(value) ? readList(value['evals']) : readList(value)
  const expectations = entries.filter(isSkillEval).flatMap((entry) => readSkillEval(entry, 1).expectations)
  return expectations.flatMap((expectation) => {
    const check = proposeCheck(expectation)
    if (!check) return []
    const at = Math.max(0, text.indexOf(JSON.stringify(expectation)))
    return [{ expectation, check, line: text.slice(0, at).split('\n').length }]
  })
}

function tryReading(path: string): string | { message: string } {
  try {
    const text = readText(path)
    return typeof text === 'string' ? text : { message: text.reason ?? 'the file is not text' }
  } catch (error) {
    return { message: messageOf(error) }
  }
}

/** As a run would meet them. */
async function problemsOf(path: string, cwd: string): Promise<EvalFile['problems']> {
  const { openSource } = await import('../../pipeline/sources/open-source.js')
  try {
    const source = await openSource({ kind: 'file', value: path, files: [path], params: {} }, { cwd })
    await source.close()
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.length > 0
      ? error.problems.map((problem) => problemOf(problem, cwd))
      : [{ message: error.reason }]
  }
}

function problemOf({ line, column, field, message, suggestion }: Problem, dir: string): EvalFile['problems'][number] {
  const of = field === undefined ? '' : `${field}: `
  const near = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return {
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: `${of}${message.replaceAll(dir, '.')}${near}`,
  }
}
