// Puts an accepted assertion into its case file, and leaves everything else in the file as it was written.
import { extname } from 'node:path'
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { parseJson } from '../base/json/parse-json.js'
import type { PendingAssertion } from './pending.js'

/** The text of the case file with the assertion in it. Throws a UserError if the case is not there any more. */
export async function withAccepted(text: string, pending: PendingAssertion): Promise<string> {
  switch (extname(pending.file).toLowerCase()) {
    case '.json':
      return inJson(text, pending)
    case '.yaml':
    case '.yml':
      return inYaml(text, pending)
    case '.jsonl':
    case '.ndjson':
      return inLines(text, pending)
    default:
      throw new UserError({
        code: 'CANNOT_EDIT',
        message: `${pending.file}: assertions are added to .jsonl, .json and .yaml files only`,
        hint: `paste it by hand: ${JSON.stringify(pending.assertion)}`,
      })
  }
}

function inLines(text: string, pending: PendingAssertion): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => {
    const value = line.trim() === '' ? undefined : parseJson(line)?.value
    return isRecord(value) && value['id'] === pending.id
  })
  if (at < 0) throw gone(pending)
  const value = parseJson(lines[at] ?? '')?.value as Record<string, unknown>
  lines[at] = JSON.stringify(withIt(value, pending)) + (lines[at]?.endsWith('\r') ? '\r' : '')
  return lines.join('\n')
}

async function inJson(text: string, pending: PendingAssertion): Promise<string> {
  const { modify, applyEdits, parse } = await import('jsonc-parser')
  const whole: unknown = parse(text)
  const listPath = Array.isArray(whole) ? [] : isRecord(whole) && Array.isArray(whole['cases']) ? ['cases'] : undefined
  const list = Array.isArray(whole) ? whole : isRecord(whole) ? whole['cases'] : undefined
  const at = Array.isArray(list) ? list.findIndex((each) => isRecord(each) && each['id'] === pending.id) : -1
  if (listPath === undefined || at < 0) throw gone(pending)
  const value = (list as unknown[])[at] as Record<string, unknown>
  const changed = withIt(value, pending)
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  return Object.keys(changed)
    .filter((key) => changed[key] !== value[key])
    .reduce(
      (now, key) => applyEdits(now, modify(now, [...listPath, at, key], changed[key], { formattingOptions })),
      text,
    )
}

async function inYaml(text: string, pending: PendingAssertion): Promise<string> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const whole: unknown = document.toJS()
  const listPath = Array.isArray(whole) ? [] : ['cases']
  const list = Array.isArray(whole) ? whole : isRecord(whole) ? whole['cases'] : undefined
  const at = Array.isArray(list) ? list.findIndex((each) => isRecord(each) && each['id'] === pending.id) : -1
  if (at < 0) throw gone(pending)
  const value = (list as unknown[])[at] as Record<string, unknown>
  const changed = withIt(value, pending)
  for (const key of Object.keys(changed))
    if (changed[key] !== value[key]) document.setIn([...listPath, at, key], document.createNode(changed[key]))
  return document.toString({ lineWidth: 0 })
}

/** The case as written, with one more assertion. */
function withIt(value: Record<string, unknown>, { place, assertion }: PendingAssertion): Record<string, unknown> {
  const turn = /^turns\[(\d+)\]\.assert$/.exec(place)?.[1]
  if (turn !== undefined && Array.isArray(value['turns'])) {
    const turns = value['turns'].map((each: unknown, index) =>
      index === Number(turn) && isRecord(each) ? added(each, 'assert', assertion) : each,
    )
    return { ...value, turns }
  }
  if (place === 'final_assertions') return added(value, 'final_assertions', assertion)
  const compared = value['expected']
  const isCompared =
    value['assert'] === undefined && value['assertions'] === undefined && compared !== undefined && compared !== null
  // With assertions of its own, the case would no longer be compared with what it expects.
  return added(isCompared ? { ...value, assert: [{ type: 'equals', value: compared }] } : value, 'assert', assertion)
}

function added(value: Record<string, unknown>, key: string, assertion: unknown): Record<string, unknown> {
  const name =
    key === 'assert' && value['assertions'] !== undefined && value['assert'] === undefined ? 'assertions' : key
  const old = value[name]
  const list = old === undefined || old === null ? [] : Array.isArray(old) ? old : [old]
  return { ...value, [name]: [...list, assertion] }
}

function gone({ file, id }: PendingAssertion): UserError {
  return new UserError({
    code: 'NO_SUCH_CASE',
    message: `${file} has no case "${id}" any more`,
    hint: 'look for good assertions again: viva mine',
  })
}
