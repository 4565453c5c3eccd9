import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResultEvent, StartEvent } from './event.js'
import { lastFailedCommand, rerunCommand } from './rerun-command.js'

const start = (options: Record<string, unknown>, change: object = {}): StartEvent =>
  ({ type: 'start', input: 'cases.jsonl', agent_id: 'a', options, ...change }) as StartEvent
const result = (id: string, change: object = {}): ResultEvent => ({ type: 'result', id, ...change }) as ResultEvent

test('names the input, the agent and the case', () => {
  const options = { input: 'tests/cases.jsonl', name: './agent.mjs#run', runs: 5, output: ['r.html'] }
  expect(rerunCommand(start(options), [result('T001')])).toBe(
    "viva test -i tests/cases.jsonl -n './agent.mjs#run' --runs 5 --run '^T001$'",
  )
  expect(rerunCommand(start({ chaos: true }), [result('T001')])).toBe("viva test -i cases.jsonl --chaos --run '^T001$'")
  expect(rerunCommand(start({ chaos: 'error,seed=7' }), [result('T001')])).toBe(
    "viva test -i cases.jsonl '--chaos=error,seed=7' --run '^T001$'",
  )
  expect(rerunCommand(start({}), [result('T001')])).toBe("viva test -i cases.jsonl --run '^T001$'")
})

test('keeps what decides how the agent answers', () => {
  const options = { input: 'c.jsonl', connector: 'gpt 5', ctx: 'ctx.json', pass_env: ['KEY'], allow_outside: true }
  expect(rerunCommand(start(options), [result('a')])).toBe(
    "viva test -i c.jsonl -c 'gpt 5' --ctx ctx.json --pass-env KEY --allow-outside --run '^a$'",
  )
})

test('keeps the plan of repeated runs, whatever is not the default of it', () => {
  const usual = { threshold: 80, confidence: 95, max_runs: 30 }
  const planOf = (options: object) => {
    const command = rerunCommand(start({ ...usual, ...options }), [result('a')]) ?? ''
    return /cases\.jsonl (.*)--run '/.exec(command)?.[1]?.trim()
  }
  expect(planOf({ runs: 1, min_pass_rate: 100 })).toBe('')
  expect(planOf({ runs: 5, min_pass_rate: 60, max_runs: 40 })).toBe('--runs 5 --min-pass-rate 60')
  expect(planOf({ runs: 'auto', min_pass_rate: 80 })).toBe('--runs auto')
  expect(planOf({ runs: 'auto', min_pass_rate: 90, threshold: 90, max_runs: 60 })).toBe(
    '--runs auto --threshold 90 --max-runs 60',
  )
})

test('a script test is picked by its function', () => {
  const event = result('scripts.a.b.TestX', { script: 'scripts.a.b', name: 'TestX' })
  expect(rerunCommand(start({ input: 'scripts.a.b' }), [event])).toBe("viva test -i scripts.a.b --run '^TestX$'")
})

test('no command where the cases cannot be had again or a word cannot be pasted', () => {
  expect(rerunCommand(start({ input: '-' }), [result('a')])).toBeUndefined()
  expect(rerunCommand(start({ input: 'a\nrm -rf b' }), [result('a')])).toBeUndefined()
  expect(rerunCommand(start({ name: 'a\u001b[201~b' }), [result('a')])).toBeUndefined()
})

test('an id matches itself and nothing is left for the shell to read', () => {
  const id = fc.string({ unit: fc.constantFrom(...'ab.$`"\'\\(|)[]{}*?!~;&<> \n\u202e#%é'.split('')) })
  fc.assert(
    fc.property(fc.array(id, { minLength: 10, maxLength: 10 }), (ids) => {
      // The words as a shell sees them, each on a line, and an empty one after each command.
      const lines = ids.map((each) =>
        (rerunCommand(start({}), [result(each)]) ?? '').replace(/^viva test/, String.raw`printf '%s\n'`),
      )
      const said = execFileSync('sh', ['-c', lines.join('; echo\n')], { encoding: 'utf8' })
      const commands = said.trimEnd().split('\n\n')
      expect(commands).toHaveLength(ids.length)
      for (const [index, each] of ids.entries()) {
        const words = commands[index]?.split('\n') ?? []
        expect(words.slice(0, 3)).toEqual(['-i', 'cases.jsonl', '--run'])
        expect(words).toHaveLength(4)
        expect(new RegExp(words[3] ?? '', 's').test(each)).toBe(true)
      }
    }),
    { numRuns: 10 },
  )
})

test('several cases are one expression; those of one variant name it', () => {
  expect(rerunCommand(start({}), [result('a.b'), result('c')])).toBe(
    String.raw`viva test -i cases.jsonl --run '^(?:a\.b|c)$'`,
  )
  const options = { variant: ['x=./x.mjs', 'y=./y.mjs'] }
  const [a, b] = [result('a', { variant: 'y' }), result('b', { variant: 'x' })]
  expect(rerunCommand(start(options), [a])).toBe("viva test -i cases.jsonl --variant 'y=./y.mjs' --run '^a$'")
  expect(rerunCommand(start(options), [a, b])).toBe(
    "viva test -i cases.jsonl --variant 'x=./x.mjs' --variant 'y=./y.mjs' --run '^(?:a|b)$'",
  )
  const targets = { variant: ['./x.mjs#run=./x.mjs#run', 'y=y'] }
  expect(rerunCommand(start(targets), [result('a', { variant: 'y' })])).toBe(
    "viva test -i cases.jsonl -n y --run '^a$'",
  )
  expect(rerunCommand(start(targets), [a, b])).toBe("viva test -i cases.jsonl -n './x.mjs#run' -n y --run '^(?:a|b)$'")
  expect(lastFailedCommand(start(options))).toContain("--variant 'y=./y.mjs' --last-failed")
})
