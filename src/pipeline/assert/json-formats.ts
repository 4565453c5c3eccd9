// The formats of JSON Schema, each as what a text must be. A schema that asserts something is meant to be kept, `format` included.
import { compilePattern } from '../../base/regex.js'

/** By name; what is not here cannot be checked. */
export const JSON_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: (text) =>
    /^P(?:\d+W|(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && isUriText(text),
  'uri-reference': isUriText,
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  regex: isPattern,
}

/** Those that say how a number or a text is kept rather than what it is. */
export const NOTES: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password'])

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

function isTime(text: string): boolean {
  const [, hour, minute, second] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.exec(text) ?? []
  // 60 is a leap second.
  return hour !== undefined && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
}

function isDateTime(text: string): boolean {
  return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0))
  return (
    /^(?:"[^"\r\n]+"|[^\s"(),:;<>@[\\\]]+)$/u.test(name) && !/^\.|\.\.|\.$/.test(name) && isHostname(text.slice(at + 1))
  )
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.|$))+$/u.test(text) &&
    !text.endsWith('.')
  )
}

function isUriText(text: string): boolean {
  return !/[\s"<>\\^`{|}\p{Cc}]|%(?![\da-f]{2})/iu.test(text)
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text)
    return true
  } catch {
    return isJsPattern(text)
  }
}

function isJsPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
