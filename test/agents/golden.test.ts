// A package with hooks, a preset, a locale, a process tool, a real MCP server and a delegate, in one case of five turns:
// every request that reaches the model over the wire is compared with a golden file.
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { expectGolden } from '../support/golden.js'
import { startModelServer, say, type Behaviour } from '../real/model/index.js'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'

const call = (id: string, name: string, args: object): Behaviour => ({
  kind: 'answer',
  calls: [{ id, name, args: JSON.stringify(args) }],
  usage: { input: 20, output: 5 },
})

test('five turns of the shop, message by message', async () => {
  const model = await startModelServer(
    say('Guten Tag!'),
    call('call_a', 'orders__find', { order: { number: 7 } }),
    say('Order 7 ', 'is packed.'),
    call('call_b', 'stock__count', { article: 'tea' }),
    say('Three teas are left.'),
    call('call_c', 'orders__find', { order: { number: 404 } }),
    say('I could not find it.'),
    say('Refund granted.'),
  )
  onTestFinished(() => model.close())
  const dir = makeFolder({
    'app/connectors/loopback.conn.yao': {
      type: 'openai',
      options: { model: 'loopback-1', host: model.url, key: '$ENV.LOOPBACK_KEY' },
      price: { input: 1, output: 1 },
    },
    'app/assistants/shop/desk/tests/cases.jsonl': [
      {
        id: 'five-turns',
        turns: [
          { input: 'Hi', assertions: [{ type: 'equals', value: 'Guten Tag!' }] },
          { input: 'Where is order 7?', assertions: [{ type: 'tool_called', name: 'orders__find' }] },
          { input: 'Is there tea left?', assertions: [{ type: 'tool_called', name: 'stock__count' }] },
          {
            input: 'And order 404?',
            assertions: [{ type: 'json_path', path: '$.failed[0]', value: 'orders/find: no such order' }],
          },
          { input: 'I want a refund', assertions: [{ type: 'equals', value: 'Refund granted.' }] },
        ],
      },
    ],
  })
  const app = join(dir, 'app')
  cpSync(join(ROOT, 'test/fixtures/packages/shop'), app, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
  const args = [
    'test',
    '-i',
    'assistants/shop/desk/tests/cases.jsonl',
    '-c',
    'loopback',
    '--json',
    '-o',
    'events.jsonl',
  ]
  const env = { DESK_CONNECTOR: 'loopback', SHOP_CITY: 'Ulm', LOOPBACK_KEY: 'key-of-the-loopback' }
  const { code, stdout, stderr } = await viva(args, { cwd: app, env })
  expect(code, stdout + stderr).toBe(0)

  const result = parseEvents(stdout).find((event) => event.type === 'result')
  expect(result).toMatchObject({
    total_turns: 5,
    usage: { input_tokens: 110, output_tokens: 40, total_tokens: 150 },
    cost_dollars: expect.closeTo(0.00015),
    trace: expect.arrayContaining([expect.objectContaining({ kind: 'delegate', name: 'shop.refunds' })]),
  })
  expect(model.requests.every(({ headers }) => headers.authorization === 'Bearer key-of-the-loopback')).toBe(true)
  expect(stdout + readFileSync(join(app, 'events.jsonl'), 'utf8')).not.toContain('key-of-the-loopback')
  const bodies = model.requests.map(({ path, body }) => ({ path, body: body as unknown }))
  expectGolden(withoutDates(`${JSON.stringify(bodies, null, 2)}\n`), 'agents/shop-requests.json')
})

/** Prompts state the day, and the day changes. */
function withoutDates(text: string): string {
  return text.replaceAll(/Today is \w+, [\d-]+\./g, 'Today is WEEKDAY, DATE.')
}
