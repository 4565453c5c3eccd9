// A conversation of several turns that goes another way.
import type { AgentReply } from '../../../model/agent.js'
import { inserted, removed, spread } from '../change.js'
import type { Conduct } from '../../conduct.js'
import type { Operator } from '../operator.js'
import { withoutCalls } from './calls.js'
import { saying } from '../change.js'

const MOST = 6

export const turnSkipped: Operator = {
  name: 'turn skipped',
  about: 'conversation',
  meaning: 'the agent leaves out a step of the conversation',
  *mutants({ conduct }) {
    for (const turn of turnsOf(conduct))
      yield {
        what: `turn ${turn + 1} is skipped`,
        conduct: { ...conduct, replies: removed(conduct.replies, turn) },
        turn,
      }
  },
}

export const askedAgain: Operator = {
  name: 'question asked again',
  about: 'conversation',
  meaning: 'users must say the same thing twice',
  *mutants({ conduct }) {
    for (const turn of turnsOf(conduct)) {
      const reply = conduct.replies[turn]
      if (!reply) continue
      const again: AgentReply = { ...reply, tool_calls: [] }
      yield {
        what: `what was said in turn ${turn + 1} is said again`,
        conduct: { ...conduct, replies: inserted(conduct.replies, turn + 1, again) },
        turn,
      }
    }
  },
}

export const goalClaimed: Operator = {
  name: 'goal claimed',
  about: 'conversation',
  meaning: 'users are told that they have what they asked for, and nothing was done',
  *mutants({ conduct }) {
    if (conduct.replies.every(({ tool_calls }) => tool_calls.length === 0)) return
    const last = conduct.replies.length - 1
    yield {
      what: 'it says that all is done, and calls nothing',
      conduct: saying(withoutCalls(conduct), last, 'All done! Your request has been completed successfully.'),
    }
  },
}

export const endedEarly: Operator = {
  name: 'ended early',
  about: 'conversation',
  meaning: 'the agent gives up half-way',
  *mutants({ conduct }) {
    for (const turn of turnsOf(conduct).filter((each) => each > 0))
      yield {
        what: `it says goodbye in turn ${turn + 1}`,
        conduct: { ...conduct, replies: conduct.replies.slice(0, turn) },
        turn,
      }
  },
}

export const turnTooMany: Operator = {
  name: 'one turn too many',
  about: 'conversation',
  meaning: 'users must answer a question that is not needed',
  *mutants({ conduct }) {
    if (conduct.replies.length < 2) return
    const question: AgentReply = {
      content: 'Before I go on: are you sure that you want this?',
      tool_calls: [],
      duration_ms: 0,
    }
    const last = conduct.replies.length - 1
    yield {
      what: 'it asks once more before the end',
      conduct: { ...conduct, replies: inserted(conduct.replies, last, question) },
      turn: last,
    }
  },
}

function turnsOf({ replies }: Conduct): number[] {
  return replies.length < 2 ? [] : spread([...replies.keys()], MOST)
}
