// `home` of an agent in the configuration: the files that its home folder begins with, in every workspace.
import { resolve } from 'node:path'
import { isFile } from '../files/stat.js'
import { UserError } from '../errors.js'
import type { Agent } from '../model/agent.js'
import type { WorkspaceCopy } from '../model/workspace.js'

export interface HomeContext {
  /** The base of relative paths. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/** Throws a UserError for a file that is not there: without it, the agent would not be set up. */
export function withHome(agent: Agent, files: Readonly<Record<string, string>>, { cwd, env }: HomeContext): Agent {
  const home = Object.entries(files).map(([to, given]): WorkspaceCopy => {
    const from = resolve(
      cwd,
      given.replace(/^~(?=[\\/])/, () => env['HOME'] ?? '~'),
    )
    if (!isFile(from)) throw noFile(to, given)
    return { from, to }
  })
  return { ...agent, furnish: (spec) => spec && { ...spec, home } }
}

function noFile(to: string, given: string): UserError {
  return new UserError({
    code: 'BAD_CONFIG',
    message: `home: there is no file ${given}, which is to be ${to} in the home folder of the agent`,
    hint: 'paths are relative to the configuration; ~/ is your own home folder',
  })
}
