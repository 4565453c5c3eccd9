// `viva mutate --judges`: asks the judges of the cases about mutants that nothing else can decide. An ordinary run, whose agent gives
// the changed answers: with the budget, the recordings and the judges of any other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { runTests } from '../../library/run-tests.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { WrittenCase } from '../../model/case-schema.js'
import type { RunEvent } from '../../model/event.js'
import type { OpenMutant } from '../../suite/mutate/open-mutants.js'
import type { CommandCall } from '../command.js'
import { plainIo } from '../plain-io.js'
import { note } from '../say.js'
import { listenForSignals } from '../signals.js'

/** Passed on to the run. */
const OPTIONS = ['judge', 'app', 'record', 'replay', 'max_cost', 'parallel', 'force'] as const

/** In the order given; undefined: there was no verdict. `file`: of cases that do not name their own. */
export async function askJudges(
  mutants: readonly OpenMutant[],
  file: string,
  flags: CommandCall['flags'],
): Promise<Array<'killed' | 'survived' | undefined>> {
  const verdicts: Array<'killed' | 'survived' | undefined> = mutants.map(() => undefined)
  if (mutants.length === 0) return verdicts
  const places = mutants.map(({ testCase }) => dirname(resolve(testCase.file ?? file)))
  const cases = mutants.map(({ testCase }, at) => ({
    id: `${testCase.id}~${at + 1}`,
    input: testCase.messages ?? testCase.input,
    ...(testCase.min_score !== undefined && { min_score: testCase.min_score }),
    options: { metadata: { mutant: at } },
    assert: testCase.assertions.map((spec) => placed(spec, places[at] ?? '')),
  }))
  const collect = (event: RunEvent): void => {
    if (event.type !== 'result') return
    const at = Number(event.id.slice(event.id.lastIndexOf('~') + 1)) - 1
    if (event.status === 'passed') verdicts[at] = 'survived'
    else if (event.status === 'failed' && event.error_kind === 'assertion') verdicts[at] = 'killed'
  }
  const folder = mkdtempSync(join(tmpdir(), 'viva-mutants-'))
  const signals = listenForSignals()
  try {
    await runTests(
      {
        ...Object.fromEntries(OPTIONS.flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]]]))),
        cases: cases as WrittenCase[],
        agent: (_messages, _context, { metadata }) => answerOf(mutants[Number(metadata?.['mutant'])]),
        output: [join(folder, 'events.jsonl')],
        history: false,
      },
      { ...plainIo(signals), note: () => {}, sinks: [{ name: 'mutants', write: collect }] },
      signals.stop,
    )
  } finally {
    signals.release()
    rmSync(folder, { recursive: true, force: true })
  }
  const lost = verdicts.filter((verdict) => verdict === undefined).length
  if (lost > 0) note(`Judges gave no verdict on ${plural(lost, 'mutant')}: they stay open`)
  return verdicts
}

function answerOf(mutant: OpenMutant | undefined) {
  const [reply] = mutant?.conduct.replies ?? []
  return { content: reply?.next ?? reply?.content ?? '', tool_calls: reply?.tool_calls ?? [] }
}

/** A judge that is named by a path is beside its cases. */
function placed(spec: AssertionSpec, folder: string): AssertionSpec {
  const { use, assertions } = spec
  return {
    ...spec,
    ...(typeof use === 'string' && use.startsWith('.') && { use: `./${relative(process.cwd(), join(folder, use))}` }),
    ...(Array.isArray(assertions) && { assertions: assertions.map((each) => placed(each as AssertionSpec, folder)) }),
  }
}
