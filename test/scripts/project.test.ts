// Script tests in a project: several files, stacks through agents, edits, coverage, types, mistakes.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { conformanceRows } from '../support/conformance.js'
import { type Files, makeFolder, parseEvents, ROOT, viva, writeFiles } from '../support/run-cli.js'
import { blockOf, readSeed } from '../support/seed-document.js'

const NEST: Files = {
  'app.yao': '{}',
  'assistants/inner/package.yao': '{ "name": "inner", "connector": "mock" }',
  'assistants/inner/prompts.yml': '- { role: system, content: Answer. }',
  'assistants/inner/mock.yml': '- { output: fine }',
  'assistants/inner/src/index.ts': `import { refuse } from './refuse'

interface Nothing { a: number }

export function Create(ctx: agent.Context, messages: agent.Message[]): Nothing | null {
  if (messages[0].content === 'throw')
    refuse({ a: 1 })
  return null
}
`,
  'assistants/inner/src/refuse.ts': `type Reason = { a: number }


export function refuse(reason: Reason): never {
  throw new Error('refused ' + reason.a)
}
`,
  'assistants/outer/package.yao': '{ "name": "outer" }',
  'assistants/outer/src/call_test.ts': `interface Unused { b: string }

function ask(ctx: agent.Context, text: string) {
  return Process('agents.inner.Stream', ctx, [{ role: 'user', content: text }])
}

export function TestFine(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(ask(ctx, 'hello').content, 'fine')
}

export function TestThrows(t: testing.T, ctx: agent.Context) {
  ask(ctx, 'throw')
}

export async function TestAsync(t: testing.T) {
  await Promise.resolve()
  const nothing: any = null
  nothing.at.all
}
`,
}

test('stacks name file, line and column of the user, also through a nested agent call', async () => {
  const cwd = makeFolder(NEST)
  const run = await viva(['test', '-i', 'scripts.outer.call', '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestFine', 'passed'],
    ['TestThrows', 'failed'],
    ['TestAsync', 'failed'],
  ])
  const at = (name: string, path: string): string => `    at ${name} (${join(cwd, 'assistants', path)})`
  expect(String(results[1]?.['stack']).split('\n')).toEqual([
    'Exception: the Create hook of inner failed: refused 1',
    at('refuse', 'inner/src/refuse.ts:5:9'),
    at('Create', 'inner/src/index.ts:7:5'),
    at('ask', 'outer/src/call_test.ts:4:10'),
    at('TestThrows', 'outer/src/call_test.ts:12:3'),
  ])
  expect(String(results[2]?.['stack'])).toContain(at('TestAsync', 'outer/src/call_test.ts:18:11'))
})

test.each(conformanceRows('script', 'script_summary'))('$name', async ({ given, expect: wanted }) => {
  const bodies: Record<string, string> = {
    passed: '',
    failed: 't.assert.True(false)',
    error: 'throw new Error("broken")',
    skipped: 't.skip("not now")',
    timeout: 'while (true) {}',
  }
  const tests = (given['statuses'] as string[]).map((status, n) => `function Test${n}(t) { ${bodies[status]} }`)
  const cwd = makeFolder({ ...NEST, 'assistants/outer/src/sum_test.ts': tests.join('\n') })
  const run = await viva(['test', '-i', 'scripts.outer.sum', '--timeout', '2s', '-o', 'r.json'], { cwd })
  const { summary } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as { summary: object }
  expect({ ...summary, exit_code: run.code }).toMatchObject(wanted)
})

test('an edit of the module, of the test or of what they import is seen by the next run', async () => {
  const dir = 'assistants/edit'
  const cwd = makeFolder({
    [`${dir}/package.yao`]: '{ "name": "edit" }',
    [`${dir}/src/shared.ts`]: 'export const unit = 1',
    [`${dir}/src/sum.ts`]: `import { unit } from './shared'\nfunction Sum(a: number) { return a + unit }`,
    [`${dir}/src/sum_test.ts`]: 'function TestSum(t) { t.assert.Equal(Sum(1), 2) }',
  })
  const outcome = async (): Promise<string> =>
    /\d+ passed, \d+ failed/.exec((await viva(['agent', 'test', '-i', 'scripts.edit.sum'], { cwd })).stdout)?.[0] ??
    'none'
  expect(await outcome()).toBe('1 passed, 0 failed')
  writeFiles(cwd, {
    [`${dir}/src/sum.ts`]: `import { unit } from './shared'\nfunction Sum(a: number) { return a - unit }`,
  })
  expect(await outcome()).toBe('0 passed, 1 failed')
  writeFiles(cwd, { [`${dir}/src/sum_test.ts`]: 'function TestSum(t) { t.assert.Equal(Sum(1), 0) }' })
  expect(await outcome()).toBe('1 passed, 0 failed')
  writeFiles(cwd, { [`${dir}/src/shared.ts`]: 'export const unit = 2' })
  expect(await outcome()).toBe('0 passed, 1 failed')
})

test('all files of an agent: tests are told apart, a broken file fails alone whatever --run says', async () => {
  const cwd = makeFolder({
    ...NEST,
    'assistants/outer/src/other_test.ts': 'export function TestFine(t) { t.log("other") }',
    'assistants/outer/src/torn_test.ts': 'export function TestTorn(t {',
    'assistants/outer/src/lost_test.ts': 'import { x } from "./nowhere"\nexport function TestFine() { x }',
  })
  const run = await viva(
    ['agent', 'test', '-i', 'scripts.outer.*', '--run', 'TestFine$', '--parallel', '2', '-o', 'r.json'],
    {
      cwd,
    },
  )
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('  Script: assistants/outer/src/call_test.ts and 3 more files\n')
  for (const title of ['outer.call.TestFine', 'outer.other.TestFine', 'outer.lost.TestFine', 'load'])
    expect(run.stdout).toContain(`[${title}]`)
  expect(run.stdout).toMatch(/assistants\/outer\/src\/torn_test\.ts:1:\d+: /)
  expect(run.stdout).toMatch(/assistants\/outer\/src\/lost_test\.ts:1:\d+: Could not resolve "\.\/nowhere"/)
  expect(run.stdout).toContain('Summary: 2 passed, 2 failed, 0 skipped')
  const { results } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as { results: Array<{ script: string }> }
  expect(results.map(({ script }) => script).toSorted()).toEqual(
    ['call', 'lost', 'other', 'torn'].map((module) => `scripts.outer.${module}`),
  )
})

test('what cannot be run is said with what is there, and is exit code 2', async () => {
  const cwd = makeFolder({ ...NEST, 'assistants/outer/src/helpers_test.ts': 'export function helper() {}' })
  const said = async (input: string, ...args: string[]): Promise<string> => {
    const run = await viva(['test', '-i', input, ...args], { cwd })
    expect(run.code).toBe(2)
    return run.stderr
  }
  expect(await said('scripts.outer')).toContain('invalid script path: scripts.outer')
  expect(await said('scripts.outer.cal')).toMatch(
    /looked for assistants\/outer\/src\/cal_test\.ts.*\n.*scripts\.outer\.call/,
  )
  expect(await said('scripts.outer.helpers')).toContain('no test function in assistants/outer/src/helpers_test.ts')
  expect(await said('scripts.outer.call', '--run', 'Nothing')).toContain('no case matches --run Nothing')
  expect(await said('scripts.outer.call', '--tag', 'slow')).toContain('have no tags, so --tag selects none of them')
})

test('coverage: which lines of the scripts the tests ran, as text and as lcov', async () => {
  const cwd = makeFolder({
    'assistants/cover/package.yao': '{ "name": "cover" }',
    'assistants/cover/src/sum.ts': `type Input = { a: number }

function Used(input: Input): number {
  if (input.a > 10) {
    return -1
  }
  return input.a
}

function Unused(): number {
  return 2
}
`,
    'assistants/cover/src/sum_test.ts': 'function TestUsed(t) { t.assert.Equal(Used({ a: 1 }), 1) }',
  })
  const run = await viva(['test', '-i', 'scripts.cover.*', '--coverage', 'out/coverage'], { cwd })
  expect(run.code).toBe(0)
  const text = readFileSync(join(cwd, 'out/coverage/coverage.txt'), 'utf8')
  expect(`${run.stdout}${run.stderr}`).toContain(text.trimEnd())
  expect(text).toMatch(/assistants\/cover\/src\/sum\.ts +[\d.]+% +50% +5.*11/)
  const lcov = readFileSync(join(cwd, 'out/coverage/lcov.info'), 'utf8')
  expect(lcov).toContain('SF:assistants/cover/src/sum.ts\n')
  expect(lcov).toContain('FNDA:1,Used\n')
  expect(lcov).toContain('FNDA:0,Unused\n')
  expect(lcov).toMatch(/^DA:7,1$/m)
  expect(lcov).toMatch(/^DA:5,0$/m)
  expect(lcov).toMatch(/^DA:11,0$/m)
  expect(lcov).toContain('end_of_record\n')
})

test('coverage that cannot be written is refused before the first test', async () => {
  const cwd = makeFolder({
    'assistants/cover/package.yao': '{ "name": "cover" }',
    'assistants/cover/src/sum_test.ts': 'function TestRan(t) { FS("system").WriteFile("/ran", "yes") }',
    taken: 'a file',
    'old/coverage.txt': 'of an earlier run',
    'full/lcov.info/file': '',
  })
  for (const folder of ['taken', 'taken/below', 'full', '/proc/x/y']) {
    const run = await viva(['test', '-i', 'scripts.cover.*', '--coverage', folder], { cwd })
    expect([folder, run.code, run.stderr]).toEqual([folder, 2, expect.stringMatching(/cannot write .*\n.*--coverage/)])
  }
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
  for (const more of [['--dry-run'], ['--run', 'Nothing']])
    await viva(['test', '-i', 'scripts.cover.*', '--coverage', 'old', ...more], { cwd })
  expect(readFileSync(join(cwd, 'old/coverage.txt'), 'utf8')).toBe('of an earlier run')
})

const runFile = promisify(execFile)

test('viva init --types: the samples and the scaffold are understood by the compiler', async () => {
  const cwd = makeFolder({
    'sample/response_test.ts': blockOf(readSeed('003'), 'Script Testing with Agent Assertions'),
    'sample/setup_test.ts': blockOf(readSeed('000'), 'Example Test File').replace('// @ts-nocheck', ''),
    'sample/setup.ts':
      'function SystemReady(ctx: agent.Context) { return ctx.User !== null }\nfunction Setup(ctx: agent.Context, data: { id: number }) { return data }\n',
    'tsconfig.json': {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'preserve',
        moduleResolution: 'bundler',
        types: [],
      },
      include: ['viva.d.ts', 'sample', 'scaffold'],
    },
  })
  expect((await viva(['init', '--types'], { cwd })).code).toBe(0)
  expect((await viva(['init', 'scaffold', '--kind', 'package'], { cwd })).code).toBe(0)
  // The same types, once is enough.
  rmSync(join(cwd, 'scaffold/viva.d.ts'))
  const compile = (): Promise<string> =>
    runFile(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', cwd]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  expect(await compile()).toBe('')
  writeFiles(cwd, { 'sample/wrong_test.ts': 'function TestWrong(t: testing.T) { t.assert.Equals(1, 1) }' })
  expect(await compile()).toContain("Property 'Equals' does not exist")
  const scaffold = { cwd: join(cwd, 'scaffold') }
  const [cases, scripts] = await Promise.all([
    viva(['test', '-i', 'assistants/greeter/tests/inputs.jsonl'], scaffold),
    viva(['test', '-i', 'scripts.greeter.greeting'], scaffold),
  ])
  expect([cases.code, scripts.code]).toEqual([0, 0])
  expect(existsSync(join(cwd, 'viva.d.ts'))).toBe(true)
})
