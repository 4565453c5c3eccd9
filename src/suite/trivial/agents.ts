// Five agents that do nothing useful. A case that one of them passes shows nothing about a real one.
import type { AgentReply } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import { lastUserText, textOf } from '../../model/last-user-text.js'
import type { Message } from '../../model/message.js'
import { asText } from '../../base/text.js'

export interface TrivialAgent {
  name: 'silent' | 'refuses' | 'echoes' | 'apologises' | 'recites'
  /** What it does, after "an agent that". */
  does: string
  answer(messages: Message[], testCase: TestCase): AgentReply
}

export const TRIVIAL_AGENTS: readonly TrivialAgent[] = [
  { name: 'silent', does: 'says nothing', answer: () => saying('') },
  {
    name: 'refuses',
    does: 'refuses',
    answer: () => saying("I'm sorry, but I can't help with that."),
  },
  { name: 'echoes', does: 'repeats the question', answer: (messages) => saying(lastUserText(messages)) },
  {
    name: 'apologises',
    does: 'apologises and asks back',
    answer: () => saying('I apologise for the inconvenience. Could you tell me a little more about what you need?'),
  },
  {
    name: 'recites',
    does: 'recites everything it was told',
    answer: (messages, testCase) => saying(everythingIn(messages, testCase)),
  },
]

function saying(content: string): AgentReply {
  return { content, tool_calls: [], duration_ms: 0 }
}

/** Every text of the conversation so far, and what the case says about tools. */
function everythingIn(messages: Message[], { testing }: TestCase): string {
  const texts = messages.map(({ content }) => textOf(content))
  for (const [name, result] of Object.entries(testing?.tools ?? {})) texts.push(`${name}: ${asText(result)}`)
  return texts.join('\n')
}
