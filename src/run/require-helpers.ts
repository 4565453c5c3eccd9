// `-r` and `--simulator` are looked up before the first case: that there is no such agent must not be learned on the way.
import { UserError } from '../errors.js'
import { isBuiltInReporter, REPORTERS } from '../pipeline/report/registry.js'
import { suggest } from '../base/suggest.js'
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

export async function requireSimulator(use: string, project: Project, dir: string): Promise<void> {
  if (/^scripts[:.]/.test(use)) return
  try {
    await (await project.agents()).resolveHelper(use, dir)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { code, message, hint } = error
    throw new UserError({ code, message: `--simulator: ${message}`, ...(hint !== undefined && { hint }), cause: error })
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
