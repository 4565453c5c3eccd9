// Globs over paths with slashes: `*`, `?`, `**`, `[a-z]`, `{a,b}`. Matched in linear time, whatever the pattern.
import { compilePattern } from './regex.js'

export type Matches = (path: string) => boolean

/** Throws a PatternError for a glob that cannot be read. `*` and `?` stay within one folder; dots are ordinary. */
export function compileGlob(glob: string): Matches {
  const pattern = compilePattern(`^(?:${toPattern(glob)})$`)
  return (path) => pattern.test(path)
}

function toPattern(glob: string): string {
  let result = ''
  let braces = 0
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at)
    const set = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(rest)
    if (rest.startsWith('**/') && isStartOfPart(glob, at)) {
      result += '(?:[^/]+/)*'
      at += 2
    } else if (rest.startsWith('**')) {
      result += '(?s:.*)'
      at += 1
    } else if (glob[at] === '*') result += '[^/]*'
    else if (glob[at] === '?') result += '[^/]'
    else if (set) {
      result += `[${set[1] === '' ? '' : '^/'}${escapeClass(set[2] ?? '')}]`
      at += set[0].length - 1
    } else if (glob[at] === '{' && closes(rest)) {
      braces += 1
      result += '(?:'
    } else if (glob[at] === '}' && braces > 0) {
      braces -= 1
      result += ')'
    } else if (glob[at] === ',' && braces > 0) result += '|'
    else result += escapeText(String.fromCodePoint(glob.codePointAt(at) ?? 0))
    if ((glob.codePointAt(at) ?? 0) > 0xffff) at += 1
  }
  return result
}

function isStartOfPart(glob: string, at: number): boolean {
  return at === 0 || '/{,'.includes(glob[at - 1] ?? '')
}

/** A brace that is never closed is an ordinary character. */
function closes(rest: string): boolean {
  let depth = 0
  for (const character of rest) {
    if (character === '{') depth += 1
    if (character === '}' && --depth === 0) return true
  }
  return false
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** `a-z` stays a range. */
function escapeClass(text: string): string {
  return text.replaceAll(/[\\^[\]&~]/g, '\\$&')
}
