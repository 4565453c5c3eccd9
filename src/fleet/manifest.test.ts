// Whatever could make a worker's agent a different one is compared: where it is, what a link leads to, what exists only there.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { additions, differences, readManifest } from './manifest.js'

const base = mkdtempSync(join(tmpdir(), 'viva-manifest-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(base, 'app-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(root, path))
    else writeFileSync(join(root, path), text)
  }
  return root
}

const read = (root: string, app = '', agents: string[] = []) =>
  readManifest({ root, app, also: [], agents, except: new Set(['out.jsonl']) })

test('left out are what runs leave behind and what is not the application', () => {
  const root = folder({
    'agent.mjs': '1',
    'dist/agent.mjs': '1',
    'yarn.lock': '1',
    'tests/cases.jsonl': '{"id":"A"}',
    'node_modules/x/index.js': '1',
    '.env': 'KEY=1',
    'coverage/a': '1',
    'run.log': '1',
    'tape.yaml.lock': '1',
    'tests/snapshots/cases/A.answer.snap.new': '1',
    'tests/output-1.jsonl': '{"type":"start"}\n',
    'out.jsonl': '{"id":"B"}',
    loop: '-> .',
    broken: '-> nowhere',
  })
  expect(Object.keys(read(root))).toEqual(['agent.mjs', 'dist/agent.mjs', 'tests/cases.jsonl', 'yarn.lock'])
})

test('a link is compared by what it leads to, a folder behind one as well', () => {
  const shared = folder({ 'agent.mjs': '1', 'lib/help.mjs': '1' })
  const other = folder({ 'agent.mjs': '2', 'lib/help.mjs': '2' })
  const links = (to: string) => folder({ 'agent.mjs': `-> ${to}/agent.mjs`, lib: `-> ${to}/lib` })
  const wanted = read(links(shared))
  expect(differences(wanted, links(shared))).toEqual([])
  expect(differences(wanted, links(other))).toEqual(['agent.mjs differs', 'lib/help.mjs differs'])
})

test('an agent outside the application, or in a folder that is left out, is compared with what is beside it', () => {
  const files = { 'app/app.yao': '{}', 'bot/agent.mjs': '1', 'bot/help.mjs': '1', 'tmp/made/agent.mjs': '1' }
  const wanted = read(folder(files), 'app', ['bot/agent.mjs', 'tmp/made/agent.mjs'])
  expect(Object.keys(wanted)).toEqual(['app/app.yao', 'bot/agent.mjs', 'bot/help.mjs', 'tmp/made/agent.mjs'])
  expect(differences(wanted, folder({ ...files, 'bot/help.mjs': '2', 'tmp/made/agent.mjs': '2' }))).toEqual([
    'bot/help.mjs differs',
    'tmp/made/agent.mjs differs',
  ])
})

test('what would be found without being named is reported; other files do not matter', () => {
  const files = { 'assistants/shop/package.yao': '{}', 'bots/one/package.yao': '{}' }
  const wanted = { files: read(folder(files)), app: '', except: ['assistants/shop/turns.jsonl'] }
  const more = {
    ...files,
    'assistants/shop/hooks.ts': '1',
    'assistants/shop/turns.jsonl': '1',
    'bots/one/prompts.yml': '1',
    'connectors/new.conn.yao': '{}',
    'tests/snapshots/cases/A.answer.snap': '1',
    'viva.config.json': '{}',
    'notes/today.txt': '1',
  }
  expect(additions(wanted, folder(files))).toEqual([])
  expect(additions(wanted, folder(more))).toEqual([
    'assistants/shop/hooks.ts is only here',
    'bots/one/prompts.yml is only here',
    'connectors/new.conn.yao is only here',
    'tests/snapshots/cases/A.answer.snap is only here',
    'viva.config.json is only here',
  ])
})
