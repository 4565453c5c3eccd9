// `A..B`, `A...B`, `A --worktree` → the two sides of a diff, as git reads them.
import { UserError } from '../errors.js'

export interface Range {
  left: string
  /** Undefined: the working tree. */
  right: string | undefined
  /** The left side is the commit where the right one branched off. */
  fromMergeBase: boolean
}

export function parseRange(text: string, worktree: boolean): Range {
  const found = /^(.*?)(\.{2,})(.*)$/s.exec(text)
  const [, left = '', dots = '', right = ''] = found ?? [text, text]
  if (dots.length > 3) throw bad(`"${text}" has too many dots`)
  if (worktree) {
    if (dots !== '') throw bad(`--worktree compares one revision with the working tree, but "${text}" names two`)
    return { left: requireRef(left), right: undefined, fromMergeBase: false }
  }
  if (dots === '') throw bad(`"${text}" names one revision, but a diff needs two`)
  return { left: requireRef(left), right: requireRef(right), fromMergeBase: dots === '...' }
}

/** Git reads an empty one as HEAD. */
function requireRef(text: string): string {
  if (text === '') return 'HEAD'
  // Git judges everything else; this one it would take for an option.
  if (text.startsWith('-')) throw bad(`a revision does not begin with "-", found "${text}"`)
  if (/[\p{Cc}\s]/u.test(text)) throw bad(`a revision has no blanks and no control characters, found "${text}"`)
  return text
}

function bad(message: string): UserError {
  return new UserError({
    code: 'BAD_RANGE',
    message,
    hint: 'main..HEAD compares two revisions, main...HEAD takes the merge base on the left, main --worktree compares with the working tree',
  })
}
