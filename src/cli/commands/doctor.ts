// `viva doctor`: whether this machine and this project have what a run needs.
import { resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { createRedactor } from '../../redact/redactor.js'
import type { CommandCall } from '../command.js'
import { checkDisk, checkFolders, checkGit, checkNode, checkSpeed } from '../doctor/check-machine.js'
import { checkProject } from '../doctor/check-project.js'
import type { Finding } from '../doctor/finding.js'
import { plural } from '../../base/format.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { stdout } from '../terminal.js'

const MARKS: Record<Finding['state'], string> = { good: '✓', note: '!', bad: '✗' }

export async function doctor({ args, flags }: CommandCall): Promise<number> {
  const cwd = resolve(args[0] ?? '.')
  const appRoot = findAppRoot(cwd, cwd)
  const redactor = createRedactor({ env: process.env })
  const backends = (flags['backend'] ?? []) as string[]
  if (flags['try'] === true && backends.length === 0) throw nothingToTry()
  const findings = [
    checkNode(),
    ...checkFolders(appRoot, cwd),
    checkDisk(),
    await checkSpeed(),
    await checkGit(cwd),
    ...(await checkProject(appRoot, process.env)),
    ...(backends.length > 0
      ? await (await import('../doctor/check-backends.js')).checkBackends(backends, cwd, flags['try'] === true)
      : []),
  ].map((finding) => redactor.value(finding))
  const troubles = findings.filter(({ state }) => state === 'bad').length
  if (flags['json'] === true) stdout.json(prettyJson({ ok: troubles === 0, findings }))
  else stdout.write(findings.map(line).join(''))
  if (troubles > 0 && flags['json'] !== true) stdout.write(`\n${plural(troubles, 'problem')} found\n`)
  return troubles === 0 ? 0 : 1
}

function nothingToTry(): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--try' },
    message: 'needs --backend',
    hint: 'name what to try: viva doctor --backend claude --try',
  })
}

function line({ state, what, text, hint }: Finding): string {
  return `${MARKS[state]} ${what.padEnd(9)} ${text}\n${hint === undefined ? '' : `            → ${hint}\n`}`
}
