// What users get: the packed package in an otherwise empty folder, beside nothing but what it says it depends on.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEvents, ROOT, writeFiles } from './support/run-cli.js'

const MAX_BYTES = 7_000_000
const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-installed-')))
/** With a space, which addresses of modules have in another form than paths. */
const dir = join(root, 'my project')
const own = join(dir, 'node_modules/viva')

beforeAll(() => {
  mkdirSync(own, { recursive: true })
  const [tarball = ''] = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n')
  execFileSync('tar', ['-xzf', join(root, tarball), '-C', own, '--strip-components', '1'])
  for (const name of Object.keys(manifest().dependencies)) link(name)
  writeFiles(dir, { 'package.json': { type: 'module' } })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function link(name: string): void {
  const path = join(dir, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path)
}

function manifest(): Record<'bin' | 'scripts' | 'dependencies' | 'peerDependencies', Record<string, string>> {
  return JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as ReturnType<typeof manifest>
}

function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env['PATH'], HOME: dir, LANG: 'C.UTF-8', TZ: 'UTC' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const viva = (...args: string[]): ReturnType<typeof node> => node(join(own, manifest().bin['viva'] ?? ''), ...args)

test('the package is small, and nothing of it runs when it is installed', () => {
  const paths = readdirSync(own, { recursive: true, encoding: 'utf8' }).map((path) => join(own, path))
  const files = paths.filter((path) => statSync(path).isFile())
  expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(MAX_BYTES)
  expect(files.filter((path) => /\.(?:map|cache)$/.test(path))).toEqual([])
  const scripts = Object.keys(manifest().scripts)
  expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare)$|^prepublish$/.test(name))).toEqual([])
})

test('npm 10 can install it', () => {
  // It fails on vitest's own peers, even where vitest is optional. Without a range pnpm and Yarn still link it.
  expect(manifest().peerDependencies).not.toHaveProperty('vitest')
})

test('the command says which version it is', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(viva('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test('cases run: against a function in its own process, and against a package', () => {
  writeFiles(dir, {
    'agent.ts':
      'export const run = (messages: { content: string }[]): string => `You said: ${messages.at(-1)?.content}`',
    'cases.jsonl': [
      { id: 'right', input: 'hello', assert: { type: 'equals', value: 'You said: hello' } },
      { id: 'wrong', input: 'hello', assert: { type: 'equals', value: 'hello' } },
    ],
  })
  const run = viva('test', '-i', 'cases.jsonl', '-n', './agent.ts#run', '-o', 'run.jsonl', '-o', 'run.html')
  expect(run).toMatchObject({ status: 1 })
  const results = parseEvents(readFileSync(join(dir, 'run.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  expect(results.map(({ id, status }) => [id, status])).toEqual([
    ['right', 'passed'],
    ['wrong', 'failed'],
  ])
  expect(readFileSync(join(dir, 'run.html'), 'utf8')).toContain('<script')

  const example = join(own, 'examples/expense/tests/inputs.jsonl')
  expect(viva('test', '-i', example, '-o', 'expense.jsonl')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/6 passed\b/),
  })
})

test('script tests run', () => {
  writeFiles(dir, {
    'app.yao': {},
    'assistants/sums/package.yao': { name: 'Sums' },
    'assistants/sums/src/sums_test.ts':
      'export function TestRight(t: testing.T) { t.assert.Equal(1 + 1, 2) }\n' +
      'export function TestWrong(t: testing.T) { t.assert.Equal(1 + 1, 3) }\n',
  })
  expect(viva('test', '-i', 'scripts.sums.*', '--app', '.')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/1 failed, 1 passed\b/),
  })
})

test('the library can be imported', () => {
  writeFiles(dir, {
    'judge.mjs': `import { evaluate } from 'viva'
      const judged = await Promise.all(['hello', 'goodbye'].map((value) => evaluate({ output: 'hello' }, { type: 'contains', value })))
      console.log(judged.map(({ passed }) => passed).join())`,
  })
  expect(node('judge.mjs')).toEqual({ status: 0, stdout: 'true,false\n', stderr: '' })
})

test('the types hold, those of viva/vitest and of script tests too', () => {
  for (const name of ['vitest', '@types/node']) link(name)
  writeFiles(dir, {
    'tsconfig.json': {
      compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, types: ['node'] },
      files: ['right.ts', 'wrong.ts', 'slips.ts'],
    },
    'right.ts': `/// <reference types="viva/testing" />
      import 'viva/vitest'
      import { expect } from 'vitest'
      import { defineCases, defineConfig, runCase, runTests, type RunOutcome, type WrittenCase } from 'viva'
      export const outcome: Promise<RunOutcome> = runTests({ input: 'cases.jsonl' })
      export const passed: Promise<void> = expect({ input: 'hi' }).toPassCase(() => 'hello')
      export default defineCases([
        { id: 'A', input: 'hi', assert: 'snapshot', 'x-owner': 'me', comment: 'why' },
        { id: 'B', input: 'hi', assert: { value: { total: { $gt: 5, $lt: 9 }, items: { $each: { id: { $optional: 1 } } } } } },
        { id: 'C', turns: [{ input: 'x', assert: [{ type: 'tool_called', name: 'book', arguments: { $$gt: 5, city: 'Rome' } }] }] },
        { id: 'D', input: 'x', assert: { type: 'any', assertions: ['snapshot', { type: 'equals', value: { $ref: '#/a' } }] } },
      ])
      export const built: WrittenCase = { id: 'E', input: 'x', assert: ['a', 'b'].map((value) => ({ type: 'contains' as const, value })) }
      export const one = runCase({ input: 'x', assert: { type: 'regex', pattern: 'x' } }, 'builtin:echo')
      export const config = defineConfig({ defaults: { parallel: 4 }, agents: { x: { url: 'http://127.0.0.1:1', model: 'm' } } })
      export function TestOne(t: testing.T): void { t.assert.Equal(1, 1) }`,
    'wrong.ts': `import 'viva/vitest'
      import { expect } from 'vitest'
      import { runTests } from 'viva'
      void runTests({ inputs: 'cases.jsonl' })
      void expect({ input: 'hi' }).toPassCase(3)
      export function TestOne(t: testing.T): void { t.assert.Equals(1, 1) }`,
    'slips.ts': `import 'viva/vitest'
      import { expect } from 'vitest'
      import { defineCases, defineConfig, evaluate, runCase } from 'viva'
      defineCases([{ id: 'A', input: 'x', assert: { type: 'contans', value: 'x' } }])
      defineCases([{ id: 'A', input: 'x', assert: { type: 'contains', valu: 'x' } }])
      defineCases([{ id: 'A', input: 'x', assert: [{ type: 'tool_called', nam: 'x' }] }])
      defineCases([{ id: 'A', inputs: 'x' }])
      defineCases([{ id: 'A', turns: [{ input: 'x', assert: { type: 'latency', max: 5 } }] }])
      void runCase({ input: 'x', assert: { type: 'equal', value: 'x' } }, 'builtin:echo')
      void runCase({ input: 'x', assert: { type: 'equals', value: { total: { $gtt: 5 } } } }, 'builtin:echo')
      void runCase({ input: 'x', assert: { type: 'tool_called', name: 'x', arguments: { n: { $text: { value: 'x' } } } } }, 'builtin:echo')
      void evaluate({ output: 'x' }, { type: 'regex', patern: 'x' })
      void expect('x').toSatisfy({ type: 'contains', vlaue: 'x' })
      void expect('x').toCallTool('book', { seats: { $lt: true } })
      defineConfig({ defalts: { parallel: 4 } })
      defineConfig({ defaults: { paralel: 4 } })
      defineConfig({ agents: { x: { url: 'http://127.0.0.1:1', modl: 'm' } } })`,
  })
  const { stdout } = node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.')
  const wrong = stdout
    .split('\n')
    .flatMap((line) => /^(\S.*?)\((\d+),\d+\): error/.exec(line)?.slice(1, 3).join(':') ?? [])
  const slips = Array.from({ length: 14 }, (_, index) => `slips.ts:${index + 4}`)
  expect(wrong.toSorted()).toEqual([...slips, 'wrong.ts:4', 'wrong.ts:5', 'wrong.ts:6'].toSorted())
})
