// The cassette file in JSON Schema, for editors. The reader reports what is wrong, with its line.
import { CASSETTE_FORMAT, REQUEST_FIELDS, RESPONSE_FIELDS, VARIANTS_CASSETTE_FORMAT } from './read-cassette.js'

const HASH = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
const COUNT = { type: 'integer', minimum: 1 }

/** What is known about some fields; the others may hold any value. */
const REQUEST: Record<string, object> = {
  hat: { type: 'string', minLength: 1, description: 'Who was asked, e.g. agent:desk, judge:viva.judge.' },
  case: { type: 'string', description: 'Absent for what was recorded once for all cases.' },
  variant: { type: 'string', minLength: 1, description: 'With several variants: whose conversation it is.' },
  run: COUNT,
  attempt: COUNT,
  prompt_hash: HASH,
  prompt_preview: { type: 'string', description: 'For people; not read.' },
  same_messages: {
    type: 'integer',
    minimum: 0,
    description: 'How many of the messages are those of the interaction before it in this conversation.',
  },
  messages: { type: 'array' },
}
const RESPONSE: Record<string, object> = {
  output: { description: 'The answer. It may be edited.' },
  error: { type: 'object', required: ['code', 'message'] },
  tool_calls: { type: 'array', items: { type: 'object', required: ['name'] } },
  tokens: { type: 'number' },
  duration_ms: { type: 'number', minimum: 0 },
}

export const CASSETTE_JSON_SCHEMA: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Viva cassette',
  type: 'object',
  required: ['interactions', 'metadata'],
  additionalProperties: false,
  properties: {
    interactions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['request', 'response'],
        additionalProperties: false,
        properties: {
          request: closed(REQUEST_FIELDS, REQUEST, ['hat', 'prompt_hash']),
          response: closed(RESPONSE_FIELDS, RESPONSE, []),
          recorded: { type: 'string', description: 'When.' },
        },
      },
    },
    metadata: {
      type: 'object',
      required: ['format', 'interactions'],
      properties: {
        format: { enum: [CASSETTE_FORMAT, VARIANTS_CASSETTE_FORMAT], description: '2: with variants.' },
        agent: { type: 'string' },
        clock: { type: 'string', description: 'The time of day that prompts state.' },
        timezone: { type: 'string' },
        interactions: { type: 'integer', minimum: 0, description: 'How many there are.' },
      },
    },
  },
}

function closed(fields: Iterable<string>, known: Record<string, object>, required: string[]): object {
  const properties = Object.fromEntries([...fields].map((field) => [field, known[field] ?? {}]))
  return { type: 'object', required, additionalProperties: false, properties }
}
