// Do generated cases get where they aim? The generator sees descriptions and schemas, never the name of a hole; the agents
// know nothing of it either. The stand-in for a model and the generator were written by the same hand: real models differ.
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CoverageReport } from '../../src/suite/coverage/report.js'
import { makeFolder, ROOT, viva, writeFiles } from '../support/run-cli.js'

const FIXTURES = join(ROOT, 'test/fixtures/coverage')

interface Subject {
  name: string
  /** Copied as the folder of the test. */
  from: string
  target: string
  /** The only case that there is at first. */
  input: string
  /** With the stand-in for a model; else as it is. */
  toy: boolean
  /** Holes that no case reached. */
  missed: string[]
}

const SUBJECTS: Subject[] = [
  {
    name: 'a shipped package with hooks, two servers and a delegate',
    from: 'examples/package-tools',
    target: 'shop.desk',
    input: 'Good morning',
    toy: true,
    // The one tool always throws, the other never does: only a case that replaces them could reach this.
    missed: ['tools orders__cancel', 'tool_errors stock__count'],
  },
  {
    name: 'a shipped package with one tool',
    from: 'examples/connectors',
    target: 'weather',
    input: 'Good morning',
    toy: true,
    // It knows the weather everywhere.
    missed: ['tool_errors reports__weather'],
  },
  {
    name: 'an MCP server',
    from: 'test/fixtures/coverage/library',
    target: './',
    input: 'Good morning',
    toy: true,
    missed: [],
  },
  {
    name: 'an orchestrator',
    from: 'test/fixtures/coverage/loop',
    target: 'orchestrator:hats.yml',
    input: 'Write about bees',
    toy: false,
    missed: [],
  },
]

/** By hole, over all rounds. */
interface Outcome {
  aimed: Set<string>
  reached: Set<string>
}

/** What follows from a hole is aimed at once that is closed: in the next round. */
const ROUNDS = 3

async function generate({ from, target, input, toy }: Subject): Promise<Outcome> {
  const dir = makeFolder()
  cpSync(join(ROOT, from), dir, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  cpSync(join(FIXTURES, 'blind-generator.mjs'), join(dir, 'generator.mjs'))
  cpSync(join(FIXTURES, 'toy-model.ts'), join(dir, 'scripts/toy.ts'))
  writeFiles(dir, {
    'connectors/toy.conn.yao': { type: 'mock', options: { script: 'scripts.toy.answer' } },
    'first.jsonl': [{ id: 'first', input }],
  })
  if (existsSync(join(dir, 'hats.yml'))) {
    const hats = readFileSync(join(dir, 'hats.yml'), 'utf8')
    writeFiles(dir, { 'hats.yml': hats.replace('hat.mjs', join(dir, 'hat.mjs')) })
  }
  const connector = toy ? ['-c', 'toy'] : []
  const run = await viva(['test', '-i', 'first.jsonl', '-n', target, ...connector, '-o', 'run.jsonl'], { cwd: dir })
  expect(run.code, run.stdout + run.stderr).toBe(0)
  const events = ['run.jsonl']
  const outcome: Outcome = { aimed: new Set(), reached: new Set() }
  for (let round = 1; round <= ROUNDS; round++) {
    const file = `new-${round}.jsonl`
    const args = ['--start-servers', ...connector, '--generate', file, '--generator', './generator.mjs#run']
    const { stdout, stderr } = await viva(['coverage', ...events, '-n', target, ...args, '--format', 'json'], {
      cwd: dir,
    })
    expect(stdout, stderr).not.toBe('')
    const { generated } = JSON.parse(stdout) as CoverageReport
    if (!generated || generated.aimed === 0) break
    requireBlind(join(dir, file), generated.cases)
    for (const each of generated.cases) {
      outcome.aimed.add(`${each.kind} ${each.name}`)
      if (each.reached) outcome.reached.add(`${each.kind} ${each.name}`)
    }
    events.push(/Their run: (.+)/.exec(stderr)?.[1] ?? '')
  }
  return outcome
}

/** Nothing of what the generator looked at has the name of a hole in it. */
function requireBlind(file: string, cases: Array<{ name: string }>): void {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { metadata } = JSON.parse(line) as { metadata: { saw: unknown } }
    const saw = JSON.stringify(metadata.saw)
    expect(cases.filter(({ name }) => saw.includes(name))).toEqual([])
  }
}

test('at least 80% of the holes that cases aim at are reached', async () => {
  const total = { aimed: 0, reached: 0 }
  for (const subject of SUBJECTS) {
    const { aimed, reached } = await generate(subject)
    expect(
      [...aimed].filter((hole) => !reached.has(hole)),
      subject.name,
    ).toEqual(subject.missed)
    total.aimed += aimed.size
    total.reached += reached.size
  }
  expect(total).toEqual({ aimed: 40, reached: 37 })
  expect(total.reached / total.aimed).toBeGreaterThanOrEqual(0.8)
})
