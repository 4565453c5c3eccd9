// Names, descriptions and annotations of what a server lists.
import { formatCount, plural } from '../../base/format.js'
import { listed, show } from '../../base/text.js'
import type { Found } from '../finding.js'
import { defineRule } from '../rule.js'
import type { ListedItem, ToolList } from '../subject.js'
import { estimateTokens, TOKEN_METHOD } from '../text/tokens.js'
import { weaknessOf } from '../text/vague.js'

const FEWEST_WORDS = 3
const MOST_NAMES = 8
const MOST_TOKENS = 10_000
const MOST_TOKENS_OF_ONE = 1500

export const TOOLS = [
  defineRule({
    id: 'tool-name-invalid',
    on: 'list',
    severity: 'error',
    summary: 'a name that the protocol does not allow',
    reason: 'Clients refuse or change such names, and the tool cannot be called.',
    fix: 'Use 1 to 128 letters, digits, _, - and dots.',
    *find({ items }) {
      for (const { kind, name, place } of items)
        if (kind === 'tool' && !/^[A-Za-z0-9_.-]{1,128}$/.test(name))
          yield {
            ...place,
            message: name === '' ? 'a tool without a name' : `the name ${show(name, 80)} is not allowed`,
          }
    },
  }),
  defineRule({
    id: 'tool-name-vendor',
    on: 'list',
    severity: 'warning',
    summary: 'a name that the protocol allows and the APIs of models refuse',
    reason:
      'OpenAI and Anthropic take letters, digits, _ and - only, up to 64 characters; every client has to rename the tool.',
    fix: 'Use _ in place of dots, and at most 64 characters.',
    *find({ items }) {
      for (const { kind, name, place } of items)
        if (kind === 'tool' && /^[A-Za-z0-9_.-]{1,128}$/.test(name) && (name.includes('.') || name.length > 64))
          yield {
            ...place,
            message: name.includes('.') ? `the name ${show(name)} has a dot` : `the name has ${name.length} characters`,
          }
    },
  }),
  defineRule({
    id: 'tool-description-missing',
    on: 'list',
    severity: 'error',
    summary: 'a tool without a description',
    reason: 'The name alone does not tell a model when to call it and what it gets.',
    fix: 'Describe what it does, when to call it, and what it returns.',
    *find({ items }) {
      for (const { kind, description, place } of items)
        if (kind === 'tool' && isBlank(description)) yield { ...place, message: 'there is no description' }
    },
  }),
  defineRule({
    id: 'tool-description-weak',
    on: 'list',
    severity: 'warning',
    summary: 'a description that is vague, a placeholder, or only repeats the name',
    reason: 'It tells a model nothing that the name did not.',
    fix: 'Describe what it does, when to call it, and what it returns.',
    *find({ items }) {
      for (const { kind, name, description = '', place } of items) {
        if (kind !== 'tool' || isBlank(description)) continue
        const weakness = weaknessOf(description, name, FEWEST_WORDS)
        if (weakness && weakness.kind !== 'short') yield { ...place, message: weaknessText(weakness.kind, description) }
      }
    },
  }),
  defineRule({
    id: 'tool-description-short',
    on: 'list',
    severity: 'note',
    summary: `a description with fewer than ${FEWEST_WORDS} words that say something`,
    reason: 'When to call it, what it returns and how it fails take more words than that.',
    fix: 'Describe what it does, when to call it, and what it returns.',
    *find({ items }) {
      for (const { kind, name, description = '', place } of items) {
        const weakness =
          kind !== 'tool' || isBlank(description) ? undefined : weaknessOf(description, name, FEWEST_WORDS)
        if (weakness?.kind === 'short') yield { ...place, message: `the description is ${show(description, 60)}` }
      }
    },
  }),
  defineRule({
    id: 'prompt-undescribed',
    on: 'list',
    severity: 'warning',
    summary: 'a prompt, or an argument of one, without a description',
    reason: 'People choose prompts from a list of names and descriptions, and fill in arguments by them.',
    fix: 'Add a description.',
    *find({ items }) {
      for (const { kind, description, arguments: args, place } of items) {
        if (kind !== 'prompt') continue
        if (isBlank(description)) yield { ...place, message: 'there is no description' }
        const bare = args.filter((arg) => isBlank(arg.description)).map(({ name }) => name)
        if (bare.length > 0) yield { ...place, message: `no description of ${names(bare)}` }
      }
    },
  }),
  defineRule({
    id: 'resource-undescribed',
    on: 'list',
    severity: 'note',
    summary: 'resources without a description',
    reason: 'Clients and models choose resources by what the list says about them.',
    fix: 'Add a description to each.',
    *find({ items }) {
      const resources = items.filter(({ kind }) => kind === 'resource' || kind === 'template')
      yield* together(
        resources.filter(({ description }) => isBlank(description)),
        resources.length,
        'resource',
        (bare) => `without a description: ${bare}`,
      )
    },
  }),
  defineRule({
    id: 'tool-annotations-missing',
    on: 'list',
    severity: 'warning',
    summary: 'tools without readOnlyHint or destructiveHint',
    reason: 'By the protocol a tool without them may destroy something: clients ask before every call, or refuse it.',
    fix: 'Annotate tools that change nothing with readOnlyHint: true, and others with destructiveHint: true or false.',
    *find({ isServer, items }) {
      if (!isServer) return
      const tools = items.filter(({ kind }) => kind === 'tool')
      const bare = tools.filter(
        ({ annotations }) =>
          typeof annotations?.['readOnlyHint'] !== 'boolean' && typeof annotations?.['destructiveHint'] !== 'boolean',
      )
      yield* together(bare, tools.length, 'tool', (which) => `without annotations: ${which}`)
    },
  }),
  defineRule({
    id: 'tool-annotations-contradict',
    on: 'list',
    severity: 'error',
    summary: 'annotations that exclude each other',
    reason: 'A tool that only reads cannot destroy; clients go by one of the two, and not all by the same.',
    fix: 'Remove the one that is wrong.',
    *find({ items }) {
      for (const { annotations, place } of items)
        if (annotations?.['readOnlyHint'] === true && annotations['destructiveHint'] === true)
          yield { ...place, message: 'readOnlyHint and destructiveHint are both true' }
    },
  }),
  defineRule({
    id: 'tool-errors-unsaid',
    on: 'list',
    severity: 'note',
    summary: 'descriptions that say nothing about failure',
    reason: 'A model that does not know how a call can fail takes an error for an answer, or calls again.',
    fix: 'Say what must be there beforehand, and what comes back if it is not.',
    *find({ isServer, items }) {
      if (!isServer) return
      const tools = items.filter(({ kind, inputSchema }) => kind === 'tool' && hasRequired(inputSchema))
      yield* together(
        tools.filter(({ text }) => !FAILURE.test(text)),
        tools.length,
        'tool',
        (which) => `with required arguments never say how a call can fail: ${which}`,
      )
    },
  }),
  defineRule({
    id: 'tools-size',
    on: 'list',
    severity: 'warning',
    summary: `a list of tools of more than ${formatCount(MOST_TOKENS)} tokens`,
    reason: `The whole list is part of every request: it costs, and models choose worse from a long one. Tokens are ${TOKEN_METHOD}.`,
    fix: 'Shorten descriptions and schemas, merge tools, or let clients switch groups of them off.',
    *find(list) {
      const { count, tokens } = sizeOf(list)
      if (tokens > MOST_TOKENS)
        yield { message: `${plural(count, 'tool')} of about ${formatCount(tokens)} tokens together` }
    },
  }),
  defineRule({
    id: 'tool-size',
    on: 'list',
    severity: 'note',
    summary: `a tool of more than ${formatCount(MOST_TOKENS_OF_ONE)} tokens`,
    reason: `It is part of every request, whether the tool is called or not. Tokens are ${TOKEN_METHOD}.`,
    fix: 'Shorten the description, or flatten the schema.',
    *find({ items }) {
      for (const { kind, text, place } of items) {
        const tokens = estimateTokens(text)
        if (kind === 'tool' && tokens > MOST_TOKENS_OF_ONE)
          yield { ...place, message: `it takes about ${formatCount(tokens)} tokens` }
      }
    },
  }),
]

/** What the tools of a list take of every request. */
export function sizeOf({ items }: ToolList): { count: number; tokens: number } {
  const tools = items.filter(({ kind }) => kind === 'tool')
  return { count: tools.length, tokens: tools.reduce((sum, { text }) => sum + estimateTokens(text), 0) }
}

const FAILURE =
  /\b(?:fails?|failed|failure|errors?|throws?|raises?|invalid|not found|missing|exists?|existing|unless|must|cannot|can't|refuse[sd]?|reject(?:s|ed)?|unavailable|denied|only works|only within|allowed)\b/i

function weaknessText(kind: 'repeats' | 'vague' | 'placeholder', description: string): string {
  const text = `the description ${show(description, 60)}`
  switch (kind) {
    case 'repeats':
      return `${text} only repeats the name`
    case 'vague':
      return `${text} could be that of any tool`
    case 'placeholder':
      return `${text} is a placeholder`
  }
}

/** One finding for all of them: the same sentence for each tool would bury the others. */
function* together(found: ListedItem[], total: number, what: string, say: (which: string) => string): Iterable<Found> {
  if (found.length === 0) return
  const [first] = found
  const file = first?.place.file
  const share = found.length === total ? plural(total, what) : `${found.length} of ${plural(total, what)}`
  yield { ...(file !== undefined && { file }), message: `${share} ${say(names(found.map(({ name }) => name)))}` }
}

function names(all: string[]): string {
  return listed(
    all.map((name) => show(name, 60)),
    MOST_NAMES,
  )
}

function hasRequired(schema: unknown): boolean {
  const required = typeof schema === 'object' && schema !== null && 'required' in schema ? schema.required : undefined
  return Array.isArray(required) && required.length > 0
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}
