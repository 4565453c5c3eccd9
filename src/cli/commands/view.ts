// `viva view`: the report in the browser, live.
import { dirname, join, resolve } from 'node:path'
import { untilSignal } from '../signals.js'
import { findAppRoot } from '../../files/app-root.js'
import type { Reruns } from '../../viewer/actions.js'
import type { CaseOpener } from '../../viewer/open-case.js'
import type { FleetSource } from '../../viewer/fleet.js'
import { serveViewer } from '../../viewer/serve.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { openExaminer } from '../examine-run.js'
import { judgedBeside } from '../judged-beside.js'
import type { CommandCall } from '../command.js'
import { stderr, stdout } from '../terminal.js'

export async function view({ args, flags }: CommandCall): Promise<number> {
  const events = resolve(await findEventFile(args[0] ?? '.', process.cwd()))
  const viewer = await serveViewer({
    events,
    historyDir: join(findAppRoot(dirname(join(events, 'x')), resolve('.')), '.viva', 'history'),
    ...(flags['port'] !== undefined && { port: Number(flags['port']) }),
    open: flags['open'] === true,
    judgedBeside,
    examine: openExaminer(),
    ...(await fleetOf(flags['queue'])),
    ...(flags['allow_run'] === true && (await rerunsHere())),
    ...(await openerHere()),
  })
  stdout.write(`${viewer.url}\n`)
  stderr.write('Press Ctrl-C to stop.\n')
  await untilSignal()
  await viewer.close()
  return 0
}

async function openerHere(): Promise<{ opener?: CaseOpener }> {
  const { findEditor } = await import('../../process/editor.js')
  const root = process.cwd()
  const editor = findEditor(process.env, root)
  return editor ? { opener: { editor, root } } : {}
}

async function rerunsHere(): Promise<{ reruns: Reruns }> {
  const { openReruns } = await import('../reruns.js')
  return { reruns: openReruns(findAppRoot(process.cwd(), process.cwd())) }
}

async function fleetOf(queue: unknown): Promise<{ fleet?: FleetSource }> {
  if (typeof queue !== 'string') return {}
  const { openFleetWatch } = await import('../../fleet/status.js')
  return { fleet: await openFleetWatch({ url: queue, env: process.env }) }
}
