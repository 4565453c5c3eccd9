// `viva lint`: skills, MCP servers and agent packages, by rules and without a model.
import { extname, resolve } from 'node:path'
import { defined } from '../../base/defined.js'
import { plural } from '../../base/format.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { suggest } from '../../base/suggest.js'
import { secretsOf } from '../../config/known-secrets.js'
import { loadConfig, type LoadedConfig } from '../../config/load-config.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { isSameFile, outputTaken } from '../../files/same-file.js'
import { lintSubjects, type LintReport } from '../../lint/lint.js'
import { readSubjects } from '../../lint/read/read-subjects.js'
import { filesOf, type Subject } from '../../lint/subject.js'
import { RULES } from '../../lint/registry.js'
import { lintSarif } from '../../lint/report/sarif.js'
import { lintText } from '../../lint/report/text.js'
import { openHttp } from '../../http/open-http.js'
import { paint } from '../../pipeline/report/console/paint.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { Processes } from '../../process/processes.js'
import { createRedactor, type Redactor } from '../../redact/redactor.js'
import { version } from '../../version.js'
import type { CommandCall } from '../command.js'
import { useRedactor } from '../ending.js'
import { note, warn } from '../say.js'
import { screenOf } from '../screen.js'
import { listenForSignals } from '../signals.js'
import { listFlag } from '../suite-report.js'
import { stdout } from '../terminal.js'

type Format = 'text' | 'json' | 'sarif'

export async function lint({ args, flags, color }: CommandCall): Promise<number> {
  const cwd = process.cwd()
  const output = flags['output'] as string | undefined
  const format = formatOf(flags['format'] as Format | undefined, output)
  const appRoot = findAppRoot(cwd, cwd)
  const loaded = await loadConfig(appRoot)
  const disabled = disabledRules(listFlag(flags, 'disable'), loaded)
  const redactor = redactorFor(args, loaded, flags, appRoot)
  useRedactor(redactor)
  const found = await examine(args.length > 0 ? args : ['.'], loaded, flags, cwd)
  const report = redactor.value(lintSubjects(found, disabled))
  if (output === undefined) {
    const text = textOf(report, format, flags['notes'] === true, color)
    if (format === 'text') stdout.write(text)
    else stdout.json(text)
  } else {
    requireNotLinted(output, found, report, cwd)
    await writeText(output, textOf(report, format, flags['notes'] === true, false))
    note(`Report: ${output} (${plural(report.errors, 'error')}, ${plural(report.warnings, 'warning')})`)
  }
  return exitCode(report, flags['max_warnings'] as number | undefined)
}

/** A server may say anything that it was given. */
function redactorFor(
  targets: readonly string[],
  { config }: LoadedConfig,
  flags: CommandCall['flags'],
  appRoot: string,
): Redactor {
  const options = {
    pass_env: listFlag(flags, 'pass_env'),
    ...defined({ key_env: flags['key_env'] as string | undefined }),
  }
  const variants = targets.map((target) => ({ name: target, target }))
  return createRedactor(secretsOf({ options, appRoot, config, variants }, process.env))
}

async function examine(
  targets: string[],
  { config }: LoadedConfig,
  flags: CommandCall['flags'],
  cwd: string,
): Promise<Subject[]> {
  const { env } = process
  const signals = listenForSignals()
  const processes = new Processes({ env, cwd, warn })
  signals.useProcesses(processes)
  const http = openHttp({ env })
  try {
    return await readSubjects(targets, {
      cwd,
      config,
      keyEnv: flags['key_env'] as string | undefined,
      servers: { env, http, pass_env: listFlag(flags, 'pass_env'), processes },
      signal: signals.stop,
    })
  } finally {
    await processes.close()
    await http.close()
    signals.release()
  }
}

function textOf(report: LintReport, format: Format, notes: boolean, color: boolean | undefined): string {
  switch (format) {
    case 'json':
      return prettyJson({ format: 1, ...report })
    case 'sarif':
      return prettyJson(lintSarif(report, version()))
    case 'text': {
      const screen = screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) })
      const { red, yellow, dim, bold } = paint(screen.color)
      const paints = { error: red, warning: yellow, note: dim, dim, bold }
      return lintText(report, { notes, paint: (as, text) => paints[as](text) })
    }
  }
}

/** `--format` decides; else the extension of the file. */
function formatOf(given: Format | undefined, output: string | undefined): Format {
  if (given !== undefined || output === undefined) return given ?? 'text'
  const format = ({ '.sarif': 'sarif', '.json': 'json', '.txt': 'text' } as const)[extname(output).toLowerCase()]
  if (format) return format
  throw new UserError({
    code: 'UNKNOWN_FORMAT',
    message: `cannot tell the format of ${output} by its extension`,
    hint: 'use .txt, .json or .sarif, or give --format',
  })
}

function disabledRules(given: string[], { config, file = 'viva.config' }: LoadedConfig): Set<string> {
  const ids = RULES.map(({ id }) => id)
  const check = (id: string, subject: { flag: string } | { field: string; file: string }): void => {
    if (ids.includes(id)) return
    const near = suggest(id, ids)
    const hint = near === undefined ? 'viva lint --format json names the rule of each finding' : `did you mean ${near}?`
    throw new UserError({ code: 'UNKNOWN_RULE', subject, message: `there is no rule "${id}"`, hint })
  }
  const configured = config.lint?.disable ?? []
  for (const id of given) check(id, { flag: '--disable' })
  for (const id of configured) check(id, { field: 'lint.disable', file })
  return new Set([...given, ...configured])
}

function requireNotLinted(output: string, subjects: readonly Subject[], { findings }: LintReport, cwd: string): void {
  const read = [...subjects.flatMap(filesOf), ...findings.flatMap(({ file }) => file ?? [])]
  if (read.some((file) => isSameFile(resolve(cwd, file), resolve(cwd, output))))
    throw outputTaken('-o', output, 'it is one of the files that are linted')
}

function exitCode({ errors, warnings }: LintReport, most: number | undefined): number {
  if (most === undefined || warnings <= most) return errors > 0 ? 1 : 0
  note(`--max-warnings ${most}: there are ${warnings}`)
  return 1
}
