// `ctx` and the globals as scripts see them. Each block is one test body in a real process.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp, runBody, runTests } from '../../support/script-app.js'

async function passes(body: string, settings: Parameters<typeof runBody>[1] = {}): Promise<string[]> {
  const { outcome } = await runBody(body, settings)
  expect(outcome).toMatchObject({ status: 'passed' })
  return outcome.logs
}

test('aliases stay in step, both ways', () =>
  passes(`
  ctx.User.ID = 'a'; t.assert.Equal(ctx.authorized.user_id, 'a')
  ctx.authorized.user_id = 'b'; t.assert.Equal(ctx.User.ID, 'b')
  ctx.authorized = { user_id: 'c', team_id: 't' }; t.assert.Equal(ctx.User.ID, 'c')
  t.assert.True(ctx.User === ctx.User)
  ctx.User.Name = 'Ann'; t.assert.Equal(ctx.User.Name, 'Ann')
  ctx.User = { ID: 'd', Name: 'Bob' }; t.assert.Equal([ctx.authorized.user_id, ctx.User.Name], ['d', 'Bob'])
  ctx.User = null; t.assert.Nil(ctx.User); t.assert.Nil(ctx.authorized.user_id)
  ctx.User = { ID: 'e' }; t.assert.Equal(ctx.User.ID, 'e')
  ctx.Team.ID = 'x'; t.assert.Equal(ctx.authorized.team_id, 'x'); ctx.Team = null; t.assert.Nil(ctx.Team)
  ctx.Locale = 'zh-cn'; t.assert.Equal(ctx.locale, 'zh-cn'); ctx.locale = 'en'; t.assert.Equal(ctx.Locale, 'en')
  ctx.Client.IP = '10.0.0.1'; t.assert.Equal(ctx.client.ip, '10.0.0.1'); ctx.client.type = 'web'; t.assert.Equal(ctx.Client.Type, 'web')
  ctx.Client = { Type: 'app', IP: '::1' }; t.assert.Equal(ctx.client, { type: 'app', ip: '::1' })
  ctx.Metadata.a = 1; t.assert.Equal(ctx.metadata, { a: 1 }); ctx.metadata = { b: 2 }; t.assert.Equal(ctx.Metadata, { b: 2 })
  ctx.ChatID = 'c'; t.assert.Equal(ctx.chat_id, 'c'); ctx.AssistantID = 'y'; t.assert.Equal(ctx.assistant_id, 'y')
  ctx.authorized = null; t.assert.Nil(ctx.User)`))

test('as JSON it is the data, without the aliases', () =>
  passes(`t.assert.Equal(Object.keys(JSON.parse(JSON.stringify(ctx))).sort(),
    ['accept', 'assistant_id', 'authorized', 'chat_id', 'client', 'locale', 'metadata', 'referer', 'route', 'theme'])`))

test('memory: four spaces, both spellings', () =>
  passes(`
  for (const space of ['user', 'team', 'chat', 'context']) {
    const m = ctx.memory[space]
    t.assert.Nil(m.Get('k')); m.Set('k', { a: [1] }); t.assert.Equal(m.get('k'), { a: [1] }); t.assert.True(m.has('k'))
    t.assert.Equal(m.Incr('n'), 1); t.assert.Equal(m.incr('n', 5), 6); t.assert.Equal(m.Decr('n'), 5)
    t.assert.Equal(m.Push('l', [1, 2]), 2); t.assert.Equal(m.push('l', 3), 3); t.assert.Equal(m.Pop('l'), 3)
    t.assert.Equal(m.AddToSet('l', [2, 9]), 3); t.assert.Equal(m.ArrayGet('l', -1), 9); t.assert.Equal(m.ArraySlice('l', 0, 2), [1, 2])
    t.assert.Equal(m.ArrayPage('l', 2, 2), [9]); m.ArraySet('l', 0, 'x'); t.assert.Equal(m.Pull('l', 2), [2, 9]); t.assert.Equal(m.PullAll('l'), ['x'])
    t.assert.Equal(m.Keys(), ['k', 'n']); t.assert.Equal(m.Len(), 2)
    t.assert.Equal(m.GetDel('n'), 5); t.assert.False(m.Has('n'))
    m.Set('cache:1', 1); m.Set('cache:2', 2); m.Del('cache:*'); t.assert.Equal(m.keys(), ['k'])
    m.Set('old', 1, 0.001); time.Sleep(5); t.assert.Nil(m.Get('old'))
    m.Clear(); t.assert.Equal(m.len(), 0)
  }
  ctx.memory.user.Set('a', 1); t.assert.Nil(ctx.memory.team.Get('a'))`))

test('stores are shared in a file and apart between files', async () => {
  const app = makeApp({
    'src/a_test.ts': `function TestA(t) { Store('cache').Set('k', 1) }
function TestB(t) { t.assert.Equal(new Store('cache').Get('k'), 1); t.assert.Equal(Store('cache').GetSet('m', (k) => k + '!'), 'm!') }`,
    'src/b_test.ts': `function TestC(t) { t.assert.Nil(Store('cache').Get('k')) }`,
  })
  try {
    expect((await runTests(app.root, 'scripts.expense.*')).order).toEqual([
      'TestA passed',
      'TestB passed',
      'TestC passed',
    ])
  } finally {
    app.remove()
  }
})

test('messages to the client are numbered and logged', async () => {
  const logs = await passes(`
  t.assert.Equal([ctx.Send('a'), ctx.SendStream({ type: 'text', message_id: 'own' }), ctx.MessageID(), ctx.BlockID()], ['M1', 'own', 'M2', 'B1'])
  ctx.Append('own', 'more'); ctx.End('own'); ctx.EndBlock('B1'); ctx.trace.Add({}, { label: 'x' }).Info('y').Complete(); ctx.Release()`)
  expect(logs).toHaveLength(5)
  expect(logs[0]).toContain('"content":"a"')
})

test('globals: Authorized, time, Exception, @yao imports', async () => {
  const app = makeApp({
    'src/g_test.ts': `import { Process as Call, Exception } from '@yao/runtime'
import type { Context } from '@yao/agent'
function TestG(t, ctx: Context) {
  t.mock('x.y', 1); t.assert.Equal(Call('x.y'), 1)
  t.assert.Equal(Authorized().user_id, 'test-user')
  t.assert.Equal(new Exception('m', 5).code, 5)
  const began = Date.now(); time.Sleep(20); t.assert.GreaterOrEqual(Date.now() - began, 19)
}`,
  })
  try {
    expect((await runTests(app.root, 'scripts.expense.g')).outcomes['TestG']).toMatchObject({ status: 'passed' })
  } finally {
    app.remove()
  }
})

test('$L speaks the language of the conversation', async () => {
  const messages = async (agent: string, locale: string): Promise<Record<string, unknown>> =>
    agent === 'expense' && locale === 'en-us' ? { hello: 'Hello', who: 'you' } : {}
  await passes(
    `t.assert.Equal([$L('hello'), $L('::hello'), $L('{{ hello }}, {{who}}!'), $L('{{none}}'), $L('')], ['Hello', 'Hello', 'Hello, you!', '{{none}}', ''])`,
    {
      messages,
    },
  )
  await passes(`t.assert.Equal($L('hello'), 'hello')`)
})

test('FS stays inside the application root', async () => {
  const app = makeApp({
    'data/a.txt': 'A',
    'src/fs_test.ts': `
function TestFiles(t) {
  const fs = FS('system')
  t.assert.Equal(fs.ReadFile('/data/a.txt'), 'A')
  t.assert.Equal(fs.WriteFile('data/new/b.json', '{}'), 2)
  fs.AppendFile('data/new/b.json', '\\n')
  t.assert.Equal(fs.ReadFileBase64('data/new/b.json'), 'e30K')
  t.assert.Equal(fs.ReadDir('/data'), ['/data/a.txt', '/data/link', '/data/new'])
  t.assert.True(fs.Exists('data/new') && fs.IsDir('data/new') && fs.IsFile('/data/a.txt') && fs.IsLink('data/link') === true)
  fs.Copy('data/a.txt', 'data/c.txt'); fs.Move('data/c.txt', 'data/d.txt'); t.assert.Equal(fs.Size('data/d.txt'), 1)
  fs.Remove('data/d.txt'); fs.RemoveAll('data/new'); t.assert.False(fs.Exists('data/new'))
  t.assert.Equal([fs.BaseName('/a/b.txt'), fs.ExtName('b.txt'), fs.MimeType('x.json')], ['b.txt', 'txt', 'application/json'])
}
function TestOutside(t) {
  const fs = new FS('system')
  for (const path of ['../x', '/../../etc/passwd', 'data/../../x', 'data/link/passwd', 'dangling', 'a\\0b']) {
    t.assert.Panic(() => fs.ReadFile(path), path)
    t.assert.Panic(() => fs.WriteFile(path, 'x'), path)
    t.assert.Panic(() => fs.RemoveAll(path), path)
  }
  t.assert.Panic(() => fs.RemoveAll('/'))
  t.assert.Panic(() => FS('other'))
}`,
  })
  symlinkSync('/etc', `${app.root}/data/link`)
  const outside = `${app.root}-outside`
  symlinkSync(outside, `${app.root}/dangling`)
  try {
    const { outcomes } = await runTests(app.root, 'scripts.expense.fs')
    expect(outcomes['TestOutside']).toMatchObject({ status: 'passed' })
    expect(outcomes['TestFiles']).toMatchObject({ status: 'passed' })
    expect(existsSync(outside)).toBe(false)
  } finally {
    app.remove()
  }
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    if (request.url === '/text') {
      response.end('plain')
      return
    }
    response.setHeader('content-type', 'application/json')
    response.statusCode = request.url === '/missing' ? 404 : 200
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        body,
        key: request.headers['x-key'],
        type: request.headers['content-type'],
      }),
    )
  })
})
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('http is synchronous and real', () =>
  passes(`const base = '${base}'
  const get = http.Get(base + '/a?x=1', { y: [1, 2] }, { 'X-Key': 'k' })
  t.assert.Equal([get.status, get.data.method, get.data.url, get.data.key], [200, 'GET', '/a?x=1&y=1&y=2', 'k'])
  t.assert.Equal(get.headers['Content-Type'], ['application/json'])
  const post = http.Post(base + '/p', { a: 1 }, null, 'q=1')
  t.assert.Equal([post.data.method, post.data.body, post.data.type, post.data.url], ['POST', '{"a":1}', 'application/json', '/p?q=1'])
  t.assert.Equal(http.Put(base, 'raw').data.body, 'raw')
  t.assert.Equal(http.Patch(base, {}).data.method, 'PATCH')
  t.assert.Equal(http.Delete(base).data.method, 'DELETE')
  t.assert.Equal(http.Send('options', base).data.method, 'OPTIONS')
  t.assert.Equal(http.get(base + '/text').data, 'plain')
  t.assert.Equal(http.Get(base + '/missing').status, 404)
  const refused = http.Get('http://127.0.0.1:1/')
  t.assert.Equal(refused.status, 0); t.assert.Match(refused.message, 'ECONNREFUSED|refused|bad port')`))

test('fake http answers like a mock', () =>
  passes(`
  t.mock('http.Get', (url) => ({ status: 200, data: url }))
  t.assert.Equal(http.Get('http://nowhere.invalid/x').data, 'http://nowhere.invalid/x')
  t.mock('http', (method, url) => ({ status: 201, data: method }))
  t.assert.Equal(http.Post('http://nowhere.invalid', {}).data, 'POST')
  t.assert.Equal(http.Send('PUT', 'http://nowhere.invalid').data, 'PUT')
  t.assert.Equal(t.calls.map((call) => call.process), ['http.Get', 'http', 'http'])`))

test('modules: relative imports, packages, json, own place', async () => {
  const app = makeApp({
    'node_modules/left/package.json': '{"name":"left","version":"1.0.0","main":"index.js"}',
    'node_modules/left/index.js': `exports.pad = (s) => '_' + s`,
    'node_modules/modern/package.json': '{"name":"modern","version":"1.0.0","type":"module","exports":"./index.js"}',
    'node_modules/modern/index.js': `export const modern = import.meta.url.startsWith('file:')`,
    'src/lib/help.ts': `export const place = import.meta.dirname; export enum Kind { A = 'a' }; export default class Box { constructor(public value: number) {} }`,
    'src/lib/data.json': '{"x": 1}',
    'src/m_test.ts': `import { pad } from 'left'
import { modern } from 'modern'
import Box, { place, Kind } from './lib/help.js'
import data from './lib/data.json'
import fs from 'node:fs'
export async function TestM(t) {
  t.assert.Equal([pad('x'), modern, data.x, Kind.A, new Box(2).value], ['_x', true, 1, 'a', 2])
  t.assert.True(place.endsWith('/src/lib')); t.assert.True(__dirname.endsWith('/src')); t.assert.True(__filename.endsWith('m_test.ts'))
  t.assert.True(fs.existsSync(__filename)); t.assert.Equal((await import('./lib/help')).Kind.A, 'a')
}`,
  })
  try {
    expect((await runTests(app.root, 'scripts.expense.m')).outcomes['TestM']).toMatchObject({ status: 'passed' })
  } finally {
    app.remove()
  }
})

test('the sibling: exports of every kind, re-exports, and the own name wins', async () => {
  const app = makeApp({
    'src/deep/more.ts': `export const More = 'more'; export type T = 1`,
    'src/s.ts': `export const Value = 1; export class Klass {}; export default function Main() { return 'main' }
function hidden() { return 'hidden' }; const arrow = () => 'arrow'; export * from './deep/more'; export { More as Again } from './deep/more'
export interface Shape {}; export function Own() { return 'sibling' }; export let counter = 0; export function bump() { counter++ }`,
    'src/s_test.ts': `function Own() { return 'own' }
function TestS(t) {
  t.assert.Equal([Value, typeof Klass, Main(), hidden(), arrow(), More, Again, Own()], [1, 'function', 'main', 'hidden', 'arrow', 'more', 'more', 'own'])
  bump(); t.assert.Equal(counter, 1)
}`,
    'src/c.js': `function plain() { return 1 }\nmodule.exports = { exported: () => 2 }`,
    'src/c_test.js': `function TestC(t) { t.assert.Equal(plain(), 1) }`,
  })
  try {
    const { outcomes } = await runTests(app.root, 'scripts.expense.*')
    expect(outcomes['TestS']).toMatchObject({ status: 'passed' })
    expect(outcomes['TestC']).toMatchObject({ status: 'passed' })
  } finally {
    app.remove()
  }
})
