// The `--ctx` file: who is asking, from where. Strict about what grants rights; unknown keys are kept.
import { open } from 'node:fs/promises'
import { UserError, type Problem } from '../../errors.js'
import type { ContextFile } from '../../model/context-file.js'
import { ProblemList } from './input-errors.js'
import { dropProtoKeys } from '../../base/json/json-text.js'
import { MAX_VALUE_BYTES, readWholeText, UnreadableText } from './lines.js'
import { fieldName } from '../../base/field-name.js'
import { messageOf } from '../../base/message-of.js'
import { positionAt } from '../../base/position-at.js'
import { parseStrictJson } from './strict-json.js'

export async function readContextFile(path: string): Promise<ContextFile> {
  const text = await readFileText(path)
  const problems = new ProblemList(path)
  if (typeof text !== 'string') {
    problems.add(text)
    problems.check('BAD_CONTEXT')
    return {}
  }
  const parsed = await parseStrictJson(text)
  for (const problem of parsed.problems) problems.add(problem)
  problems.check('BAD_CONTEXT', 'the context file is one JSON object: {"authorized": {"user_id": "…"}}')
  dropProtoKeys(parsed.value)
  const { checkContext } = await import('./context-schema.js')
  const { locateField } = await import('../../base/json/json-error.js')
  for (const { path: steps, message } of checkContext(parsed.value)) {
    const field = fieldName(steps)
    problems.add({ ...positionAt(text, locateField(text, field)), ...(field !== '' && { field }), message })
  }
  problems.check('BAD_CONTEXT')
  return parsed.value as ContextFile
}

async function readFileText(path: string): Promise<string | Problem> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    const reason = messageOf(error)
    throw new UserError({
      code: 'CANNOT_READ',
      message: `--ctx: cannot read ${path}: ${reason}`,
      hint: 'give the path of a JSON file, for example: --ctx tests/context.json',
      cause: error,
    })
  })
  try {
    return await readWholeText(handle, MAX_VALUE_BYTES)
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    return { line: error.line + 1, column: error.column, message: error.message }
  } finally {
    await handle.close()
  }
}
