// `viva report`: a finished run → any report format.
import { findEventFile } from '../../pipeline/record/find-events.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { reporterByName, reporterForPath } from '../../pipeline/report/registry.js'
import { writeReport } from '../../pipeline/report/write-report.js'
import { requireNotRead } from '../../files/same-file.js'
import { correctedRecording } from '../../pipeline/report/corrected-recording.js'
import type { CommandCall } from '../command.js'
import { judgedBeside } from '../judged-beside.js'
import { screenOf } from '../screen.js'
import { stderr, stdout } from '../terminal.js'

export async function report({ args, flags, color }: CommandCall): Promise<number> {
  const events = await findEventFile(args[0] ?? '', process.cwd())
  const recording = await correctedRecording(recordingOf(events), await judgedBeside(events, flags['labels']))
  const screen = screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) })
  const paths = (flags['output'] as string[] | undefined) ?? []
  requireNotRead(paths, [events])
  // All formats are known before the first file is written.
  const reporters = await Promise.all(paths.map((path) => reporterForPath(path)))
  for (const [index, path] of paths.entries()) {
    const reporter = reporters[index]
    if (!reporter) continue
    await writeReport(reporter, recording, path, screen)
    stderr.write(`Report: ${path}\n`)
  }
  if (paths.length > 0 && flags['format'] === undefined) return 0
  const reporter = await reporterByName((flags['format'] as string | undefined) ?? 'summary')
  for await (const text of reporter(recording, screen)) stdout.write(text)
  return 0
}
