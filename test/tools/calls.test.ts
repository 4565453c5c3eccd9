// How tools are called: by name, with checked arguments, from a program or a shell.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tools } from '../../src/index.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { testTools } from '../support/open-tools.js'

describe('arguments', () => {
  test.each([
    ['an unknown tool', 'test_set', {}, 'UNKNOWN_TOOL', /did you mean "test_setup"/],
    ['a missing parameter', 'test_setup', {}, 'BAD_ARGUMENTS', /workspace_id: is missing/],
    ['an unknown parameter', 'test_setup', { workspace_id: 'w', fixture: {} }, 'BAD_ARGUMENTS', /mean "fixtures"/],
    [
      'an unknown parameter inside another',
      'test_inspect',
      { workspace_id: 'w', filter: { topic: [] } },
      'BAD_ARGUMENTS',
      /filter\.topic: .*mean "topics"/,
    ],
    [
      'a number as text',
      'test_inspect',
      { workspace_id: 'w', limit: '5' },
      'BAD_ARGUMENTS',
      /limit must be an integer 1/,
    ],
    ['a list instead of parameters', 'test_setup', [], 'BAD_ARGUMENTS', /expected an object/],
    ['a list of fixtures', 'test_setup', { workspace_id: 'w', fixtures: [] }, 'BAD_ARGUMENTS', /fixtures must be/],
    ['a name that is a path', 'test_setup', { workspace_id: '../w' }, 'BAD_ARGUMENTS', /must match \[A-Za-z0-9\]/],
  ])('%s is an error', async (_, name, args, code, message) => {
    const { call } = await testTools()
    await expect(call(name, args)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('objects that arrive as JSON text are understood; text stays text', async () => {
    const { call } = await testTools()
    const fixtures = JSON.stringify({ 'a.json': '{"b": 1}' })
    await expect(call('test_setup', { workspace_id: 'w', fixtures, scratchpad: '{"plan": 1}' })).resolves.toMatchObject(
      { created_files: ['.agent/scratchpad.md', 'a.json'] },
    )
  })
})

test('from TypeScript each tool is a function, and what is wrong is thrown', async () => {
  const opened = await tools.open({ project: makeFolder(), temporary: makeFolder(), env: {} })
  const { workspace_path } = await opened.test_setup({ workspace_id: 'w', fixtures: { 'src/a.js': '1' } })
  expect(existsSync(`${workspace_path}/src/a.js`)).toBe(true)
  await expect(opened.test_setup({ workspace_id: 'w' })).rejects.toMatchObject({ code: 'WORKSPACE_EXISTS' })
  await expect(opened.test_cleanup({ workspace_id: 'w' })).resolves.toEqual({ deleted: true, preserved_files: [] })
  expect(existsSync(workspace_path)).toBe(false)
  await opened.close()
})

describe('from a shell', () => {
  test('parameters are JSON, standard input or flags; each call is a process of its own', async () => {
    const dir = makeFolder()
    const env = { TMPDIR: makeFolder() }
    const made = await viva(['tool', 'test_setup', '{"workspace_id": "w1"}'], { cwd: dir, env })
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { workspace_id: 'w1', created_files: [] }])
    const run = await viva(['tool', 'test_run', '-'], {
      cwd: dir,
      env,
      stdin: JSON.stringify({ workspace_id: 'w1', task: 't', mock_responses: ['LOOP_COMPLETE'] }),
    })
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 0, termination_reason: 'CompletionPromise' })
    const flags = ['--workspace-id', 'w1', '--limit', '1', '--filter', '{"event_types": ["bus.publish"]}']
    const seen = await viva(['tool', 'test_inspect', ...flags], { cwd: dir, env })
    expect(JSON.parse(seen.stdout)).toMatchObject({ total_matched: 1, records: [{ data: { topic: 'task.start' } }] })
    const gone = await viva(['tool', 'test_cleanup', '--workspace-id=w1', '--preserve-session'], { cwd: dir, env })
    expect(JSON.parse(gone.stdout)).toEqual({ deleted: true, preserved_files: ['session.jsonl'] })
  })

  test('mistakes are exit code 2 and nothing on standard output', async () => {
    const dir = makeFolder()
    for (const args of [
      ['test_setup', '{"workspace_id"'],
      ['test_setup', '--workspace-idd', 'w'],
      ['tst_run'],
      ['test_setup', 'w'],
    ]) {
      const { code, stdout, stderr } = await viva(['tool', ...args], { cwd: dir, env: { TMPDIR: dir } })
      expect([code, stdout], stderr).toEqual([2, ''])
    }
  })

  test('without a name the tools are listed', async () => {
    const { code, stdout } = await viva(['tool'], { cwd: makeFolder() })
    expect([code, stdout]).toEqual([0, expect.stringContaining('test_setup')])
  })
})
