// Which project a call is about if the server is told none: the client's folder, the server's own, or none at all.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, type Files } from '../support/run-cli.js'
import { connect, ONE_ITERATION, WAYS, type Connected } from './support.js'

const CASES = { 'tests/inputs.jsonl': [{ id: 'a', input: 'hi' }] }
const NOWHERE = ['file:///no/such/folder']

/** The folder that a call is about; an error that names none otherwise. */
async function projectOf({ call }: Connected): Promise<string | undefined> {
  const { isError, text } = await call('list_runs', { folder: '..' })
  expect(isError).toBe(true)
  if (text.includes('NO_PROJECT')) expect(text).toContain('--project DIR')
  return /give a path inside (\S+)/.exec(text)?.[1]
}

test.each(WAYS)('the folder of the client comes first, over %s', async (way) => {
  const [project, cwd] = [makeFolder(CASES), makeFolder(CASES)]
  const roots = [...NOWHERE, pathToFileURL(project).href]
  const connected = await connect(way, { cwd, roots })
  expect(await projectOf(connected)).toBe(project)
  expect((await connected.call('list_runs', { folder: 'tests' })).value).toMatchObject({ runs: [], total: 0 })
})

test.each(WAYS)('then the folder of the server, if it holds a project, over %s', async (way) => {
  const cwd = makeFolder(CASES)
  for (const roots of [undefined, [], NOWHERE])
    expect([roots, await projectOf(await connect(way, { cwd, ...(roots && { roots }) }))]).toEqual([roots, cwd])
})

test.each<[what: string, files: Files, isProject: boolean]>([
  ['an application', { 'app.yao': {} }, true],
  ['packages', { 'assistants/a/package.yao': {} }, true],
  ['a configuration', { 'viva.config.json': {} }, true],
  ['cases', { 'cases.yaml': '- {id: a, input: hi}' }, true],
  ['hats', { 'viva.yml': 'hats: {a: {triggers: [x]}}' }, true],
  ['an event file of an earlier run', { '.viva/runs/a.jsonl': '' }, true],
  ['a package.json', { 'package.json': {} }, true],
  ['a repository', { '.git/HEAD': 'ref: refs/heads/main' }, true],
  ['something else', { 'data/rows.jsonl': '', 'tests/a.test.ts': '', 'notes.txt': '' }, false],
])('a folder with %s', async (_what, files, isProject) => {
  const cwd = makeFolder(files)
  expect(await projectOf(await connect('stdio', { cwd }))).toBe(isProject ? cwd : undefined)
})

test.each([
  ['home', (home: string) => home],
  ['the root of the disk', () => '/'],
  ['a folder below home', (home: string) => join(home, 'below')],
])('%s, whatever is in it', async (_what, folder) => {
  const home = makeFolder({ 'package.json': {}, 'below/package.json': {} })
  const cwd = folder(home)
  const connected = await connect('stdio', { cwd, env: { HOME: home } })
  expect(await projectOf(connected)).toBe(cwd === join(home, 'below') ? cwd : undefined)
})

test.each(WAYS)('workspaces need no project, over %s', async (way) => {
  for (const roots of [undefined, [], NOWHERE]) {
    const { call } = await connect(way, { cwd: makeFolder(), ...(roots && { roots }) })
    const workspace_id = 'w'
    const made = await call('test_setup', { workspace_id, fixtures: { 'a.txt': 'x' } })
    expect(made.isError).toBe(false)
    const run = { workspace_id, ...ONE_ITERATION }
    expect((await call('test_run', run)).value).toMatchObject({ iterations: 1 })
    const assertions = [{ type: 'event_occurred', topic: 'build.task' }]
    expect((await call('test_assert', { workspace_id, assertions })).value).toMatchObject({ passed: true })
    expect((await call('test_record', { ...run, cassette_name: 'c' })).value).toMatchObject({ interactions: 1 })
    const replay = { workspace_id, task: run.task, cassette_name: 'c', max_iterations: 1 }
    expect((await call('test_replay', replay)).isError).toBe(false)
    expect((await call('test_replay', { ...replay, cassette_name: 'd' })).text).toContain('in the workspace\n')
    const judged = {
      workspace_id,
      evaluations: [{ criterion: 'task_completion', target: 'output' }],
      mock_responses: ['{"reasoning": "done", "score": 5}'],
    }
    expect((await call('test_evaluate', judged)).isError).toBe(false)
    expect((await call('test_report', { workspace_id, format: 'tap', test_name: 't' })).isError).toBe(false)
    expect((await call('test_cleanup', { workspace_id })).value).toMatchObject({ deleted: true })
    expect(existsSync(String(made.value['workspace_path']))).toBe(false)
  }
})

test('what outlives a workspace needs a project, and is refused before anything runs', async () => {
  const cwd = makeFolder()
  const { call } = await connect('stdio', { cwd, args: ['--allow-live'] })
  const workspace_id = 'w'
  await call('test_setup', { workspace_id })
  const refused = { isError: true, text: expect.stringContaining('NO_PROJECT') as string }
  const run = { workspace_id, ...ONE_ITERATION }
  expect(await call('test_record', { ...run, cassette_name: 'c', save: true })).toMatchObject(refused)
  expect(
    (await call('test_assert', { workspace_id, assertions: [{ type: 'exit_code', expected: 0 }] })).text,
  ).toContain('NOTHING_RAN')
  await call('test_run', run)
  const assertions = [{ type: 'snapshot_matches', snapshot_id: 's' }]
  const { results } = (await call('test_assert', { workspace_id, assertions })).value
  expect(results).toMatchObject([{ passed: false, error: expect.stringContaining('no project folder') as string }])
  const evaluations = [{ criterion: 'task_completion', target: 'output' }]
  for (const [name, args] of [
    ['test_snapshot', { workspace_id, snapshot_id: 's', approve: true }],
    ['test_report', { workspace_id, format: 'tap', test_name: 't', save: true }],
    ['test_evaluate', { workspace_id, evaluations, judge_preset: 'strict', mock_responses: ['x'] }],
    ['run_cases', { input: 'cases.jsonl' }],
    ['explain_failure', {}],
    ['compare_runs', { before: 'a', after: 'b' }],
  ] as const)
    expect([name, await call(name, args)]).toMatchObject([name, refused])
  expect(readdirSync(cwd)).toEqual([])
})

test('a client that promises folders and cannot name them', async () => {
  const cwd = makeFolder(CASES)
  const connected = await connect('stdio', { cwd, client: { capabilities: { roots: {} } } })
  expect(await projectOf(connected)).toBe(cwd)
  expect((await connected.call('test_setup', { workspace_id: 'w' })).isError).toBe(false)
})
