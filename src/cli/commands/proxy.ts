// `viva proxy --record FILE -- command …`: records the model calls of any program, and replays them.
import { untilSignal } from '../signals.js'
import { plural } from '../../base/format.js'
import type { RecordingCounts } from '../../model/cassette.js'
import { PROVIDERS, FACTS } from '../../recordings/proxy/upstream.js'
import { prepareCommand, type RunningCommand } from '../../process/run-command.js'
import { dateNow } from '../../time/iso-now.js'
import { openProxy, type ProxyOptions } from '../../library/open-proxy.js'
import type { CommandCall } from '../command.js'
import { onSuddenEnd, useRedactor } from '../ending.js'
import { note, warn } from '../say.js'
import { stderr, stdout } from '../terminal.js'

export async function proxy({ args, flags }: CommandCall): Promise<number> {
  const options: ProxyOptions = { ...flags, ...(flags['port'] !== undefined && { port: Number(flags['port']) }) }
  const command = args.length > 0 ? prepareCommand(args, { cwd: process.cwd(), env: process.env }) : undefined
  const opened = await openProxy(options, {
    cwd: process.cwd(),
    env: process.env,
    now: dateNow,
    useRedactor,
    warn,
  })
  try {
    const code = await (command ? finished(command(opened.env)) : stopped(opened.url))
    const { counts, failures } = opened.finish()
    note(summaryOf(counts))
    // A program that survived an error has not run as it was recorded.
    return code === 0 && failures > 0 ? 1 : code
  } finally {
    await opened.close()
  }
}

async function finished(running: RunningCommand): Promise<number> {
  const spare = onSuddenEnd(() => running.signal('SIGKILL'))
  // The terminal sends Ctrl-C to the command too.
  const onInterrupt = (): void => {
    if (process.stdin.isTTY !== true) running.signal('SIGINT')
  }
  const pass = (signal: NodeJS.Signals): void => running.signal(signal)
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', pass)
  process.on('SIGHUP', pass)
  try {
    return await running.done
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', pass)
    process.off('SIGHUP', pass)
    spare()
  }
}

async function stopped(url: string): Promise<number> {
  for (const name of PROVIDERS) stdout.write(`${FACTS[name].variable}=${url}/${name}${FACTS[name].suffix}\n`)
  stderr.write('Press Ctrl-C to stop.\n')
  await untilSignal()
  return 0
}

function summaryOf({ recorded, replayed, passed_through, unused }: RecordingCounts): string {
  const parts = [
    `${plural(recorded, 'call')} recorded`,
    `${replayed} replayed`,
    ...(passed_through > 0 ? [`${passed_through} passed through`] : []),
    ...(unused > 0 ? [`${unused} recorded but not asked for`] : []),
  ]
  return parts.join(', ')
}
