import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { UserError } from '../../errors.js'
import { shownPath } from './paths.js'
import { resolveTests } from './resolve.js'
import { conformance, makeApp, type TestApp } from '../../../test/support/script-app.js'

let app: TestApp | undefined

afterEach(() => app?.remove())

function resolved(files: string[], ref: string): { ref: string; agent_id: string; path: string }[] {
  app = makeApp(Object.fromEntries(files.map((file) => [file, '{}'])))
  const { root } = app
  return resolveTests(ref, root).map((file) => ({
    ref: file.ref,
    agent_id: file.agent_id,
    path: shownPath(root, file.path),
  }))
}

function problem(files: string[], ref: string): UserError {
  try {
    resolved(files, ref)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error(`${ref} was resolved`)
}

for (const { area, name, given, expect: wanted } of conformance('script.jsonl')) {
  if (area !== 'script_resolve') continue
  test(`as the original: ${name}`, () => {
    const files = given['files'] as string[]
    const ref = given['input'] as string
    if (wanted['error_contains'] !== undefined) {
      expect(problem(files, ref).message).toContain(wanted['error_contains'])
      return
    }
    const [file] = resolved(files, ref)
    expect(file?.path).toBe(wanted['test_path'])
    if (wanted['assistant'] !== undefined) expect(file?.agent_id).toBe(wanted['assistant'])
  })
}

const TREE = [
  'assistants/expense/package.yao',
  'assistants/expense/src/setup.ts',
  'assistants/expense/src/setup_test.ts',
  'assistants/expense/src/tools_test.ts',
  'assistants/expense/src/deep/inner_test.ts',
  'assistants/expense/audit/package.yao',
  'assistants/expense/audit/src/setup_test.js',
  'assistants/expense/node_modules/x/package.yao',
  'assistants/expense/node_modules/x/src/a_test.ts',
  'keyword/package.yao',
  'keyword/src/index_test.ts',
]

test('finds a module in a folder below src', () => {
  expect(resolved(TREE, 'scripts.expense.deep.inner')).toEqual([
    { ref: 'scripts.expense.deep.inner', agent_id: 'expense', path: 'assistants/expense/src/deep/inner_test.ts' },
  ])
})

test('takes the longest agent', () => {
  expect(resolved(TREE, 'scripts.expense.audit.setup')[0]).toMatchObject({
    agent_id: 'expense/audit',
    path: 'assistants/expense/audit/src/setup_test.js',
  })
})

test('a star is every test file of that agent, and of no other', () => {
  expect(resolved(TREE, 'scripts.expense.*').map((file) => file.ref)).toEqual([
    'scripts.expense.deep.inner',
    'scripts.expense.setup',
    'scripts.expense.tools',
  ])
})

test('a star alone is every test file, each by a reference that finds it again', () => {
  const files = resolved(TREE, 'scripts.*')
  expect(files.map((file) => file.path)).toEqual([
    'assistants/expense/src/deep/inner_test.ts',
    'assistants/expense/src/setup_test.ts',
    'assistants/expense/src/tools_test.ts',
    'assistants/expense/audit/src/setup_test.js',
    'keyword/src/index_test.ts',
  ])
  for (const file of files) {
    expect(resolveTests(file.ref, app?.root ?? '').map((found) => found.ref)).toEqual([file.ref])
  }
})

test('a star after a folder of agents means all of them', () => {
  const files = [
    'assistants/workers/a/package.yao',
    'assistants/workers/a/src/x_test.ts',
    'assistants/workers/b/package.yao',
  ]
  expect(resolved(files, 'scripts.workers.*').map((file) => file.agent_id)).toEqual(['workers/a'])
})

test('ts wins over js of the same name', () => {
  const files = ['assistants/e/package.yao', 'assistants/e/src/s_test.js', 'assistants/e/src/s_test.ts']
  expect(resolved(files, 'scripts.e.*').map((file) => file.path)).toEqual(['assistants/e/src/s_test.ts'])
})

test('says what it looked for, and names the near miss', () => {
  const { message, hint, exitCode } = problem(TREE, 'scripts.expense.setpu')
  expect(exitCode).toBe(2)
  expect(message).toBe(
    'no test file for scripts.expense.setpu: looked for assistants/expense/src/setpu_test.ts, assistants/expense/src/setpu_test.js',
  )
  expect(hint).toBe('did you mean scripts.expense.setup?')
})

test('lists the modules that exist when nothing is near', () => {
  expect(problem(TREE, 'scripts.expense.reimbursement').hint).toBe(
    'test modules that exist: scripts.expense.deep.inner, scripts.expense.setup, scripts.expense.tools',
  )
})

test('says where the tests of an untested module go', () => {
  const files = ['assistants/e/package.yao', 'assistants/e/src/handlers.ts']
  expect(problem(files, 'scripts.e.handlers').hint).toBe(
    'assistants/e/src/handlers.ts exists: write its tests in assistants/e/src/handlers_test.ts',
  )
})

test.each([
  'scripts.',
  'scripts',
  'scripts.a',
  'scripts..a',
  'scripts.a..b',
  'scripts.../x.y',
  'scripts.a/b.c',
  'scripts.a.*.b',
])('refuses %s', (ref) => {
  expect(problem(TREE, ref).message).toBe(`invalid script path: ${ref}`)
})

test('a link that leaves the application root is not followed', () => {
  const outside = makeApp({ 'package.yao': '{}', 'src/x_test.ts': '' })
  try {
    app = makeApp({ 'assistants/a/package.yao': '{}' })
    symlinkSync(outside.root, join(app.root, 'assistants', 'out'))
    symlinkSync(join(outside.root, 'assistants/expense/src'), join(app.root, 'assistants', 'a', 'src'))
    const { root } = app
    expect(() => resolveTests('scripts.out.x', root)).toThrow('no test file')
    expect(() => resolveTests('scripts.a.x', root)).toThrow('no test file')
    expect(() => resolveTests('scripts.a.*', root)).toThrow('no test file')
  } finally {
    outside.remove()
  }
})
