import { afterEach, expect, test } from 'vitest'
import { UserError } from '../../errors.js'
import { shownPath } from './paths.js'
import { resolveFunction } from './reference.js'
import { conformance, makeApp, type TestApp } from '../../../test/support/script-app.js'

let app: TestApp | undefined

afterEach(() => app?.remove())

const FILES = {
  'assistants/expense/package.yao': '{}',
  'assistants/expense/src/tools.ts': 'export function Add() {}\nfunction hidden() {}',
  'assistants/expense/src/env_test.ts': 'function Before() {}\nexport function After() {}',
  'assistants/expense/src/env.ts': 'export function Before() {}\nexport function Only() {}',
  'assistants/expense/src/setup/db_test.ts': 'export function Before() {}',
  'assistants/expense/tests/validate-expense.ts': 'export default function (output) { return true }',
  'assistants/expense/tests/gen.ts': 'function helper() {}\nexport function generate() {}',
  'assistants/expense/tests/two.ts': 'export function a() {}\nexport function b() {}',
  'assistants/other/package.yao': '{}',
  'assistants/other/src/deep/mod.ts': 'export function Fn() {}',
  'scripts/test.ts': 'export const Assert = () => true',
  'scripts/common.js': 'module.exports = { Fn: () => 1 }',
}

async function find(ref: string, agent: string | undefined = 'assistants/expense'): Promise<string> {
  app?.remove()
  app = makeApp(FILES)
  const { root } = app
  const target = await resolveFunction(ref, agent === undefined ? { root } : { root, agentDir: `${root}/${agent}` })
  return `${shownPath(root, target.file)}#${target.name ?? '(only)'}`
}

async function problem(ref: string): Promise<UserError> {
  const error: unknown = await find(ref).catch((reason: unknown) => reason)
  if (error instanceof UserError) return error
  throw new Error(`${ref} was resolved to ${String(error)}`)
}

for (const { area, name: title, given, expect: wanted } of conformance('hooks.jsonl')) {
  if (area === 'hook_ref')
    test(`as the original: ${title}`, async () => {
      // A function alone is looked for in all of the agent's test files.
      const { file, function: name } = wanted as { file: string; function: string }
      expect(await find(String(given['ref']))).toBe(`assistants/expense/src/${file || 'env_test.ts'}#${name}`)
    })
}

test.each([
  ['scripts.expense.tools.Add', 'assistants/expense/src/tools.ts#Add'],
  ['scripts.tools.Add', 'assistants/expense/src/tools.ts#Add'],
  ['scripts:tools.hidden', 'assistants/expense/src/tools.ts#hidden'],
  ['scripts.test.Assert', 'scripts/test.ts#Assert'],
  ['scripts:tests.validate-expense', 'assistants/expense/tests/validate-expense.ts#(only)'],
  ['scripts:validate-expense', 'assistants/expense/tests/validate-expense.ts#(only)'],
  ['scripts:tests.gen', 'assistants/expense/tests/gen.ts#generate'],
  ['scripts:tests.gen.helper', 'assistants/expense/tests/gen.ts#helper'],
  ['scripts.other.deep.mod.Fn', 'assistants/other/src/deep/mod.ts#Fn'],
  ['agents.other.deep.mod.Fn', 'assistants/other/src/deep/mod.ts#Fn'],
  ['scripts.common.Fn', 'scripts/common.js#Fn'],
  ['env_test.Before', 'assistants/expense/src/env_test.ts#Before'],
  ['env.Before', 'assistants/expense/src/env_test.ts#Before'],
  ['env.Only', 'assistants/expense/src/env.ts#Only'],
  ['scripts.env.Before', 'assistants/expense/src/env.ts#Before'],
  ['src/env_test.After', 'assistants/expense/src/env_test.ts#After'],
  ['src/setup/db_test.Before', 'assistants/expense/src/setup/db_test.ts#Before'],
  ['setup/db_test.Before', 'assistants/expense/src/setup/db_test.ts#Before'],
  ['tests/gen.ts', 'assistants/expense/tests/gen.ts#generate'],
  ['After', 'assistants/expense/src/env_test.ts#After'],
  ['Only', 'assistants/expense/src/env.ts#Only'],
])('%s is %s', async (ref, wanted) => {
  expect(await find(ref)).toBe(wanted)
})

test('works without an agent', async () => {
  expect(await find('scripts.expense.tools.Add', undefined)).toBe('assistants/expense/src/tools.ts#Add')
})

test('a missing function is named, with the near miss and the places tried', async () => {
  const { message, hint } = await problem('env_test.Befor')
  expect(message).toBe('function Befor is not defined in assistants/expense/src/env_test.ts (env_test.Befor)')
  expect(hint).toContain('did you mean Before?')
  expect(hint).toContain('tried: assistants/expense/src/env.{ts,js}')
})

test('a missing file lists what was tried', async () => {
  const { message, hint } = await problem('scripts.nowhere.Fn')
  expect(message).toBe('no script for scripts.nowhere.Fn')
  expect(hint).toBe(
    'tried: assistants/expense/src/nowhere.{ts,js}, assistants/expense/tests/nowhere.{ts,js}, scripts/nowhere.{ts,js}, ' +
      'assistants/expense/src/nowhere/Fn.{ts,js}, assistants/expense/tests/nowhere/Fn.{ts,js}, scripts/nowhere/Fn.{ts,js}, ' +
      'assistants/nowhere/src/Fn.{ts,js}, nowhere/src/Fn.{ts,js}',
  )
})

test('a file with two functions needs a name', async () => {
  expect((await problem('scripts:tests.two')).message).toContain(
    'neither a default export nor exactly one exported function',
  )
})

test.each(['scripts.../../etc/passwd', '../../../etc/passwd.Fn', 'scripts:..secret.Fn', '/etc/passwd.Fn'])(
  '%s does not leave the application root',
  async (ref) => {
    expect((await problem(ref)).code).toBe('FUNCTION_NOT_FOUND')
  },
)
