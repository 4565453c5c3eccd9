// JavaScript's own regular expressions (look-around, back-references): they may never end, so a thread runs them.
import { assertPatternLength, PatternError } from '../../base/regex.js'
import { messageOf } from '../../base/message-of.js'

/** Throws a PatternError. `(?i)`, `(?m)`, `(?s)` at the beginning are read as flags, as in the other engine. */
export function compileJsPattern(source: string): RegExp {
  assertPatternLength(source)
  const inline = /^\(\?([ims]+)\)/.exec(source)
  const flags = [...new Set(inline?.[1])].join('')
  const body = inline ? source.slice(inline[0].length) : source
  try {
    return new RegExp(body, flags)
  } catch (error) {
    throw new PatternError(messageOf(error))
  }
}
