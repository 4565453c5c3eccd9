// `-r` and `--simulator` are looked up before the first case: a missing agent must not be discovered halfway.
import { UserError } from '../../errors.js'
import { isBuiltInReporter, REPORTERS } from '../../pipeline/report/registry.js'
import { suggest } from '../../base/suggest.js'
import { requireHelper, type LookupContext } from './require-helper.js'

export async function requireReporter(use: string, context: LookupContext): Promise<void> {
  if (isBuiltInReporter(use)) return
  try {
    await requireHelper(use, context)
  } catch (error) {
    if (error instanceof UserError && error.code === 'UNKNOWN_AGENT') throw unknownReporter(use, error)
    throw error instanceof UserError ? error.as({ subject: { flag: '--reporter' } }) : error
  }
}

export async function requireSimulator(use: string, context: LookupContext): Promise<void> {
  try {
    await requireHelper(use, context)
  } catch (error) {
    throw error instanceof UserError ? error.as({ subject: { flag: '--simulator' } }) : error
  }
}

function unknownReporter(use: string, error: UserError): UserError {
  const builtIn = REPORTERS.map(({ name }) => `report.${name}`)
  const near = suggest(use, builtIn)
  return error.as({
    code: 'UNKNOWN_REPORTER',
    subject: { flag: '--reporter' },
    ...(near !== undefined && { message: `no reporter called "${use}"; did you mean "${near}"?` }),
    hint: `built in: ${builtIn.join(', ')}; or an agent: ${error.hint ?? ''}`,
  })
}
