// `--dry-run`: what would run, printed, and written where `-o` says as a case file that runs unchanged, except for secrets.
import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { requireNotLinkedOut } from '../files/linked-out.js'
import type { TestCase } from '../model/case.js'
import { writtenCase } from '../model/case-written.js'
import type { Prepared } from '../run/prepare.js'
import type { Settings } from '../run/settings.js'
import { isSameFile, outputTaken } from '../files/same-file.js'
import { openUnits } from './units.js'
import { preview } from '../base/text.js'
import { plural } from '../base/format.js'

interface DryLine {
  id: string
  name?: string
  note: string
  /** The case as written; tests in scripts have none. */
  value?: object
  testCase?: TestCase
}

export async function printDryRun(
  prepared: Prepared,
  out: { write(text: string): unknown },
  target: string | undefined,
): Promise<void> {
  const { work, cwd, redactor } = prepared
  if (work.mode !== 'agent' && target !== undefined) throw noCases(target)
  const units = await openUnits(prepared)
  let count = 0
  let hidden = 0
  const print = async function* (): AsyncGenerator<object> {
    for await (const { id, name, note, value, testCase } of work.mode === 'agent'
      ? caseLines(prepared)
      : scriptLines(prepared)) {
      count += 1
      if (testCase) units.add(testCase)
      const shown = redactor.value({ id, name, note })
      const label = shown.name === undefined ? '' : ` ${preview(shown.name, 100)}`
      out.write(`○ [${preview(shown.id, 100)}]${label} ${shown.note}\n`)
      if (!value) continue
      const written = redactor.value(value)
      if (written !== value) hidden += 1
      yield written
    }
  }
  if (target === undefined) for await (const _ of print());
  else await writeCases(resolve(cwd, target), print())
  const agents =
    work.mode === 'agent' ? work.tested.map(({ spec, agent }) => (work.tested.length > 1 ? spec.name : agent.id)) : []
  const agent = agents.length > 0 ? ` for ${redactor.text(agents.join(', '))}` : ''
  out.write(
    `\n${plural(count, 'case')}${agent}; nothing was run${target === undefined ? '' : `, written to ${target}`}\n`,
  )
  // Apart from the list, which can be piped on.
  if (work.mode === 'agent') for (const line of units.lines()) prepared.io.note?.(line)
  if (target !== undefined && hidden > 0)
    prepared.warn(
      `${plural(hidden, 'case')} written with a placeholder where a secret was: fill it in before running them`,
    )
}

/** Where `-o` says that cases go: they can be written there, and nothing is lost. */
export async function requireCaseFile(
  { input, appRoot, cwd, options }: Settings,
  output: string[],
): Promise<string | undefined> {
  const [path, ...more] = output
  if (path === undefined) return undefined
  if (more.length > 0) throw severalFiles(output.length)
  if (formatOf(path) === undefined) throw notACaseFile(path)
  if (input.files.some((file) => isSameFile(resolve(cwd, file), resolve(cwd, path))))
    throw outputTaken('-o', path, 'the cases are read from it')
  const { requireNew, requireWritable } = await import('../pipeline/record/open-output.js')
  requireNew(path, options.force, 'replace it (--force), or name another file with -o')
  requireNotLinkedOut(dirname(resolve(cwd, path)), `-o ${path}`, [appRoot, cwd])
  requireWritable(path)
  return path
}

function formatOf(path: string): string | undefined {
  return /\.(jsonl|json|ya?ml)$/i.exec(path)?.[1]?.toLowerCase()
}

async function writeCases(path: string, cases: AsyncIterable<object>): Promise<void> {
  const format = formatOf(path)
  const { writeChunks } = await import('../pipeline/report/write-report.js')
  await writeChunks(path, format === 'jsonl' ? jsonLines(cases) : format === 'json' ? jsonList(cases) : yamlList(cases))
}

async function* jsonLines(cases: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const value of cases) yield `${JSON.stringify(value)}\n`
}

async function* jsonList(cases: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const value of cases) {
    yield `${before}${JSON.stringify(value)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* yamlList(cases: AsyncIterable<object>): AsyncGenerator<string> {
  const { stringify } = await import('yaml')
  for await (const value of cases) yield stringify([value], { lineWidth: 0 })
}

function severalFiles(count: number): UserError {
  return new UserError({
    code: 'BAD_CASE_OUTPUT',
    message: `a dry run writes one case file, but -o names ${count}`,
    hint: 'give -o once; reports are written by a run, without --dry-run',
  })
}

function noCases(path: string): UserError {
  return new UserError({
    code: 'BAD_CASE_OUTPUT',
    message: `script tests are not cases, so a dry run cannot write them to ${path}`,
    hint: 'leave out -o: the tests are listed on standard output',
  })
}

function notACaseFile(path: string): UserError {
  return new UserError({
    code: 'BAD_CASE_OUTPUT',
    message: `a dry run writes cases, but ${path} is not a case file`,
    hint: 'name it .jsonl, .json or .yaml',
  })
}

async function* caseLines(prepared: Prepared): AsyncGenerator<DryLine> {
  for await (const batch of prepared.work.planned()) {
    for (const { unit } of batch) {
      if (unit.kind !== 'case') continue
      const { testCase } = unit
      yield {
        id: testCase.id,
        ...(testCase.name !== undefined && { name: testCase.name }),
        note: describe(testCase),
        value: writtenCase(testCase),
        testCase,
      }
    }
  }
}

async function* scriptLines(prepared: Prepared): AsyncGenerator<DryLine> {
  const { work } = prepared
  const paths = new Map(work.mode === 'agent' ? [] : work.files.map((file) => [file.ref, file.script_path]))
  for await (const batch of work.planned()) {
    for (const { unit } of batch) {
      if (unit.kind !== 'script_file') continue
      for (const test of unit.tests) yield { id: test.name, note: `${paths.get(unit.script)}:${test.line}` }
    }
  }
}

function describe(testCase: TestCase): string {
  if (testCase.skip) return '(skipped)'
  if (testCase.turns) return `(${plural(testCase.turns.length, 'turn')})`
  if (testCase.simulator) return `(dynamic, ${plural(testCase.checkpoints?.length ?? 0, 'checkpoint')})`
  return `(${plural(testCase.assertions.length, 'assertion')})`
}
