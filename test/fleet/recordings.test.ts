// Recordings with a fleet: workers return what they recorded, the coordinator writes the one cassette; and the way back.
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, KEY, lasting, resultsIn, startChat, tape, type Json, type Ran } from '../recordings/support.js'
import { makeFolder, viva, writeFiles } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const TOKEN = 'tok-7d1f0c44b2a94e0f8a6c'
const LONG = 'a long answer, which goes in pieces. '.repeat(30_000)
const CASES = [
  ...Array.from({ length: 14 }, (_, at) => ({
    id: `T${at}`,
    input: `hello ${at}`,
    assert: { type: 'contains', value: `hello ${at}` },
  })),
  { id: 'judged', input: 'be kind', assert: { type: 'agent', value: 'it is kind' } },
  { id: 'talk', simulator: { options: { metadata: { goal: 'to talk' } } }, max_turns: 5 },
  { id: 'long', input: 'tell all', assert: { type: 'contains', value: 'in pieces' } },
  { id: 'other secret', input: 'tell the token', assert: { type: 'contains', value: 'the token is' } },
  { id: 'secret', input: 'tell the key', assert: { type: 'contains', value: 'the key is' } },
  { id: 'never kept', input: 'live one', recording: { mode: 'live' }, assert: { type: 'contains', value: 'live' } },
  { id: 'wrong', input: 'no', assert: { type: 'contains', value: 'yes' } },
]

/** Just enough of a tool server. */
const SERVER = `
let text = ''
process.stdin.on('data', (data) => {
  text += data
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(text.slice(0, end))
    text = text.slice(end + 1)
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } }
      : { tools: [{ name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object' } }] }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
})`

let redis: TestRedis

withRedis('recordings of a fleet', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('what is recorded by workers is what one process records, and both play it back', async () => {
    const chat = await startChat((last) => {
      if (last.includes('tell all')) return LONG
      if (last.includes('tell the token')) return `the token is ${TOKEN}`
      return last.includes('tell the key') ? `the key is ${KEY}` : `You said: ${last}`
    })
    const dir = app(chat.url, CASES)
    await twoWorkers(dir)
    // Known where the run is started, and to no worker.
    const env = { SHOP_TOKEN: TOKEN }
    const alone = await both(dir, ['--record', 'alone.yaml', '--runs', '2'], { MODEL_KEY: KEY, ...env })
    const fleet = await queued(dir, ['--record', 'fleet.yaml', '--runs', '2'], env)
    expect(fleet.code, fleet.stderr).toBe(1)
    expectSame(fleet, alone)
    expect(plainTape(dir, 'fleet.yaml')).toBe(plainTape(dir, 'alone.yaml'))
    expect(bodiesOf(dir, 'fleet')).toEqual(bodiesOf(dir, 'alone'))
    for (const secret of [KEY, TOKEN]) expect(tape(dir, 'fleet.yaml')).not.toContain(secret)
    expect(existsSync(join(dir, 'fleet.yaml.journal'))).toBe(false)

    // The same answers again: the file stays as it is, byte for byte.
    const before = tape(dir, 'fleet.yaml')
    const again = await queued(dir, ['--record', 'fleet.yaml', '--runs', '2'], env)
    expect(again.code, again.stderr).toBe(1)
    expect(tape(dir, 'fleet.yaml')).toBe(before)

    await chat.close()
    const asked = chat.asked.length
    const CLOSED = ['--run', '^T|judged|talk|long|secret|wrong|other', '--runs', '2']
    const onOne = await both(dir, ['--replay', 'fleet.yaml', ...CLOSED], {})
    expect(onOne.results.map(({ status }) => status)).toEqual(
      alone.results.filter(({ id }) => id !== 'never kept').map(({ status }) => status),
    )
    const played = await queued(dir, ['--replay', 'fleet.yaml', ...CLOSED])
    expectSame(played, onOne)
    expect(played.summary['recording']).toMatchObject({ replayed: expect.any(Number), recorded: 0, unused: 0 })
    expect(chat.asked.length).toBe(asked)
  }, 300_000)

  test('lanes, passing through, adding, folders, tools, variants, hooks and script tests are as on one machine', async () => {
    const chat = await startChat((last) => `You said: ${last}`)
    const dir = app(chat.url, CASES.slice(0, 8), {
      'more.jsonl': [
        ...CASES.slice(2, 8),
        { id: 'new', input: 'new one', assert: { type: 'contains', value: 'new' } },
        {
          id: 'T6',
          input: 'hello 6, changed',
          recording: { mode: 'replay' },
          assert: { type: 'contains', value: '6' },
        },
        { id: 'T7', input: 'hello 7, changed', assert: { type: 'contains', value: '7' } },
      ].filter((each, at, all) => all.findLastIndex(({ id }) => id === each.id) === at),
      'server.mjs': SERVER,
      'assistants/shop/package.yao': { name: 'Shop', connector: 'main', mcp: { servers: ['far'] } },
      'assistants/shop/prompts.yml': '- content: "Be kind."\n',
      'assistants/clock/package.yao': { name: 'Clock', connector: 'main' },
      'assistants/clock/prompts.yml': '- content: "It is $SYS.HOUR, $SYS.TIME in $SYS.TIMEZONE."\n',
      'assistants/desk/src/shop_test.ts': `
let before = ''
export function BeforeAll() { before = Process('agents.desk.Stream', {}, 'before all').content }
export function AfterAll() { http.Post('${chat.url}/v1', { messages: [{ content: 'after all' }] }) }
export function TestShop(t) { t.assert.Contains(before, 'before all'); t.assert.Contains(Process('agents.desk.Stream', {}, 'one').content, 'one') }
export function TestTwo(t) { t.assert.Contains(Process('agents.desk.Stream', {}, 'two').content, 'nothing') }
`,
      'scripts/sly.ts': 'export function All() { return { said: 1 } }\n',
    })
    const far = { transport: 'stdio', command: process.execPath, args: [join(dir, 'server.mjs')] }
    writeFiles(dir, { 'assistants/shop/mcps/far.mcp.yao': far })
    await twoWorkers(dir)
    const same = async (
      name: string,
      base: string | undefined,
      args: string[],
      place = `${name}.yaml`,
    ): Promise<Ran> => {
      const ran: Ran[] = []
      for (const side of ['one', 'many']) {
        if (base !== undefined) cpSync(join(dir, base), join(dir, side, place), { recursive: true })
        const own = args.map((arg) => (arg === 'TAPE' ? join(side, place) : arg))
        ran.push(await (side === 'one' ? both(dir, own) : queued(dir, own)))
      }
      const [alone, fleet] = ran as [Ran, Ran]
      expectSame(fleet, alone, name)
      expect(tapesIn(dir, join('many', place)), name).toEqual(tapesIn(dir, join('one', place)))
      return fleet
    }
    const made = await same('made', undefined, ['--record', 'TAPE'])
    expect(made.summary['recording']).toMatchObject({ recorded: 8 })
    const base = 'one/made.yaml'
    const more = ['-i', 'more.jsonl']
    const folder = await same('folder', undefined, ['--record', 'TAPE'], 'folder')
    expect(folder.summary['recording']).toMatchObject({ recorded: 8 })
    const ofFolder = await same('of a folder', 'one/folder', ['--replay', 'TAPE'], 'again')
    expect(ofFolder.summary['recording']).toMatchObject({ replayed: 8 })
    const missing = await same('missing', base, [...more, '--replay', 'TAPE'])
    expect(missing.summary['recording']).toMatchObject({ replayed: 4, unused: 4 })
    expect(missing.results.find(({ id }) => id === 'new')).toMatchObject({ status: 'failed' })
    const added = await same('added', base, [...more, '--replay', 'TAPE', '--record-new'])
    expect(added.summary['recording']).toMatchObject({ replayed: 4, recorded: 2 })
    const through = await same('through', base, [...more, '--replay', 'TAPE', '--allow-passthrough'])
    expect(through.summary['recording']).toMatchObject({ passed_through: 2 })
    const loose = await same('loose', base, [...more, '--replay', 'TAPE', '--no-strict'])
    expect(loose.summary['recording']).toMatchObject({ replayed: 6 })
    await same('live', base, [...more, '--replay', 'TAPE', '--live', 'agent'])

    const shop = await same('tools', undefined, ['-n', 'shop', '--record', 'TAPE'])
    expect(shop.code, shop.stderr).toBe(0)
    expect(tape(dir, 'many/tools.yaml').match(/hat: tools:shop\/far/g)).toHaveLength(1)
    const shopAgain = await same('tools again', 'many/tools.yaml', ['-n', 'shop', '--replay', 'TAPE'])
    expect(shopAgain.summary['recording']).toMatchObject({ replayed: 9, unused: 0 })
    // Prompts state the coordinator's time, everywhere.
    const clock = await queued(dir, ['-n', 'clock', '--record', 'clock.yaml'])
    expect(clock.code, clock.stderr).toBe(0)
    expect(tape(dir, 'clock.yaml')).not.toContain('Asia')
    const clockAgain = await same('clock again', 'clock.yaml', ['-n', 'clock', '--replay', 'TAPE'])
    expect(clockAgain.summary['recording']).toMatchObject({ replayed: 8, unused: 0 })
    const two = ['-n', 'desk', '-n', 'shop', '--record', 'TAPE', '--before', 'scripts.sly.All']
    await same('variants', undefined, two)

    const tests = await same('tests', undefined, ['-i', 'scripts.desk.shop', '--record', 'TAPE'])
    expect(tests.summary['recording']).toMatchObject({ recorded: 4 })
    const testsAgain = await same('tests again', 'many/tests.yaml', ['-i', 'scripts.desk.shop', '--replay', 'TAPE'])
    expect(testsAgain.summary['recording']).toMatchObject({ replayed: 4, unused: 0 })
    // What the tape cannot answer around the tests of a file is an error of the run.
    const edited = tape(dir, 'many/tests.yaml').replace('case: "--file:', 'case: "--file:other.')
    expect(edited).not.toBe(tape(dir, 'many/tests.yaml'))
    writeFiles(dir, { 'edited.yaml': edited })
    const swallowed = await same('swallowed', 'edited.yaml', ['-i', 'scripts.desk.shop', '--replay', 'TAPE'])
    expect(JSON.stringify(swallowed.summary)).toEqual(
      expect.stringContaining('--file:scripts.desk.shop: Replay mismatch'),
    )
  }, 480_000)
})

async function twoWorkers(dir: string): Promise<void> {
  const env = { MODEL_KEY: KEY }
  const other = makeFolder({})
  cpSync(dir, other, { recursive: true })
  await startWorker(redis, { cwd: dir, env })
  // Somewhere else, where it is another time of day.
  await startWorker(redis, { cwd: other, env: { ...env, TZ: 'Asia/Tokyo' } })
}

let count = 0

async function both(dir: string, args: string[], env: Record<string, string> = { MODEL_KEY: KEY }): Promise<Ran> {
  const file = `out-${++count}.jsonl`
  const hasAgent = args.includes('-n') || args.includes('scripts.desk.shop')
  const given = [...(args.includes('-i') ? [] : ['-i', 'cases.jsonl']), ...(hasAgent ? [] : ['-n', 'desk'])]
  const ran = await viva(['test', ...given, '-o', file, ...args], { cwd: dir, env })
  return { ...ran, ...(ran.code === 2 ? { events: [], results: [], summary: {} } : resultsIn(join(dir, file))) }
}

function queued(dir: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return both(dir, ['--queue', redis.url, ...args], { VIVA_QUEUE_KEY: QUEUE_KEY, ...env })
}

function expectSame(fleet: Ran, alone: Ran, name = ''): void {
  expect(alone.summary['recording'], `${name} ${alone.stderr}`).toBeDefined()
  expect(fleet.summary['recording'], `${name} ${fleet.stderr}`).toBeDefined()
  expect(shown(fleet.results), name + fleet.stderr).toEqual(shown(alone.results))
  const { recording: counts } = fleet.summary as { recording: Json }
  expect(shown(fleet.summary['report_errors'] ?? []), name + fleet.stderr).toEqual(
    shown(alone.summary['report_errors'] ?? []),
  )
  expect(shown(counts), name + fleet.stderr).toEqual(shown(alone.summary['recording']))
  expect(fleet.code, name + fleet.stderr).toBe(alone.code)
}

/** The path of the recording is relative to where the run was started, or absolute. */
function shown(value: unknown): unknown {
  return JSON.parse(JSON.stringify(lasting(value)).replaceAll(/[^\s"]*\b(?:one|many)\/|\/\S*(?=\/assistants\/)/g, ''))
}

/** Without the times, which are others in every recording. */
function plainTape(dir: string, name: string): string {
  return tape(dir, name).replaceAll(
    /^[ #]*(?:(?:duration|start)_ms|recorded|clock|cassette): .*\n|"Date":\[".*?"\],/gm,
    '',
  )
}

/** A file, or those of a folder. */
function tapesIn(dir: string, place: string): Record<string, string> {
  if (place.endsWith('.yaml')) return { '': plainTape(dir, place) }
  return Object.fromEntries(readdirSync(join(dir, place)).map((name) => [name, plainTape(dir, join(place, name))]))
}

function bodiesOf(dir: string, name: string): string[] {
  return readdirSync(join(dir, `${name}.bodies`)).toSorted()
}
