// `viva doctor`: whether this machine and this project have what a run needs.
import { resolve } from 'node:path'
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
  const findings = [
    checkNode(),
    ...checkFolders(appRoot, cwd),
    checkDisk(),
    await checkSpeed(),
    await checkGit(cwd),
    ...(await checkProject(appRoot, process.env)),
  ].map((finding) => redactor.value(finding))
  const troubles = findings.filter(({ state }) => state === 'bad').length
  if (flags['json'] === true) stdout.json(prettyJson({ ok: troubles === 0, findings }))
  else stdout.write(findings.map(line).join(''))
  if (troubles > 0 && flags['json'] !== true) stdout.write(`\n${plural(troubles, 'problem')} found\n`)
  return troubles === 0 ? 0 : 1
}

function line({ state, what, text, hint }: Finding): string {
  return `${MARKS[state]} ${what.padEnd(9)} ${text}\n${hint === undefined ? '' : `            → ${hint}\n`}`
}
