// `cassette_dir` and `snapshot_dir` of the configuration, and what a recording leaves out of answers.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testTools } from '../support/open-tools.js'
import { makeFolder, viva } from '../support/run-cli.js'

const run = { workspace_id: 'w', task: 'Build it', mock_responses: ['LOOP_COMPLETE'] }
const config = { cassette_dir: 'tests/tapes', snapshot_dir: 'tests/accepted' }

async function workspace(files: Record<string, object> = { 'viva.config.json': config }) {
  const opened = await testTools({ files })
  await opened.call('test_setup', { workspace_id: 'w', fixtures: { 'a.txt': 'one' } })
  return opened
}

test('cassettes and approved snapshots are where the configuration says', async () => {
  const { call, project } = await workspace()
  const recorded = await call('test_record', { ...run, backend: 'mock', cassette_name: 'a', save: true })
  expect(recorded['saved_path']).toBe(join(project, 'tests/tapes/a.yaml'))
  await call('test_setup', { workspace_id: 'other', fixtures: { 'a.txt': 'one' } })
  const replay = { workspace_id: 'other', task: 'Build it', cassette_name: 'a' }
  expect(await call('test_replay', replay)).toMatchObject({ interactions_replayed: 1, exit_code: 0 })
  await expect(call('test_replay', { ...replay, cassette_name: 'b' })).rejects.toMatchObject({
    hint: 'known cassettes: a',
  })
  const kept = await call('test_snapshot', { workspace_id: 'w', snapshot_id: 'state', approve: true })
  expect(kept['approved_path']).toBe(join(project, 'tests/accepted/workspace/state.snap'))
  const assertion = { type: 'snapshot_matches', snapshot_id: 'state' }
  expect((await call('test_assert', { workspace_id: 'w', assertions: [assertion] }))['passed']).toBe(true)
  await call('test_run', { ...run, mock_responses: [{ output: 'LOOP_COMPLETE', files: { 'a.txt': 'two' } }] })
  expect((await call('test_assert', { workspace_id: 'w', assertions: [assertion] }))['passed']).toBe(false)
  expect(existsSync(join(project, 'snapshots'))).toBe(false)
  const review = await viva(['snapshot', 'review', '--accept'], { cwd: project })
  expect(review.stdout).toContain('accepted: tests/accepted/workspace/state.snap')
  expect((await call('test_assert', { workspace_id: 'w', assertions: [assertion] }))['passed']).toBe(true)
})

test.each(['../elsewhere', '/tmp/elsewhere', '.', ''])('a folder outside the project is refused: %j', async (dir) => {
  const { call } = await workspace({ 'viva.config.json': { cassette_dir: dir } })
  const replay = call('test_replay', { workspace_id: 'w', task: 'x', cassette_name: 'a' })
  await expect(replay).rejects.toThrow(/cassette_dir: must be a folder inside the project/)
})

test('a folder that is a link out of the project is neither read nor written', async () => {
  const { call, project } = await workspace()
  const outside = makeFolder()
  mkdirSync(join(project, 'tests'))
  symlinkSync(outside, join(project, 'tests/tapes'))
  await expect(call('test_record', { ...run, backend: 'mock', cassette_name: 'a', save: true })).rejects.toMatchObject({
    code: 'NO_CASSETTE',
  })
  symlinkSync(outside, join(project, 'reports'))
  await call('test_run', run)
  await call('test_assert', { workspace_id: 'w', assertions: [{ type: 'exit_code', expected: 0 }] })
  const report = call('test_report', { workspace_id: 'w', format: 'tap', test_name: 'x', save: true })
  await expect(report).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
  expect(readdirSync(outside)).toEqual([])
})

test('redactions.paths: values of answers that are never kept', async () => {
  const { call } = await workspace()
  const said = JSON.stringify({ data: { created_at: 'yesterday-7', id: 5 }, note: 'kept' })
  const mock_responses = [{ output: said }, { output: 'LOOP_COMPLETE', files: { 'key.txt': 'sesame-9' } }]
  const config = { hats: { a: { triggers: ['task.start', 'go'], default_publishes: 'go' } } }
  await call('test_setup', { workspace_id: 'p', config })
  const recorded = await call('test_record', {
    workspace_id: 'p',
    task: 'Build it',
    backend: 'mock',
    mock_responses,
    cassette_name: 'a',
    redactions: { paths: ['$.data.created_at', "$.response.files['key.txt']", '$.data.creatd_at'] },
  })
  const cassette = readFileSync(String(recorded['cassette_path']), 'utf8')
  expect(cassette).not.toMatch(/yesterday-7|sesame-9/)
  expect(cassette).toContain('[REDACTED]')
  expect(cassette).toContain('kept')
  expect(recorded['warnings']).toEqual(['redactions.paths: $.data.creatd_at matched nothing'])
  const replayed = await call('test_replay', { workspace_id: 'p', task: 'Build it', cassette_name: 'a' })
  expect(replayed).toMatchObject({ exit_code: 0, interactions_replayed: 2 })
})

test.each([
  [['$.request.prompt_preview'], 'redactions.paths[0]: $.request.prompt_preview does not lead into an answer'],
  [['$.a', '$..['], 'redactions.paths[1] is not a JSONPath'],
  [['$'], 'does not lead into an answer'],
])('%j is refused before anything runs', async (paths, message) => {
  const { call } = await workspace()
  const record = { ...run, backend: 'mock', cassette_name: 'a', redactions: { paths } }
  await expect(call('test_record', record)).rejects.toThrow(message)
  await expect(call('test_inspect', { workspace_id: 'w' })).rejects.toMatchObject({ code: 'NOTHING_RAN' })
})
