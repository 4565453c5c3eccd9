// `-i cases.ts`: cases that a program exports, checked like those of a file.
import { expect, test } from 'vitest'
import { runTests, UserError } from '../../src/index.js'
import { parseEvents, makeFolder, viva } from '../support/run-cli.js'

const LIST = `[
  { id: 'a', input: 'hello', assert: { type: 'contains', value: 'hell' } },
  { id: 'b', input: 'x', assert: { type: 'equals', value: 'y' } },
]`

const run = (cwd: string, ...args: string[]) =>
  viva(['test', '-n', 'builtin:echo', '--json', '-i', ...args], { cwd, env: {} })

test('a list, a function, a promise, a stream and {cases} are all cases', async () => {
  const cwd = makeFolder({
    'list.ts': `interface Case { id: string }\nexport default ${LIST} satisfies Case[]`,
    'function.mjs': `export default async () => ${LIST}`,
    'promise.ts': `export default Promise.resolve({ cases: ${LIST} })`,
    'stream.ts': `export default async function* () { yield* ${LIST} }`,
  })
  for (const file of ['list.ts', 'function.mjs', 'promise.ts', 'stream.ts']) {
    const { code, stdout } = await run(cwd, file)
    const results = parseEvents(stdout).flatMap((event) =>
      event.type === 'result' ? [`${String(event['id'])} ${String(event['status'])}`] : [],
    )
    expect({ file, code, results }).toEqual({ file, code: 1, results: ['a passed', 'b failed'] })
  }
})

test('attachments are looked for beside the file', async () => {
  const cwd = makeFolder({
    'tests/cases.ts': `export default [{ id: 'a', input: 'see', attachments: [{ type: 'file', source: 'file://note.txt' }], assert: { type: 'contains', value: 'see' } }]`,
    'tests/note.txt': 'a note',
  })
  const first = await viva(['test', '-n', 'builtin:echo', '-i', 'tests/cases.ts', '-o', 'run.jsonl'], { cwd })
  expect(first.code).toBe(0)
})

test.each([
  ['export const cases = []', /default export must be a list of cases, found undefined/],
  ['export default "cases"', /must be a list of cases, found "cases"/],
  ['export default []', /no test cases in cases\.ts/],
  ['', /no test cases in cases\.ts/],
  [
    'export default [{ id: "a", input: "x", assert: { type: "equals", value: NaN } }]',
    /cases\[0\]\.assert\.value is NaN/,
  ],
  ['export default [{ id: "a", input: () => 1 }]', /cases\[0\]\.input is the function input/],
  ['const list: any[] = []; list.push({ id: "a", input: "x", list }); export default list', /a circle/],
  ['export default [{ id: "a", input: "x" }, { id: "a", input: "y" }]', /duplicate id "a"/],
  ['export default [{ id: "a", input: "x", assret: "equals" }]', /assret/],
  ['export default [{ id: "a", input: "x", assert: {}["typo"] }]', /cases\[0\]\.assert is undefined/],
  ['export default [{ id: "a", turns: [{ input: "x", expected: undefined }] }]', /\.turns\[0\]\.expected is undefined/],
  [
    'export default [{ id: "a", input: "x", assert: [{ type: "tool_called", name: "t", args: { a: undefined } }] }]',
    /assert\[0\]\.args\.a is undefined/,
  ],
  [
    'export default [{ id: "a", input: "x", assert: { type: "tool_result", tool: "t", result: { ok: undefined } } }]',
    /assert\.result\.ok is undefined/,
  ],
  [
    'export default [{ id: "a", input: "x", assert: { type: "json_path", path: "$", value: { $gt: undefined }, negate: true } }]',
    /assert\.value\.\$gt is undefined/,
  ],
  [
    'export default [{ id: "a", input: "x", assert: { type: "schema", value: { required: undefined } } }]',
    /assert\.value\.required is undefined/,
  ],
  [
    'export default [{ id: "a", simulator: { use: "u" }, checkpoints: [{ id: "c", assertion: { type: "tool_called", name: "t", args: { a: undefined } } }] }]',
    /checkpoints\[0\]\.assertion\.args\.a is undefined/,
  ],
  ['export default () => { throw new Error("no database") }', /failed to produce its cases: no database/],
  ['throw new Error("at load")', /could not be loaded: at load/],
  ['export default [', /does not compile/],
])('%s is refused', async (source, message) => {
  const io = { cwd: makeFolder({ 'cases.ts': source }), env: {} }
  const refused: unknown = await runTests({ input: 'cases.ts', name: 'builtin:echo' }, io).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(UserError)
  const { message: said, problems, exitCode } = refused as UserError
  expect([exitCode, [said, ...problems.map((problem) => problem.message)].join('\n')]).toEqual([
    2,
    expect.stringMatching(message),
  ])
})

test('a file that ends the process is not a pass', async () => {
  const { code } = await run(makeFolder({ 'cases.ts': 'process.exit(0)' }), 'cases.ts')
  expect(code).toBe(3)
})

test('what a program with cases does when the process ends does not change the exit code', async () => {
  const cwd = makeFolder({
    'handler.ts': `process.on('exit', () => { process.exitCode = 0 })\nexport default ${LIST}`,
    'later.ts': `setInterval(() => { if (process.exitCode === 1) process.exit(0) }, 1)\nexport default ${LIST}`,
    'worse.ts': `process.on('exit', () => { process.exitCode = 7 })\nexport default ${LIST}.slice(0, 1)`,
  })
  for (const [file, code] of [
    ['handler.ts', 1],
    ['later.ts', 1],
    ['worse.ts', 0],
  ] as const)
    expect([file, (await run(cwd, file)).code]).toEqual([file, code])
})
