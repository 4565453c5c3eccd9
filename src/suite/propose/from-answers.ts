// What good runs have in common in what they said.
import { isEqual } from '../../base/equal.js'
import { isRecord } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { asText } from '../../base/text.js'
import type { AssertionSpec } from '../../model/assertion.js'
import { leavesOf, withAt } from '../mutate/json-leaves.js'
import { factsIn } from '../mutate/text-facts.js'

/** `hasCalls`: of an agent that calls tools. */
export function answerCandidates(outputs: readonly unknown[], hasCalls = false): AssertionSpec[] {
  const values = outputs.map(dataIn)
  const isData = values.every((value) => isRecord(value) || Array.isArray(value))
  return isData
    ? dataCandidates(values, outputs)
    : textCandidates(
        outputs.map((output) => asText(output ?? '')),
        hasCalls,
      )
}

const MOST_FACTS = 12
const MOST_PATHS = 20

function textCandidates(texts: readonly string[], hasCalls: boolean): AssertionSpec[] {
  const [first = ''] = texts
  if (texts.some((text) => text.trim() === '')) return []
  const specs: AssertionSpec[] = []
  const facts = factsIn(first)
    .filter(({ kind, text }) => kind !== 'number' || /\d\D*\d/.test(text))
    .map(({ text }) => text)
  const common = [...new Set(facts)].filter((fact) => texts.every((text) => text.includes(fact))).slice(0, MOST_FACTS)
  if (common.length > 0) specs.push({ type: 'contains', value: common.length === 1 ? common[0] : common })
  // A single run of an agent that calls tools shows nothing about how it words things.
  const isLabel = first.length <= 40 && !hasCalls
  if (texts.every((text) => text === first) && (texts.length > 1 || isLabel))
    specs.push({ type: 'equals', value: first })
  const shortest = Math.min(...texts.map((text) => text.length))
  if (shortest >= 20) specs.push({ type: 'length', min: Math.floor(shortest * 0.6) })
  specs.push({ type: 'not_contains', value: REFUSALS, ignore_case: true })
  specs.push({ type: 'not_contains', value: 'You are a helpful assistant' })
  if (texts.every((text) => ENGLISH.test(text)))
    specs.push({ type: 'regex', value: String.raw`(?i)\b(the|is|are|you|your|to|of)\b` })
  return specs
}

const REFUSALS = ['able to help with that', "can't help", 'can’t help', 'cannot help']
const ENGLISH = /\b(the|is|are|you|your|to|of)\b/i

function dataIn(output: unknown): unknown {
  if (typeof output !== 'string') return output
  return /^\s*[[{]/.test(output) ? parseJson(output)?.value : undefined
}

function dataCandidates(values: readonly unknown[], outputs: readonly unknown[]): AssertionSpec[] {
  const [first] = values
  const specs: AssertionSpec[] = []
  if (values.every((value) => isEqual(value, first))) specs.push({ type: 'equals', value: first })
  specs.push({ type: 'schema', value: values.map((value) => schemaOf(value)).reduce(joined) })
  if (outputs.every((output) => typeof output === 'string')) specs.push({ type: 'regex', value: String.raw`^\s*[\[{]` })
  else specs.push({ type: 'type', value: Array.isArray(first) ? 'array' : 'object' })
  for (const { path, steps, leaf } of leavesOf(first).slice(0, MOST_PATHS)) {
    if (leaf === null || typeof leaf === 'object' || leaf === '') continue
    if (values.every((value) => isEqual(at(value, steps), leaf))) specs.push({ type: 'json_path', path, value: leaf })
  }
  return specs
}

function at(value: unknown, steps: ReadonlyArray<string | number>): unknown {
  let found: unknown
  withAt(value, steps, (old) => (found = old))
  return found
}

type Schema = Record<string, unknown>

function schemaOf(value: unknown, depth = 0): Schema {
  if (Array.isArray(value)) {
    const items = value.map((item) => schemaOf(item, depth + 1))
    return { type: 'array', ...(items.length > 0 && depth < 4 && { items: items.reduce(joined) }) }
  }
  if (!isRecord(value)) return { type: value === null ? 'null' : typeof value }
  if (depth >= 4) return { type: 'object' }
  const properties = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schemaOf(item, depth + 1)]))
  return { type: 'object', properties, required: Object.keys(value) }
}

/** What both allow. */
function joined(left: Schema, right: Schema): Schema {
  if (left['type'] !== right['type']) {
    const types = [...new Set([left['type'], right['type']].flat())]
    return { type: types }
  }
  const [properties, others] = [left['properties'], right['properties']] as Array<Record<string, Schema> | undefined>
  if (properties && others) {
    const required = (left['required'] as string[]).filter((key) => (right['required'] as string[]).includes(key))
    const keys = [...new Set([...Object.keys(properties), ...Object.keys(others)])]
    const both = keys.map((key) => {
      const [one, two] = [properties[key], others[key]]
      return [key, one && two ? joined(one, two) : (one ?? two)]
    })
    return { type: 'object', properties: Object.fromEntries(both), required }
  }
  const [items, otherItems] = [left['items'], right['items']] as Array<Schema | undefined>
  return { type: left['type'], ...(items && otherItems && { items: joined(items, otherItems) }) }
}
