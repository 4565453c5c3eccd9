// A shop for tests of state: tools with a store, and agents that do what their input says.
import { makeFolder, parseEvents, viva, type CliRun, type Files } from './run-cli.js'

const TOOLS = `
export const store = () => ({ orders: { o1: { status: 'paid', total: 20 }, o2: { status: 'paid', total: 5 } }, log: [] })
const of = (name: string) => ({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'], description: name })
const find = ({ id }, shop) => {
  if (!shop.orders[id]) throw new Error('no order ' + id)
  return shop.orders[id]
}
export const tools = {
  get_order: { description: 'Finds an order.', parameters: of('an order'), run: find },
  refund: {
    parameters: of('what to refund'),
    run(args, shop) {
      find(args, shop).status = 'refunded'
      shop.log.push(args.id)
      return { ok: true }
    },
  },
}
`

/** Its input is JSON: `{calls: [[tool, arguments]], reply}`. It speaks MCP to where it is told its tools are. */
const CALLER = `
export async function call(url, name, args) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  return JSON.parse(text.startsWith('{') ? text : text.split('data: ')[1])
}
export async function act(url, messages) {
  const { calls = [], reply = 'done' } = JSON.parse(messages.at(-1).content)
  for (const [name, args] of calls) await call(url, name, args)
  return reply
}
`
const MODULE = `import { act } from './caller.mjs'
export const run = (messages, ctx) => act(ctx.mock_mcp, messages)`
const PROGRAM = `import { act } from './caller.mjs'
let text = ''
for await (const chunk of process.stdin) text += chunk
const reply = await act(process.env.VIVA_MOCK_MCP, JSON.parse(text).messages)
process.stdout.write(typeof reply === 'string' ? reply : JSON.stringify(reply))`

export const SHOP: Files = {
  'tools.ts': TOOLS,
  'caller.mjs': CALLER,
  'agent.mjs': MODULE,
  'program.mjs': PROGRAM,
}

export interface ShopRun extends CliRun {
  results: Array<Record<string, unknown> & { id: string }>
}

/** Runs cases in a shop; by default against the module. */
export async function inShop(
  cases: object[],
  { files = {}, args = [], agent = './agent.mjs#run' }: { files?: Files; args?: string[]; agent?: string } = {},
): Promise<ShopRun> {
  const lines = cases.map((own, index) => JSON.stringify({ id: `c${index + 1}`, ...own })).join('\n')
  const dir = makeFolder({ ...SHOP, 'cases.jsonl': lines, ...files })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'e.jsonl', '--json', ...args], { cwd: dir })
  const results = parseEvents(run.stdout).filter(({ type }) => type === 'result') as unknown as ShopRun['results']
  return { ...run, results }
}

/** A case that makes these calls. */
export function doing(calls: Array<[string, object]>, assert: object[], more: object = {}): object {
  return { input: JSON.stringify({ calls }), testing: { tools: './tools.ts' }, assert, ...more }
}
