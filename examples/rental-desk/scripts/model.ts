// A model that needs no network. As `good` it does what the policy asks for; the others go wrong, each in one way.
import gold from './gold.json'

type Call = [name: string, args: Record<string, unknown>]
interface Turn {
  calls: Call[]
  say: string
}
interface Request {
  messages: { role: string }[]
  call: { case_id: string }
}

const READS = ['find_customer', 'is_free']
const WRONG: Record<string, unknown> = { r1: 'r4', r2: 'r4', r3: 'r1', r4: 'r2', c1: 'c2', c2: 'c3', c3: 'c1' }

/** Does the task. */
export const good = (request: Request) => play(request, (turn) => turn)

/** Leaves out the last thing that it should have done, and says that it did. */
export const lazy = (request: Request) =>
  play(request, ({ calls, say }) => ({ calls: calls.filter((call, at) => at < calls.length - 1 || isRead(call)), say }))

/** Does the right thing to the wrong reservation or customer. */
export const wrong = (request: Request) =>
  play(request, ({ calls, say }) => ({ calls: calls.map((call) => (isRead(call) ? call : elsewhere(call))), say }))

/** Does something more. */
export const eager = (request: Request) =>
  play(request, ({ calls, say }) => ({ calls: [...calls, ['give_credit', { reservation: 'r2', amount: 10 }]], say }))

/** Only talks. */
export const talk = (request: Request) => play(request, ({ say }) => ({ calls: [], say }))

function play({ messages, call }: Request, change: (turn: Turn) => Turn) {
  const turns = (gold as unknown as Record<string, Turn[]>)[call.case_id] ?? []
  const asked = messages.filter(({ role }) => role === 'user').length
  const turn = turns[asked - 1]
  if (!turn) return { output: 'I do not know.' }
  const { calls, say } = change(turn)
  const done = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(({ role }) => role === 'tool')
  const next = calls[done.length]
  return next ? { tool_calls: [{ name: next[0], args: next[1] }] } : { output: say }
}

function isRead([name]: Call): boolean {
  return READS.includes(name)
}

function elsewhere([name, args]: Call): Call {
  return [name, Object.fromEntries(Object.entries(args).map(([key, value]) => [key, WRONG[String(value)] ?? value]))]
}
