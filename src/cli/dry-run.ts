// `--dry-run`: what would run, printed, and written where `-o` says as a case file that runs unchanged.
import { resolve } from 'node:path'
import type { TestCase } from '../model/case.js'
import type { Prepared } from '../run/prepare.js'
import { preview } from '../util/text.js'

export async function printDryRun(prepared: Prepared, out: { write(text: string): unknown }): Promise<void> {
  const { work, options, project } = prepared
  const lines: AsyncIterable<{ id: string; name?: string; note: string; value?: object }> =
    work.mode === 'agent' ? caseLines(prepared) : scriptLines(prepared)
  const { writeChunks } = await import('../pipeline/report/write-report.js')
  const [target] = options.output
  let count = 0
  const print = async function* (): AsyncGenerator<string> {
    for await (const { id, name, note, value } of lines) {
      count += 1
      out.write(`○ [${preview(id, 100)}]${name === undefined ? '' : ` ${preview(name, 100)}`} ${note}\n`)
      if (value) yield `${JSON.stringify(value)}\n`
    }
  }
  if (target === undefined) for await (const _ of print());
  else await writeChunks(resolve(project.cwd, target), print())
  const agent = work.mode === 'agent' ? ` for ${work.agent.id}` : ''
  out.write(
    `\n${count} case${count === 1 ? '' : 's'}${agent}; nothing was run${target === undefined ? '' : `, written to ${target}`}\n`,
  )
}

async function* caseLines(
  prepared: Prepared,
): AsyncGenerator<{ id: string; name?: string; note: string; value?: object }> {
  for await (const batch of prepared.work.planned()) {
    for (const { unit } of batch) {
      if (unit.kind !== 'case') continue
      const { testCase } = unit
      yield {
        id: testCase.id,
        ...(testCase.name !== undefined && { name: testCase.name }),
        note: describe(testCase),
        value: asWritten(testCase),
      }
    }
  }
}

async function* scriptLines(prepared: Prepared): AsyncGenerator<{ id: string; name?: string; note: string }> {
  for await (const batch of prepared.work.planned()) {
    for (const { unit } of batch) {
      if (unit.kind !== 'script_file') continue
      for (const test of unit.tests) yield { id: test.name, note: `${unit.file.script_path}:${test.line}` }
    }
  }
}

function describe(testCase: TestCase): string {
  if (testCase.skip) return '(skipped)'
  if (testCase.turns) return `(${testCase.turns.length} turns)`
  if (testCase.simulator) return `(dynamic, ${testCase.checkpoints?.length ?? 0} checkpoints)`
  const count = testCase.assertions.length
  return `(${count} assertion${count === 1 ? '' : 's'})`
}

function asWritten({ line: _line, assertions, ...rest }: TestCase): object {
  return assertions.length > 0 ? { ...rest, assertions } : rest
}
