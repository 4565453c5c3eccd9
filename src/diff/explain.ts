// Errors of a side in the words of the person who asked: revisions and paths in the repository, not our temporary folders.
import type { Problem, UserError } from '../errors.js'
import { shortCommit } from '../revisions/repository.js'
import type { DiffSide } from './sides.js'

/** `main:agent.ts`, as git writes it. */
function inWordsOf(sides: readonly DiffSide[], text: string): string {
  return sides.reduce((words, { root, name }) => words.replaceAll(`${root}/`, `${name}:`).replaceAll(root, name), text)
}

export function explained(error: UserError, sides: readonly DiffSide[]): UserError {
  const words = (text: string): string => inWordsOf(sides, text)
  return error.as({
    message: words(error.reason),
    hint: error.hint === undefined ? undefined : words(error.hint),
    problems: error.problems.map((problem): Problem => ({
      ...problem,
      message: words(problem.message),
      ...(problem.file !== undefined && { file: words(problem.file) }),
      ...(problem.hint !== undefined && { hint: words(problem.hint) }),
    })),
  })
}

/** The near miss, if the hint names one. */
export function nearOf(hint = ''): string {
  const [near] = /did you mean [^?]*\?/.exec(hint) ?? []
  return near === undefined ? '' : `${near} Or `
}

const ABSENT = new Set(['MODULE_NOT_FOUND', 'UNKNOWN_AGENT', 'NO_AGENT', 'COMMAND_NOT_FOUND', 'UNKNOWN_EXPORT'])

/** What is wrong with the agent of one side. */
export function explainedAgent(error: UserError, side: DiffSide): UserError {
  const at = `${side.name} (${shortCommit(side.revision)})`
  const known = explained(error, [side])
  const cannotCompare = `cannot compare: at ${at} ${known.reason}`
  if (ABSENT.has(error.code))
    return known.as({
      code: 'ABSENT_ON_ONE_SIDE',
      message: cannotCompare,
      hint: `${nearOf(known.hint)}the agent must exist in both revisions: compare with one that has it; --worktree includes uncommitted files, --link files that git ignores`,
    })
  const missing = /Cannot find (?:package|module)/.test(error.reason)
  return known.as({
    message: cannotCompare,
    hint: missing ? 'install its packages on each side: --setup "npm ci"' : known.hint,
  })
}
