// `-r` is looked up before the first case: that there is no such reporter must not be learned after a long run.
import { UserError } from '../errors.js'
import { isBuiltInReporter, REPORTERS } from '../pipeline/report/registry.js'
import { suggest } from '../util/suggest.js'
import type { Project } from './project.js'

export async function requireReporter(use: string, project: Project): Promise<void> {
  if (isBuiltInReporter(use) || /^scripts[:.]/.test(use)) return
  try {
    await (await project.agents()).resolveHelper(use.replace(/^agents:/, ''))
  } catch (error) {
    if (error instanceof UserError && error.code === 'UNKNOWN_AGENT') throw unknownReporter(use, error)
    throw error
  }
}

function unknownReporter(use: string, error: UserError): UserError {
  const builtIn = REPORTERS.map(({ name }) => `report.${name}`)
  const near = suggest(use, builtIn)
  return new UserError({
    code: 'UNKNOWN_REPORTER',
    message: `--reporter: ${near === undefined ? error.message : `no reporter called "${use}"; did you mean "${near}"?`}`,
    hint: `built in: ${builtIn.join(', ')}; or an agent: ${error.hint ?? ''}`,
  })
}
