// A result that is not marked as an error and reads like one.
import { constants } from 'node:os'
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
  return BEGINS_LIKE_ONE.test(text) || SYSTEM_ERROR.test(text) || IS_LACKING.test(text) || isErrorPage(text)
    ? text
    : undefined
}

const BEGINS_LIKE_ONE =
  /^[^\p{L}]{0,5}(?:\w*(?:error|exception)\b|traceback \(most recent|fatal:|(?:invalid|missing|bad) (?:arguments?|parameters?|params?|input|request|type|required)|failed to |failure:|(?:cannot|can't|could not|unable to) |(?:unknown|unexpected) (?:argument|parameter|property|type)|(?:argument |input )?validation (?:failed|error))/iu

/** `ENOENT: no such file or directory` */
const SYSTEM_ERROR = new RegExp(`^(?:${Object.keys(constants.errno).join('|')}): `)
/** `"name" is required`, and no more than that sentence. */
const IS_LACKING = /^["'`]?[\w.]+["'`]? is (?:required|missing|a required \w+)\.?$/i

/** What a web server sends with a status of 400 or more. */
function isErrorPage(text: string): boolean {
  if (!/^<(?:!doctype html|html)\b/i.test(text)) return false
  return /<(?:title|h1)>\s*(?:[45]\d\d\b|(?:internal server |http )?error\b|bad request|not found|forbidden)/i.test(
    text,
  )
}

/** `error` or `errors` with something in it, or an outright `success: false`, and no more than what goes with it. */
function isErrorObject(value: Record<string, unknown>): boolean {
  const { error, errors, success, ok, status, statusCode, message, title } = value
  const isNamed = typeof error === 'string' ? error !== '' : isRecord(error) || error === true
  const areListed = Array.isArray(errors) && errors.length > 0
  const isDenied = success === false || ok === false || status === 'error' || status === 'failed'
  const isStatus =
    typeof (message ?? title) === 'string' &&
    [status, statusCode].some((code) => typeof code === 'number' && code >= 400 && code < 600)
  return (isNamed || areListed || isDenied || isStatus) && Object.keys(value).length <= 6
}

/** The text parts of a result, one after the other. */
export function textOf({ content }: Record<string, unknown>): string {
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (isRecord(part) ? (readString(part['text']) ?? []) : [])).join('\n')
}
