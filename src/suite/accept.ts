// Puts an accepted assertion into its case file, and leaves everything else in the file as it was written.
import { extname } from 'node:path'
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { JsonlParser } from '../pipeline/sources/jsonl.js'
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

/** A case is a line, or several of them. */
async function inLines(text: string, pending: PendingAssertion): Promise<string> {
  const parser = new JsonlParser()
  const values = [...(await parser.feed({ text })), ...(await parser.end())]
  const found = values.find(({ value }) => isRecord(value) && value['id'] === pending.id)
  if (!found || !isRecord(found.value)) throw gone(pending)
  const lines = text.split('\n')
  const [first, count] = [found.line - 1, found.text.split('\n').length]
  const written = lines.slice(first, first + count).join('\n')
  const end = written.endsWith('\r') ? '\r' : ''
  const changed = withIt(found.value, pending)
  const now = count === 1 ? JSON.stringify(changed) + end : await edited(written, found.value, changed)
  return [...lines.slice(0, first), now, ...lines.slice(first + count)].join('\n')
}

/** JSON text with other members, and everything else in it as it was. */
async function edited(
  text: string,
  value: Record<string, unknown>,
  changed: Record<string, unknown>,
  place: Array<string | number> = [],
): Promise<string> {
  const { modify, applyEdits } = await import('jsonc-parser')
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  return Object.keys(changed)
    .filter((key) => changed[key] !== value[key])
    .reduce((now, key) => applyEdits(now, modify(now, [...place, key], changed[key], { formattingOptions })), text)
}

async function inJson(text: string, pending: PendingAssertion): Promise<string> {
  const { parse } = await import('jsonc-parser')
  const whole: unknown = parse(text)
  const listPath = Array.isArray(whole) ? [] : isRecord(whole) && Array.isArray(whole['cases']) ? ['cases'] : undefined
  const list = Array.isArray(whole) ? whole : isRecord(whole) ? whole['cases'] : undefined
  const at = Array.isArray(list) ? list.findIndex((each) => isRecord(each) && each['id'] === pending.id) : -1
  if (listPath === undefined || at < 0) throw gone(pending)
  const value = (list as unknown[])[at] as Record<string, unknown>
  return edited(text, value, withIt(value, pending), [...listPath, at])
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
