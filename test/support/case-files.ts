// Case files made on the spot, and what opening them returns: the cases, or every problem in one line each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { UserError } from '../../src/errors.js'
import type { TestCase } from '../../src/model/case.js'
import type { OpenSourceOptions } from '../../src/pipeline/sources/open-options.js'
import { openSource } from '../../src/pipeline/sources/open-source.js'

export interface Opened {
  cases: TestCase[]
  warnings: string[]
  /** `line:column field: message`, without what is empty. */
  problems: string[]
  error?: UserError
}

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'viva-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Opens a file with this content. The name decides the format. */
export async function openText(
  content: string | Uint8Array,
  name = 'cases.jsonl',
  options: Partial<OpenSourceOptions> = {},
): Promise<Opened> {
  const dir = tempDir()
  writeFileSync(join(dir, name), content)
  return openPath(name, { cwd: dir, ...options })
}

export async function openPath(path: string, options: OpenSourceOptions): Promise<Opened> {
  try {
    const source = await openSource(`@${path}`, options)
    const cases: TestCase[] = []
    for await (const batch of source.cases()) cases.push(...batch.map(({ testCase }) => testCase))
    await source.close()
    return { cases, warnings: source.warnings, problems: [] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { cases: [], warnings: [], problems: [...error.problems.map(oneLine), ...ownMessage(error)], error }
  }
}

function ownMessage(error: UserError): string[] {
  return error.problems.length === 0 ? [error.message] : []
}

function oneLine(problem: UserError['problems'][number]): string {
  const place = [problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const meant = problem.suggestion === undefined ? '' : ` – did you mean "${problem.suggestion}"?`
  return [place, problem.field, `${problem.message}${meant}`]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}
