// The Berkeley Function-Calling Leaderboard: questions with tools, and in a file beside them the calls that are right.
import { basename, dirname, join } from 'node:path'
import { parseJson } from '../../base/json/parse-json.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import type { Draft } from '../draft.js'
import { recordFormat } from '../format.js'
import { readMessage } from '../messages.js'
import type { SourceFolder } from '../read-source.js'
import { acceptedArguments, jsonSchemaOf } from './bfcl-call.js'

export const BFCL = recordFormat({
  id: 'bfcl',
  label: 'file of BFCL questions',
  is: (record) => Array.isArray(record['question']) && Array.isArray(record['function']),
  read: (question, { folder, file, once }) => {
    const [turn, ...more] = question.list('question') ?? []
    const said = (turn?.elements() ?? []).map(readMessage)
    for (const one of more) one.take()
    const id = question.text('id') ?? ''
    const given = (question.list('function') ?? []).map((one) => one.take()).filter(isRecord)
    const functions = given.filter(({ name }, at) => given.findIndex((each) => each['name'] === name) === at)
    const isOf = (kind: string): boolean => id.startsWith(kind) || id.startsWith(`live_${kind}`)
    const answer = once(() => readAnswers(folder, file)).get(id)
    const { lost = [], ...expected } = (answer && expectation(answer, functions, isOf('parallel'))) ?? {}
    const [only] = said
    return {
      id,
      ...(said.length === 1 && only?.role === 'user'
        ? { input: only.text }
        : { messages: said.map(({ role, text }) => ({ role, content: text })) }),
      tools: functions.map(asTool),
      ...(isOf('irrelevance') ? { expect_tool: null } : expected),
      lost: [
        ...lost,
        ...(functions.length < given.length ? ['several of its tools have one name'] : []),
        ...(more.length > 0 ? ['questions of several turns'] : []),
        ...(answer === undefined && !isOf('irrelevance') ? ['there is no answer to it in the file of answers'] : []),
      ],
    }
  },
  note: 'the cases offer their tools to a model: test one with -n openai:MODEL',
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

/** One call, or several in any order. */
function expectation(
  answer: unknown[],
  functions: Array<Record<string, unknown>>,
  isParallel: boolean,
): Pick<Draft, 'expect_tool' | 'assert' | 'lost'> {
  const names = functions.map((each) => String(each['name']))
  const calls = answer.map((call) => wantedCall(call, functions))
  const unknown = calls.find(({ name }) => !names.includes(name))
  if (unknown) return { lost: [`none of its tools is called ${show(unknown.name)}, as the right call is`] }
  const [only] = calls
  if (only && calls.length === 1 && !isParallel) return { expect_tool: only }
  // There, the end of a name is enough.
  const longer = names.find((other) => calls.some(({ name }) => other.endsWith(`.${name}`)))
  if (longer !== undefined) return { lost: [`a call of ${show(longer)} could be taken for a right one`] }
  const tools = calls.map((call) => ({ ...call, arguments_match: 'exact' }))
  return { assert: [{ type: 'tool_sequence', tools, match: 'unordered' }] }
}

function wantedCall(
  call: unknown,
  functions: Array<Record<string, unknown>>,
): { name: string; arguments: Record<string, unknown> } {
  const members = Object.entries(isRecord(call) ? call : {})
  const [written, answers] = (members.length === 1 && members[0]) || [members.map(([name]) => name).join(', ')]
  const isWritten = ({ name }: Record<string, unknown>): boolean => underscored(name) === underscored(written)
  const tool = functions.find(({ name }) => name === written) ?? functions.find(isWritten)
  const name = tool ? String(tool['name']) : written
  return { name, arguments: acceptedArguments(isRecord(answers) ? answers : {}, tool ?? {}) }
}

/** Some vendors allow no dots, and BFCL takes either spelling. */
function underscored(name: unknown): string {
  return String(name).replaceAll('.', '_')
}

function asTool({ name, description, parameters }: Record<string, unknown>): Record<string, unknown> {
  return { name: String(name), description, inputSchema: jsonSchemaOf(parameters) }
}
