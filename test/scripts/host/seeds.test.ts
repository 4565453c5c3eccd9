// The seeds' own scripts, as written there, and hooks as the original's project has them.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hookData } from '../../../src/scripts/host/hook-data.js'
import { conformance, CONTEXT, HANDLERS, open, runTests } from '../../support/script-app.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/scripts/${name}`, import.meta.url))

test('seed 000: the sample file, with functions of the sibling that are neither imported nor exported', async () => {
  const { order, errors } = await runTests(fixture('seed-000'), 'scripts.expense.setup')
  expect(order).toEqual([
    'TestSystemReady passed',
    'TestSystemReadyWithInvalidContext passed',
    'TestSetupWithMockData passed',
    'TestFeatureA passed',
    'TestSetupWithMissingConfig passed',
    'TestWithGlobalState passed',
    'TestContext passed',
  ])
  expect(errors).toEqual([])
})

test('seed 002: the sample test and the control methods', async () => {
  const { order, outcomes } = await runTests(fixture('seed-002'), 'scripts.expense.setup')
  expect(order).toEqual([
    'TestSystemReady passed',
    'TestControl passed',
    'TestError failed',
    'TestFatal failed',
    'TestSkip skipped',
  ])
  expect(outcomes['TestError']).toMatchObject({ error: 'marked', logs: ['marked', 'goes on'] })
  expect(outcomes['TestFatal']).toMatchObject({ error: 'stopped', logs: [] })
  expect(outcomes['TestSkip']).toMatchObject({ skip_reason: 'not now' })
})

test('seed 003: an agent is called, and an agent judges', async () => {
  const asked: unknown[] = []
  const { order } = await runTests(fixture('seed-003'), 'scripts.expense.response', {
    handlers: {
      async process(name, args) {
        asked.push(name, args[0], args[1])
        return { content: 'Please confirm: travel, $500' }
      },
    },
    async judge(response, agent, options) {
      asked.push(response, agent, Object.keys((options as { metadata: object }).metadata))
      return { passed: true }
    },
  })
  expect(order).toEqual(['TestExpenseResponse passed'])
  expect(asked).toEqual([
    'agents.expense.Stream',
    expect.objectContaining({ assistant_id: 'expense', authorized: CONTEXT.authorized }),
    expect.arrayContaining([{ role: 'user', content: 'Travel, $500' }]),
    'Please confirm: travel, $500',
    'workers.test.validator',
    ['criteria', 'conversation'],
  ])
})

test('seed 003: a script assertion by its file, a generator', async () => {
  const root = fixture('seed-003')
  const scripts = open(root)
  const signal = new AbortController().signal
  const agent_dir = `${root}/assistants/expense`
  try {
    const check = (amount: number): Promise<unknown> =>
      scripts.call({
        ref: 'scripts:tests.validate-expense',
        role: 'agent',
        args: [{ amount }, 'input', null, { metadata: { min_amount: 100, max_amount: 10_000 }, evidence: {} }],
        agent_dir,
        signal,
      })
    expect(await check(500)).toEqual({ pass: true, message: 'amount 500' })
    expect(await check(5)).toEqual({ pass: false, message: 'amount 5' })
    expect(
      await scripts.call({
        ref: 'scripts:tests.generate',
        role: 'agent',
        args: [{ scenario: 'approval-flow' }],
        agent_dir,
        signal,
      }),
    ).toEqual([{ id: 'approval-flow-1', input: 'Help me file an expense' }])
  } finally {
    await scripts.close()
  }
})

const HOOKS = 'assistants/tests/hooks-test'

async function callHook(ref: string, args: unknown[]): Promise<unknown> {
  const root = fixture('hooks')
  const scripts = open(root, { handlers: HANDLERS })
  try {
    const signal = new AbortController().signal
    return await scripts.call({
      ref,
      role: 'agent',
      args: [CONTEXT, ...args],
      context_args: [0],
      agent_dir: `${root}/${HOOKS}`,
      signal,
    })
  } finally {
    await scripts.close()
  }
}

for (const { area, name, given, expect: wanted } of conformance('hooks.jsonl')) {
  if (area === 'hook_flow') {
    test(`hooks as the original: ${name}`, () => {
      expect(hookData(given['before_returns'])).toEqual(wanted['before_data'])
    })
  }
  if (area !== 'hook_exec') continue
  test(`hooks as the original: ${name}`, async () => {
    // `ctx` comes first here; the original's hooks get the case alone.
    const args = given['results']
      ? [given['results'], given['before_data']]
      : [given['case'], given['result'], given['before_data']]
    const run = callHook(given['ref'] as string, args)
    const text = wanted['error_contains']
    if (typeof text === 'string') await expect(run).rejects.toThrow(text)
    else await run
  })
}

test('hooks: before hands its data to after, and an exception says what happened', async () => {
  const before = hookData(await callHook('env_test.Before', [{ id: 'T1', input: 'hi' }]))
  expect(before).toEqual({ test_id: 'T1', mock_user_id: 'user_T1', by: 'test-user' })
  expect(await callHook('env.After', [{ id: 'T1' }, { id: 'T1', status: 'passed' }, before])).toEqual({
    cleaned: true,
    status: 'passed',
  })
  expect(hookData(await callHook('BeforeAll', [[1, 2, 3]]))).toEqual({ suite_id: 'suite_12345', test_count: 3 })
  await expect(callHook('src/env_test.BeforeThatFails', [])).rejects.toMatchObject({
    message: 'no database',
    code: 503,
  })
})
