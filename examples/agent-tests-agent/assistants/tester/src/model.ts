// Stands in for a model: it reads what the tools have answered and decides what to do next, as a model would.
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const TILL = fileURLToPath(new URL('../../../till.mjs', import.meta.url))

interface Message {
  role: string
  content: string
}

export function Answer({ messages }: { messages: Message[] }): object {
  const receipt = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''
  const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => read(content))
  const failed = answers.find(({ error }) => error !== undefined)
  if (failed) return { output: `NOT TESTED: ${failed.error}` }
  const [setup, , verdict] = answers
  const workspace_id = setup?.workspace_id ?? `till-${randomUUID()}`
  const next = planFor(workspace_id, receipt)[answers.length]
  if (next) return { tool_calls: [next] }
  if (verdict?.passed === true) return { output: 'OK: the total is right.' }
  const reasons = (verdict?.results ?? []).flatMap(({ message }) => message ?? [])
  return { output: `BUG: ${reasons.join('; ')}` }
}

function planFor(workspace_id: string, receipt: string): object[] {
  const lines = receipt.split('\n').filter((line) => line !== '')
  const total = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  return [
    call('test_setup', {
      workspace_id,
      fixtures: { 'receipt.txt': receipt },
      config: { cli: { backend: 'custom', command: 'node', args: [TILL] } },
    }),
    call('test_run', { workspace_id, task: 'Add up receipt.txt into total.txt', backend: 'custom' }),
    call('test_assert', {
      workspace_id,
      assertions: [
        { type: 'exit_code', expected: 0 },
        { type: 'file_contains', path: 'total.txt', pattern: `^${total}\\n$` },
      ],
    }),
    call('test_cleanup', { workspace_id }),
  ]
}

interface ToolAnswer {
  workspace_id?: string
  passed?: boolean
  results?: Array<{ message?: string }>
  error?: string
}

function read(content: string): ToolAnswer {
  try {
    return JSON.parse(content) as ToolAnswer
  } catch {
    return { error: content }
  }
}

function call(name: string, args: object): object {
  return { name: `viva__${name}`, args }
}
