// `viva merge`: the event files of all shards → one run, and its reports.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { readEvents, recordingOf } from '../../pipeline/record/read-events.js'
import type { RunEvent, SummaryEvent } from '../../model/event.js'
import { reporterByName, reporterForPath } from '../../pipeline/report/registry.js'
import { writeChunks, writeReport } from '../../pipeline/report/write-report.js'
import { isEvents } from '../../run/outputs/is-events.js'
import { requireNotRead } from '../../files/same-file.js'
import { checkShards } from '../../merge/check-shards.js'
import { mergeShards } from '../../merge/merge-shards.js'
import { readShard, type ShardFile } from '../../merge/read-shard.js'
import type { CommandCall } from '../command.js'
import { bestEffort } from '../ending.js'
import { screenOf } from '../screen.js'
import { warn } from '../say.js'
import { stderr, stdout } from '../terminal.js'

export async function merge({ args, flags, color }: CommandCall): Promise<number> {
  const { output, reports } = await outputsOf((flags['output'] as string[] | undefined) ?? [])
  const files: ShardFile[] = []
  for (const path of args) {
    const shard = await readShard(path)
    if (shard) files.push(shard)
    // `*.jsonl` names the last merge, too.
    else if (resolve(path) !== resolve(output)) throw alreadyMerged(path)
  }
  const group = flags['run_group'] as string | undefined
  const checked = checkShards(files, {
    allow_missing: flags['allow_missing'] === true,
    ...(group !== undefined && { run_group: group }),
  })
  for (const text of [...checked.notes, ...checked.lacking]) warn(text)
  await requireReplaceable(output)
  requireNotRead(
    reports.map(({ path }) => path),
    [...args, output],
  )
  let summary: SummaryEvent | undefined
  const lines = async function* (): AsyncGenerator<string> {
    for await (const event of mergeShards(checked)) {
      if (event.type === 'summary') summary = event
      yield `${JSON.stringify(event)}\n`
    }
  }
  await writeChunks(output, lines())
  const screen = screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) })
  const recording = recordingOf(output)
  for (const { path, reporter } of reports) await writeReport(reporter, recording, path, screen)
  bestEffort()
  const console = await reporterByName('summary')
  for await (const text of console(recording, screen)) stdout.write(text)
  for (const path of [output, ...reports.map((report) => report.path)]) stderr.write(`Written: ${path}\n`)
  return summary?.exit_code ?? 3
}

/** One event file, and reports of it. */
async function outputsOf(paths: string[]) {
  const events = paths.filter((path) => isEvents(path))
  const [output] = events
  if (output === undefined || events.length > 1) throw oneEventFile()
  const others = paths.filter((path) => path !== output)
  // All formats are known before the first file is written.
  const reports = []
  for (const path of others) reports.push({ path, reporter: await reporterForPath(path) })
  return { output, reports }
}

/** Results are never overwritten; a merge can always be repeated. */
async function requireReplaceable(path: string): Promise<void> {
  if (!existsSync(path)) return
  const start = await firstEvent(path)
  if (start?.type === 'start' && start.merged_from) return
  throw new UserError({
    code: 'OUTPUT_EXISTS',
    message: `${path} holds the results of a run`,
    hint: 'give another name with -o',
  })
}

async function firstEvent(path: string): Promise<RunEvent | undefined> {
  for await (const event of readEvents(path)) return event
  return undefined
}

function oneEventFile(): UserError {
  return new UserError({
    code: 'NO_OUTPUT',
    subject: { flag: '-o' },
    message: 'name one event file for the whole run',
    hint: 'viva merge shard-*.jsonl -o run.jsonl -o report.html',
  })
}

function alreadyMerged(path: string): UserError {
  return new UserError({
    code: 'NOT_A_SHARD',
    message: `${path} is a run that was merged before`,
    hint: 'leave it out, or name it with -o to create it again',
  })
}
