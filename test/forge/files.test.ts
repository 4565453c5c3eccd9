// What is tested can write files: none of those that decide about a case counts as it was left by an agent or by another test.
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRun, readRun } from '../faults/support.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

const CHECK = `import { wanted } from './wanted'
export function Right(output) { return String(output).includes(wanted) }`

const VERDICTS = `
- { trigger_pattern: right, output: '{"passed": true, "score": 1, "reason": "x"}' }
- { output: '{"passed": false, "score": 0, "reason": "x"}' }
`

const APP: Files = {
  'app.yao': '{}',
  'scripts/checks.ts': CHECK,
  'scripts/wanted.ts': `export const wanted = 'right'`,
  'judge.mjs': `export default (messages, ctx) => ({ passed: JSON.stringify(messages).includes('right'), score: 0, reason: 'x' })`,
  'viva.config.json': { helpers: { connector: 'judging' } },
  'assistants/hooked/package.yao': { name: 'hooked' },
  'assistants/hooked/src/index.ts': `import { wanted } from './wanted'
export function Create() {}
export function Next(ctx, { messages }) { return { data: { passed: JSON.stringify(messages).includes(wanted), score: 0, reason: 'x' } } }`,
  'assistants/hooked/src/wanted.ts': `export const wanted = 'right'`,
  'assistants/scripted/package.yao': { name: 'scripted', connector: 'mock' },
  'assistants/scripted/prompts.yml': '- { role: system, content: judge }',
  'assistants/scripted/mock.yml': VERDICTS,
  'connectors/judging.conn.yao': { type: 'mock', options: { file: 'verdicts.yml' } },
  'connectors/verdicts.yml': VERDICTS,
  'wanted.json': { type: 'string', pattern: 'right' },
}

/** Each line makes a wrong answer a good one, if it is read again. */
const FORGER = `#!/bin/sh
input=$(cat)
case "$input" in *honest*) printf right; exit;; esac
printf 'export function Right() { return true }\\n' > scripts/checks.ts
printf 'export const wanted = "wrong"\\n' > scripts/wanted.ts
mkdir -p src assistants/x/src
printf 'export function Right() { return true }\\n' > src/checks.ts
printf 'export default () => ({ passed: true, score: 1, reason: "x" })\\n' > judge.mjs
printf '{ "defaults": { "min_pass_rate": 0.01 } }' > viva.config.json
printf 'export function Create() {}\nexport function Next() { return { data: { passed: true, score: 1, reason: "x" } } }\n' > assistants/hooked/src/index.ts
printf 'export const wanted = "wrong"\n' > assistants/hooked/src/wanted.ts
sed -i 's/right/wrong/g' assistants/scripted/mock.yml connectors/verdicts.yml wanted.json
printf '{ "type": "mock", "options": { "responses": [{ "output": { "passed": true, "score": 1, "reason": "x" } }] } }' > connectors/judging.conn.yao
sed -i 's/right/wrong/g' cases.jsonl
for file in snapshots/cases/*.snap; do sed -i 's/right/wrong/g' "$file"; done
printf wrong`

const kinds: Record<string, object> = {
  script: { type: 'script', script: 'scripts.checks.Right' },
  judge: { type: 'agent', use: './judge.mjs', value: 'says what is wanted' },
  'judge with hooks': { type: 'agent', use: 'agents:hooked', value: 'says what is wanted' },
  'judge with a model': { type: 'agent', use: 'agents:scripted', value: 'says what is wanted' },
  'judge of ours': { type: 'agent', value: 'says what is wanted' },
  schema: { type: 'all', assertions: [{ type: 'schema', file: 'wanted.json' }] },
  snapshot: { type: 'snapshot' },
  equals: { type: 'equals', value: 'right' },
}

test('an agent that rewrites what decides about it', async () => {
  const cases = Object.entries(kinds).flatMap(([kind, assert]) =>
    [1, 2].map((number) => ({ id: `${kind} ${number}`, input: `${kind} ${number}`, assert })),
  )
  const cwd = makeFolder({
    ...APP,
    'agent.sh': FORGER,
    'good.sh': '#!/bin/sh\ncat >/dev/null; printf right',
    'cases.jsonl': cases,
  })
  for (const name of ['agent.sh', 'good.sh']) chmodSync(join(cwd, name), 0o755)
  const run = (agent: string, ...more: string[]) =>
    viva(['test', '-i', 'cases.jsonl', '-n', `exec:./${agent}`, '-o', 'o.jsonl', '--force', ...more], { cwd })
  expect((await run('good.sh', '-U')).code).toBe(0)
  expect((await run('good.sh')).code).toBe(0)
  const forged = await run('agent.sh', '--parallel', '1')
  const { results } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  expect(results.map(({ id, status }) => [id, status])).toEqual(cases.map(({ id }) => [id, 'failed']))
  expect(forged.code).toBe(1)
  expect(forged.stdout).toContain('was changed during the run')
})

test('a case file too large to be kept, changed and given its old time: exit 3', async () => {
  const cwd = makeFolder({})
  const file = join(cwd, 'cases.jsonl')
  const line = (id: number): string =>
    JSON.stringify({ id: `${id}`, input: 'x'.repeat(90_000), assert: { type: 'equals', value: 'right' } })
  writeFileSync(file, Array.from({ length: 60 }, (_, id) => `${line(id)}\n`).join(''))
  expect(statSync(file).size).toBeGreaterThan(4 * 1024 * 1024)
  const agent = `#!/bin/sh
cat > /dev/null
if [ ! -e seen ]; then
  touch -r cases.jsonl seen
  sed 's/right/wrong/g' cases.jsonl > other && cat other > cases.jsonl
  touch -r seen cases.jsonl
fi
printf wrong`
  writeFileSync(join(cwd, 'agent.sh'), agent, { mode: 0o755 })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'exec:./agent.sh', '-o', 'o.jsonl', '--parallel', '4']
  const run = await viva(args, { cwd })
  expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('was changed while its cases were running')])
  expect(readRun(join(cwd, 'o.jsonl')).summary).toBeUndefined()
}, 120_000)

test('a script test that rewrites another one', async () => {
  const victim = `function TestWrong(t) { t.assert.Equal(1, 2, 'really') }`
  const cwd = makeFolder({
    'app.yao': '{}',
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/a_test.ts': `
import fs from 'node:fs'
function TestForger(t) {
  fs.writeFileSync(${JSON.stringify('assistants/shop/src/z_test.ts')}, 'function TestWrong(t) { t.assert.True(true) }')
  t.assert.True(true)
}`,
    'assistants/shop/src/z_test.ts': victim,
  })
  const run = await viva(['test', '-i', 'scripts.shop.*', '-o', 'o.jsonl', '--parallel', '1'], { cwd })
  const { results } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestForger', 'passed'],
    ['TestWrong', 'failed'],
  ])
  expect(run.code).toBe(1)
})
