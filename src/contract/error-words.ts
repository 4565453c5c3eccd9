// A result that is not marked as an error and reads like one.
import { parseJson } from '../base/json/parse-json.js'
import { isRecord, readString } from '../base/record.js'

/** Longer texts are data, whatever they begin with. */
const LONGEST = 2000

/** What it says, if it reads like an error and nothing else. */
export function errorWords(result: Record<string, unknown>): string | undefined {
  const { structuredContent } = result
  if (isRecord(structuredContent) && isErrorObject(structuredContent)) return JSON.stringify(structuredContent)
  const text = textOf(result).trim()
  if (text === '' || text.length > LONGEST) return undefined
  const json = parseJson(text)
  if (json) return isRecord(json.value) && isErrorObject(json.value) ? text : undefined
  return BEGINS_LIKE_ONE.test(text) ? text : undefined
}

const BEGINS_LIKE_ONE =
  /^[^\p{L}]{0,5}(?:\w*(?:error|exception)\b|traceback \(most recent|fatal:|(?:invalid|missing|bad) (?:arguments?|parameters?|params?|input|request|type|required)|failed to |failure:|(?:cannot|can't|could not|unable to) |(?:unknown|unexpected) (?:argument|parameter|property|type)|(?:argument |input )?validation (?:failed|error))/iu

/** `error` or `errors` with something in it, or an outright `success: false`, and no more than what goes with it. */
function isErrorObject(value: Record<string, unknown>): boolean {
  const { error, errors, success, ok, status } = value
  const isNamed = typeof error === 'string' ? error !== '' : isRecord(error) || error === true
  const areListed = Array.isArray(errors) && errors.length > 0
  const isDenied = success === false || ok === false || status === 'error' || status === 'failed'
  return (isNamed || areListed || isDenied) && Object.keys(value).length <= 6
}

/** The text parts of a result, one after the other. */
export function textOf({ content }: Record<string, unknown>): string {
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (isRecord(part) ? (readString(part['text']) ?? []) : [])).join('\n')
}
