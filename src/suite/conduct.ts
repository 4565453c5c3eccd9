// What an agent did in a case, as data: the same whether it was recorded, changed by an operator or made up.
import { recordedReply } from '../agents/reply/recorded-reply.js'
import type { AgentReply } from '../model/agent.js'
import type { TestCase } from '../model/case.js'
import type { ResultEvent, TurnResult } from '../model/event.js'
import type { FileChange } from '../model/workspace.js'
import type { ConductFiles } from './conduct-files.js'
import { stateIn, type ConductState } from './conduct-state.js'
import { filesAfter } from './files-after.js'

export interface Conduct {
  /** One per turn. */
  replies: AgentReply[]
  /** What was said in turns whose input the case does not hold, by turn: a simulator's or a person's words. */
  said: Said[]
  /** Of the workspace, when the case was over. */
  files?: ConductFiles
  changes?: FileChange[]
  /** What changed in the state, as far as it is known. */
  state?: ConductState
}

/** The user's side of a turn. */
export interface Said {
  input: unknown
  goal_achieved?: boolean
}

/** Undefined if the result holds no answer: there is nothing to look at again. */
export function conductOf(result: ResultEvent, testCase: TestCase): Conduct | undefined {
  const turns = result.turns?.filter(isAnswered)
  if (turns ? turns.length === 0 : result.status !== 'passed' && result.output === undefined) return undefined
  const conduct: Conduct = {
    replies: turns ? turns.map(recordedReply) : [recordedReply(result)],
    said: saidIn(result),
  }
  if (turns) addWhole(conduct.replies.at(-1), result)
  if (testCase.workspace !== undefined) {
    conduct.files = filesAfter(testCase.workspace, result)
    conduct.changes = result.changes ?? []
  }
  const state = stateIn(result)
  if (state) conduct.state = state
  return conduct
}

/** What the user said, turn by turn, in a conversation that was recorded. */
function saidIn({ turns = [] }: ResultEvent): Said[] {
  return turns.flatMap(({ input, goal_achieved, status }) =>
    status === 'not_run' ? [] : [{ input, ...(goal_achieved && { goal_achieved }) }],
  )
}

function isAnswered({ status, output, error_kind, tool_calls }: TurnResult): boolean {
  if (status === 'not_run') return false
  return error_kind === undefined || error_kind === 'assertion' || output !== undefined || tool_calls !== undefined
}

/** What is recorded of a conversation as a whole belongs to its last reply. */
function addWhole(last: AgentReply | undefined, result: ResultEvent): void {
  if (!last) return
  const { session, spans, trace } = recordedReply(result)
  if (session !== undefined) last.session = session
  if (spans !== undefined) last.spans = spans
  if (trace !== undefined) last.trace = trace
}
