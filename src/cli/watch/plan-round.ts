// What a round would run, read afresh: the cases as they are written now, and the files they depend on.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSelected } from '../../pipeline/plan/filter.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { findDependencies, type Dependencies, type ScriptTests, type WatchedCase } from './dependencies.js'

export interface RoundPlan {
  settings: Settings
  /** Each case that the flags select, with a hash of its whole content. */
  cases: Map<string, string>
  dependencies: Dependencies
}

export async function planRound(flags: Record<string, unknown>, cwd: string): Promise<RoundPlan> {
  const settings = await readSettings(flags, cwd)
  if (settings.input.kind === 'script_test') return planScripts(settings)
  const cases = new Map<string, string>()
  const watched: WatchedCase[] = []
  for await (const { testCase, dir } of casesOf(settings)) {
    if (!isSelected({ testCase }, settings.selection)) continue
    // A second file makes the first one's cases say where they are: that does not change them.
    const { line: _line, file: _file, ...written } = testCase
    const { id } = written
    cases.set(id, createHash('sha256').update(JSON.stringify(written)).digest('base64'))
    watched.push({ testCase, dir })
  }
  return { settings, cases, dependencies: await findDependencies({ settings, cases: watched, scripts: [] }) }
}

async function* casesOf({ input, cwd, dir }: Settings): AsyncGenerator<WatchedCase> {
  if (input.kind !== 'file') return yield { testCase: { id: 'T001', input: input.value, assertions: [] }, dir }
  const { openSource } = await import('../../pipeline/sources/open-source.js')
  const { checkAssertion } = await import('../../pipeline/assert/compile.js')
  // The run checks what it refers to; here it is only read.
  const source = await openSource(input, { cwd, checkAssertion, otherInput: true })
  try {
    for await (const batch of source.cases())
      for (const { testCase } of batch)
        yield { testCase, dir: testCase.file === undefined ? source.dir : dirname(resolve(cwd, testCase.file)) }
  } finally {
    await source.close()
  }
}

async function planScripts(settings: Settings): Promise<RoundPlan> {
  const { resolveTests } = await import('../../scripts/compile/resolve.js')
  const { parseFile } = await import('../../scripts/compile/parse.js')
  const { discoverTests } = await import('../../scripts/compile/discover.js')
  const root = realpathSync(settings.appRoot)
  const scripts: ScriptTests[] = []
  for (const { path, ref } of resolveTests(settings.input.value, root)) {
    const tests = discoverTests(await parseFile(path, root), ref)
    scripts.push({ path, ids: tests.map(({ id }) => id) })
  }
  const cases = new Map(scripts.flatMap(({ ids }) => ids).map((id) => [id, '']))
  return { settings, cases, dependencies: await findDependencies({ settings, cases: [], scripts }) }
}
