// The same, but slower or more expensive.
import type { Usage } from '../../../model/message.js'
import type { Operator } from '../operator.js'

/** Ten times less than this is still at once. */
export const FELT_MS = 100

export const slower: Operator = {
  name: 'ten times slower',
  about: 'limits',
  meaning: 'users wait ten times as long',
  *mutants({ conduct }) {
    const whole = conduct.replies.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0)
    if (whole < FELT_MS) return
    const replies = conduct.replies.map((reply) => ({
      ...reply,
      ...(reply.duration_ms !== undefined && { duration_ms: reply.duration_ms * 10 }),
    }))
    yield { what: 'it takes ten times as long', conduct: { ...conduct, replies } }
  },
}

export const dearer: Operator = {
  name: 'ten times more expensive',
  about: 'limits',
  meaning: 'every answer costs ten times as much',
  *mutants({ conduct }) {
    const replies = conduct.replies.map((reply) => ({
      ...reply,
      ...(reply.cost_dollars !== undefined && { cost_dollars: reply.cost_dollars * 10 }),
      ...(reply.usage && { usage: tenfold(reply.usage) }),
    }))
    yield { what: 'it costs ten times as much', conduct: { ...conduct, replies } }
  },
}

function tenfold(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).map(([key, count]) => [key, Number(count) * 10])) as unknown as Usage
}
