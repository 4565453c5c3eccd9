// Prompts × the variables of all cases → the prompts of a package. Plain variables stay variables; what needs more than
// that is rendered now, once for each case, and passed in its metadata.
import { isRecord } from '../../base/record.js'
import { plainVariables, renderTemplate, TemplateError } from '../template.js'
import { conversationOf, type PromptMessage, type SourcePrompt } from './prompts.js'

export interface RenderedPrompt {
  /** As written in prompts.yml. */
  messages: PromptMessage[]
  /** Names that a case must have, if only as an empty string. */
  names: string[]
  /** For each case: what `{{ rendered.<prompt>.<index> }}` refers to. */
  rendered?: string[][]
}

export interface PromptCase {
  vars: Record<string, unknown>
  prefix: string
  suffix: string
}

/** Names that the import needs itself. */
const RESERVED = new Set(['import', 'rendered'])
/** What a package's prompts would fill in as well. */
const FILLED = /\$(?:SYS|ENV|CTX)\.|@assets\//

/** Throws an Error that says why the prompt is left behind. */
export function renderPrompt(prompt: SourcePrompt, name: string, cases: readonly PromptCase[]): RenderedPrompt {
  requireKnown(prompt, cases)
  const messages = prompt.whole === undefined ? prompt.messages : []
  const plain = messages.map(({ content }) => plainNames(content, cases))
  const isWrapped = cases.some(({ prefix, suffix }) => prefix !== '' || suffix !== '')
  if (prompt.whole === undefined && !isWrapped && plain.every((names) => names !== undefined))
    return {
      messages: messages.map(({ role, content }) => ({ role: roleOf(role), content: withEnv(content) })),
      names: plain.flatMap((names) => names ?? []),
    }
  const all = cases.map((one) => conversation(prompt, one))
  const [first = []] = all
  const roles = first.map(({ role }) => role).join()
  if (!all.every((one) => one.map(({ role }) => role).join() === roles))
    throw new Error('the conversation has another shape from test to test')
  return {
    messages: first.map(({ role }, index) => ({ role: roleOf(role), content: `{{ rendered.${name}.${index} }}` })),
    names: [],
    rendered: all.map((one) => one.map(({ content }) => content)),
  }
}

export function conversation(prompt: SourcePrompt, { vars, prefix, suffix }: PromptCase): PromptMessage[] {
  const scope = vars
  if (prompt.whole === undefined)
    return prompt.messages.map(({ role, content }) => {
      const isText = prompt.messages.length === 1
      return { role, content: renderTemplate(isText ? `${prefix}${content}${suffix}` : content, scope) }
    })
  const text = renderTemplate(`${prefix}${prompt.whole}${suffix}`, scope)
  return conversationOf(text.trim()) ?? [{ role: 'user', content: text }]
}

/** Undefined if the template needs more than filling in. */
function plainNames(template: string, cases: readonly PromptCase[]): string[] | undefined {
  if (FILLED.test(template)) return undefined
  const names = plainVariables(template)
  if (!names) return undefined
  const own = names.filter((name) => !isEnv(name, cases))
  const isPlain = own.every((name) => cases.every(({ vars }) => isSimple(valueAt(vars, name))))
  return isPlain && !own.some((name) => RESERVED.has(name.split('.')[0] ?? '')) ? own : undefined
}

export function requireKnown(prompt: SourcePrompt, cases: readonly PromptCase[]): void {
  const texts = prompt.whole === undefined ? prompt.messages.map(({ content }) => content) : [prompt.whole]
  for (const text of texts) {
    if (/\b_conversation\b/.test(text)) throw new TemplateError('_conversation: tests that build on each other')
    if (prompt.whole !== undefined || plainVariables(text) === undefined)
      if (/\benv\./.test(text) && cases.every(({ vars }) => vars['env'] === undefined))
        throw new TemplateError('variables of the environment in a template with more than plain variables')
  }
  if (prompt.whole === undefined && prompt.messages.length === 0) throw new Error('it is empty')
}

function isEnv(name: string, cases: readonly PromptCase[]): boolean {
  return /^env\.\w+$/.test(name) && cases.every(({ vars }) => vars['env'] === undefined)
}

function withEnv(content: string): string {
  return content.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, '$$ENV.$1')
}

function isSimple(value: unknown): boolean {
  return value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

export function valueAt(vars: Record<string, unknown>, path: string): unknown {
  let value: unknown = vars
  for (const step of path.split('.')) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value
}

function roleOf(role: string): string {
  if (['system', 'developer', 'user', 'assistant'].includes(role)) return role
  throw new Error(`a message of the role "${role}"`)
}
