// The Berkeley Function-Calling Leaderboard: questions with tools, and in a file beside them the calls that are right.
import { basename, dirname, join } from 'node:path'
import { parseJson } from '../../base/json/parse-json.js'
import { isRecord } from '../../base/record.js'
import { asLiteral } from '../../model/matcher-keys.js'
import { recordFormat } from '../format.js'
import { readMessage } from '../messages.js'
import type { SourceFolder } from '../read-source.js'

export const BFCL = recordFormat({
  id: 'bfcl',
  label: 'file of BFCL questions',
  is: (record) => Array.isArray(record['question']) && Array.isArray(record['function']),
  read: (question, { folder, file, once }) => {
    const [turn, ...more] = question.list('question') ?? []
    const said = (turn?.elements() ?? []).map(readMessage)
    for (const one of more) one.take()
    const id = question.text('id') ?? ''
    const functions = (question.list('function') ?? []).map((one) => one.take()).filter(isRecord)
    const isOf = (kind: string): boolean => id.startsWith(kind) || id.startsWith(`live_${kind}`)
    const answer = once(() => readAnswers(folder, file)).get(id)
    const [only] = said
    return {
      id,
      ...(said.length === 1 && only?.role === 'user'
        ? { input: only.text }
        : { messages: said.map(({ role, text }) => ({ role, content: text })) }),
      options: { tools: functions.map(asTool) },
      assert: isOf('irrelevance')
        ? [{ type: 'tool_sequence', tools: [], match: 'strict' }]
        : answer === undefined
          ? []
          : [{ type: 'tool_sequence', tools: answer.map(wantedTool), match: 'unordered' }],
      lost: [
        ...(more.length > 0 ? ['questions of several turns'] : []),
        ...(answer === undefined && !isOf('irrelevance') ? ['there is no answer to it in the file of answers'] : []),
      ],
    }
  },
  note: 'options.tools has the shape of chat completions: test a model with -n openai-chat:MODEL, or an endpoint that speaks it',
})

/** `possible_answer/` beside the questions, or a file of the same name that ends in `.answers.jsonl`. */
function readAnswers(folder: SourceFolder, file: string): Map<string, unknown[]> {
  const stem = basename(file).replace(/\.jsonl?$/, '')
  const paths = [join(dirname(file), 'possible_answer', basename(file)), join(dirname(file), `${stem}.answers.jsonl`)]
  const path = paths.find((one) => folder.has(one))
  const lines = path === undefined ? [] : folder.text(path).text.split('\n')
  const answers = new Map<string, unknown[]>()
  for (const line of lines) {
    const value = parseJson(line)?.value
    if (isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['ground_truth']))
      answers.set(value['id'], value['ground_truth'])
  }
  return answers
}

/** Vendors allow no dots in names. */
function wantedTool(call: unknown): Record<string, unknown> {
  const [name = '', args] = Object.entries(isRecord(call) ? call : {})[0] ?? []
  const wanted = isRecord(args) ? args : {}
  const plain = name.replaceAll('.', '_')
  return {
    name: plain === name ? name : [name, plain],
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, values]) => [key, oneOf(values)])),
    arguments_match: 'exact',
  }
}

/** `""` in the list: it may be left out. */
function oneOf(values: unknown): unknown {
  const list: unknown[] = Array.isArray(values) ? values : [values]
  const matchers = list.filter((value) => value !== '').map(matcherOf)
  const [only] = matchers
  const matcher = matchers.length === 1 ? only : { $any: matchers }
  if (!list.includes('')) return matcher
  return matchers.length === 0 ? { $absent: true } : { $optional: matcher }
}

const IGNORED = ['case', 'space', ',', '.', '/', '-', '_', '*', '^']

function matcherOf(value: unknown): unknown {
  if (typeof value === 'string') {
    const bare = value.replaceAll(/[\s,./\-_*^]/g, '')
    return bare === '' ? asLiteral(value) : { $text: { value, ignore: IGNORED } }
  }
  if (Array.isArray(value)) return value.map(matcherOf)
  if (!isRecord(value)) return value
  return { $exact: Object.fromEntries(Object.entries(value).map(([key, values]) => [key, oneOf(values)])) }
}

/** Python's words for types are not those of JSON Schema. */
const TYPES: Record<string, string> = { dict: 'object', float: 'number', tuple: 'array', any: 'string' }

function asTool({ name, description, parameters }: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'function',
    function: { name: String(name).replaceAll('.', '_'), description, parameters: schemaOf(parameters) },
  }
}

function schemaOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schemaOf)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'type' && typeof inner === 'string' ? (TYPES[inner] ?? inner) : schemaOf(inner),
    ]),
  )
}
