// The scenarios as prompts, for people who start them from their assistant.
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server'
import { suggest } from '../base/suggest.js'
import { UserError } from '../errors.js'
import { DATA_NOTICE } from './notice.js'
import { SCENARIOS, type Scenario } from './scenarios.js'

const ARGUMENTS = [
  { name: 'task', description: 'What the agent under test is told to do', required: false },
  { name: 'workspace_id', description: 'A name for the workspace that is not in use', required: false },
]
const TASK = 'Add error handling to the API'

export function listPrompts(): ListPromptsResult {
  return {
    prompts: SCENARIOS.map(({ name, title, description }) => ({ name, title, description, arguments: ARGUMENTS })),
  }
}

/** Throws a UserError for an unknown name. */
export function getPrompt(name: string, given: Record<string, string>): GetPromptResult {
  const scenario = SCENARIOS.find((each) => each.name === name)
  if (!scenario) throw unknownPrompt(name)
  return {
    description: scenario.description,
    messages: [{ role: 'user', content: { type: 'text', text: promptText(scenario, given) } }],
  }
}

function promptText({ title, description, advice, name, steps }: Scenario, given: Record<string, string>): string {
  const input = { workspace_id: given['workspace_id'] ?? name, task: given['task'] ?? TASK }
  const calls = steps(input).map(
    (each, index) => `${index + 1}. ${each.tool}\n\n\`\`\`json\n${JSON.stringify(each.arguments, null, 2)}\n\`\`\``,
  )
  return [
    `${title}. ${description}`,
    'Call these tools of viva in this order, and change the arguments to what I want to test:',
    ...calls,
    advice,
    'Stop at the first answer that is an error, and tell me what it says. A failed assertion is a result: go on, and report it.',
    DATA_NOTICE,
  ].join('\n\n')
}

function unknownPrompt(name: string): UserError {
  const names = SCENARIOS.map((each) => each.name)
  const near = suggest(name, names)
  return new UserError({
    code: 'UNKNOWN_PROMPT',
    message: `no prompt called "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint: `prompts: ${names.join(', ')}`,
  })
}
