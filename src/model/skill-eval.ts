// One entry of a skill's `evals/evals.json`, or of a file of trigger queries, in the words of a case. Pure.
import { isPresent, isRecord } from '../base/record.js'
import type { FieldProblem } from '../base/field-name.js'
import { describeFound } from '../base/json/json-text.js'
import { INPUT_FIELDS } from './case-schema.js'

type Written = Record<string, unknown>

/** A file the task works on, as the entry names it. */
export interface EvalFile {
  path: string
  /** Written in the entry itself. */
  content?: string
  /** Where it is in the entry. */
  field: Array<string | number>
}

export interface SkillEval {
  /** As a case, without its files; what is not known is left as it is. */
  case: Written
  files: EvalFile[]
  problems: FieldProblem[]
  /** What the judge is asked, in the words of the entry. */
  expectations: string[]
  /** It has a description of the outcome that is not checked: the expectations decide. */
  describesMore: boolean
}

const PROMPTS = ['prompt', 'query'] as const
/** What must be true of the result, each on its own. */
export const EXPECTATIONS = ['expectations', 'assertions', 'expected_behavior'] as const
/** In plain words, for people: a check only where nothing more precise is given. */
const OUTCOMES = ['expected_output', 'expected'] as const
const NAMES = ['name', 'eval_name'] as const
/** Names of a skill: which one is tested is said elsewhere. */
const IDLE = ['skill', 'skills', 'skill_name']

/** Every key that is understood. */
export const EVAL_KEYS: readonly string[] = [
  'id',
  ...PROMPTS,
  ...EXPECTATIONS,
  ...OUTCOMES,
  ...NAMES,
  ...IDLE,
  'files',
  'should_trigger',
]

/** Lists whose name is the answer to each of their queries. */
const ANSWERS: ReadonlyMap<string, boolean> = new Map([
  ['should_trigger', true],
  ['should_not_trigger', false],
])

/** What the lists of entries are called, in a file that is an object. */
export const SKILL_LISTS: readonly string[] = ['evals', 'queries', ...ANSWERS.keys()]

/** An item of that list as an entry that stands for itself. */
export function entryOf(list: string | undefined, item: unknown): { value: unknown } | { contradiction: string } {
  const answer = list === undefined ? undefined : ANSWERS.get(list)
  if (answer === undefined) return { value: item }
  if (!isRecord(item)) return { value: { query: item, should_trigger: answer } }
  const { should_trigger: own = answer } = item
  if (own !== answer) return { contradiction: `its should_trigger is not what the list "${list}" says` }
  return { value: { ...item, should_trigger: answer } }
}

const TELLING: readonly string[] = [...EXPECTATIONS, 'expected_output', 'files', 'should_trigger']

/** Not a case of ours: it has a prompt where a case has an input, and says what is expected in other words. */
export function isSkillEval(value: unknown): value is Written {
  if (!isRecord(value)) return false
  if (isUnnamedTrigger(value)) return true
  if (value['prompt'] === undefined && value['query'] === undefined) return false
  if (INPUT_FIELDS.some((field) => isPresent(value[field]))) return false
  return TELLING.some((key) => value[key] !== undefined)
}

/** A case in all but its id: queries are known by their place in the file. */
function isUnnamedTrigger({ id, input, should_trigger }: Written): boolean {
  return should_trigger !== undefined && isPresent(input) && (!isPresent(id) || typeof id === 'number')
}

/** `position`: from 1, in its file; for an entry without an id. */
export function readSkillEval(entry: Written, position: number): SkillEval {
  if (isUnnamedTrigger(entry))
    return {
      case: { ...entry, id: idOf(entry['id'], position, true) },
      files: [],
      problems: [],
      expectations: [],
      describesMore: false,
    }
  const problems: FieldProblem[] = []
  const expectations = EXPECTATIONS.flatMap((key) => readExpectations(entry[key], key, problems))
  const described = readOutcome(entry, problems)
  const outcome = expectations.length === 0 ? described : []
  const files = readFiles(entry['files'], problems)
  /** All that is asked is whether the skill is used. */
  const isTrigger = entry['should_trigger'] !== undefined && expectations.length + outcome.length + files.length === 0
  const made: Written = { id: idOf(entry['id'], position, isTrigger) }
  const name = NAMES.map((key) => entry[key]).find(isPresent)
  if (name !== undefined) made['name'] = name
  made['input'] = readPrompt(entry, problems)
  const checks = [...expectations, ...outcome]
  if (checks.length > 0) made['assert'] = checks.map(expectationCheck)
  if (entry['should_trigger'] !== undefined) made['should_trigger'] = entry['should_trigger']
  for (const [key, value] of Object.entries(entry)) if (!EVAL_KEYS.includes(key)) made[key] = value
  const describesMore = described.length > outcome.length
  return { case: made, files, problems, expectations: checks, describesMore }
}

/** Where a field of the case stands in the entry. */
export function fieldOfEval(field: string, entry: Written): string {
  if (field === 'input' && entry['input'] === undefined) return entry['prompt'] === undefined ? 'query' : 'prompt'
  const [, index] = entry['assert'] === undefined ? (/^assert\[(\d+)\]/.exec(field) ?? []) : []
  if (index !== undefined) return fieldOfCheck(Number(index), entry)
  return field.startsWith('workspace') ? 'files' : field
}

/**
 * What is expected, in prose: a judge rates how far it is met. Met in part is not met, and what cannot be seen is not
 * either.
 */
function expectationCheck(text: string): Written {
  return { type: 'rubric', criterion: text, rubric: LEVELS, threshold: 4, files: true }
}

const LEVELS = {
  1: 'It is not so',
  3: 'It is so in part, or what is examined does not show it',
  5: 'It is so, and what is examined shows it',
}

/** Numbers are what other tools count by; those of queries would meet those of evals. */
function idOf(id: unknown, position: number, isTrigger: boolean): unknown {
  const noun = isTrigger ? 'trigger' : 'eval'
  if (!isPresent(id)) return `${noun}-${position}`
  if (typeof id !== 'number') return id
  return isTrigger ? `${noun}-${id}` : String(id)
}

function readPrompt(entry: Written, problems: FieldProblem[]): unknown {
  const key = entry['prompt'] === undefined ? 'query' : 'prompt'
  const prompt = entry[key]
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt
  const found = prompt === '' || typeof prompt === 'string' ? 'an empty text' : describeFound(prompt)
  problems.push({ path: [key], message: `expected what the agent is asked, as text, found ${found}` })
  return '(nothing)'
}

function readExpectations(list: unknown, key: string, problems: FieldProblem[]): string[] {
  if (!isPresent(list)) return []
  if (typeof list === 'string' && list.trim() !== '') return [list]
  if (!Array.isArray(list)) {
    problems.push({ path: [key], message: `expected a list of statements, found ${describeFound(list)}` })
    return []
  }
  return list.flatMap((item: unknown, index) => {
    const text = textOf(item)
    if (text !== undefined) return [text]
    const found = isRecord(item) ? `an object with ${Object.keys(item).join(', ') || 'nothing'}` : describeFound(item)
    const message = `expected a statement: text, or an object with "text", found ${found}`
    problems.push({ path: [key, index], message })
    return []
  })
}

/** Tools spell the statement differently; what else they keep beside it is theirs. */
const STATEMENTS = ['text', 'statement', 'expectation', 'assertion', 'criterion', 'description', 'check']

function textOf(item: unknown): string | undefined {
  const text = isRecord(item) ? STATEMENTS.map((key) => item[key]).find((value) => typeof value === 'string') : item
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function readOutcome(entry: Written, problems: FieldProblem[]): string[] {
  const key = OUTCOMES.find((name) => isPresent(entry[name]) && entry[name] !== '')
  if (key === undefined) return []
  const outcome = entry[key]
  if (typeof outcome === 'string' && outcome.trim() !== '') return [`The result is as described: ${outcome}`]
  problems.push({ path: [key], message: `expected a description in words, found ${describeFound(outcome)}` })
  return []
}

function readFiles(files: unknown, problems: FieldProblem[]): EvalFile[] {
  if (!isPresent(files)) return []
  if (!Array.isArray(files)) {
    problems.push({ path: ['files'], message: `expected a list of paths, found ${describeFound(files)}` })
    return []
  }
  return files.flatMap((item: unknown, index): EvalFile[] => {
    const field = ['files', index]
    if (typeof item === 'string') return [{ path: item, field }]
    const path = isRecord(item) ? (item['path'] ?? item['name']) : undefined
    const content = isRecord(item) ? item['content'] : undefined
    if (typeof path === 'string') return [{ path, field, ...(typeof content === 'string' && { content }) }]
    const message = `expected a path, or an object with "path", found ${describeFound(item)}`
    problems.push({ path: field, message })
    return []
  })
}

function fieldOfCheck(index: number, entry: Written): string {
  let before = 0
  for (const key of EXPECTATIONS) {
    const list = entry[key]
    const count = Array.isArray(list) ? list.length : typeof list === 'string' ? 1 : 0
    if (index < before + count) return `${key}[${index - before}]`
    before += count
  }
  return OUTCOMES.find((name) => isPresent(entry[name])) ?? 'expectations'
}
