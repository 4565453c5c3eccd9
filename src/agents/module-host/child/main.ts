// Entry of a module agent's process: loads the module, then answers calls until Viva closes the channel.
import { installCapture } from './capture.js'
import { openChannel, send } from './channel.js'
import { describeExport, functionOf } from './agent-object.js'
import { abortCall, runCall } from './run-call.js'
import { running } from './running-call.js'

let module: Record<string, unknown> = {}
let file = ''

process.setSourceMapsEnabled(true)
process.on('uncaughtException', escaped)
process.on('unhandledRejection', escaped)
installCapture()
openChannel((message) => {
  switch (message.k) {
    case 'load':
      file = message.file
      void load(message.url)
      return
    case 'call':
      return runCall(message, functionOf(module[message.name], file), file)
    case 'abort':
      return abortCall(message)
  }
})

async function load(url: string): Promise<void> {
  try {
    module = (await import(url)) as Record<string, unknown>
    send(
      'loaded',
      0,
      Object.keys(module).flatMap((name) => describeExport(name, module[name]) ?? []),
    )
  } catch (error) {
    send('refused', 0, error instanceof Error ? error.message : String(error))
  }
}

/** Nothing waits for it: it is reported as an error of the run, and the agent continues. */
function escaped(thrown: unknown): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : `unhandled rejection: ${String(thrown)}`
  send('stray', running.getStore()?.id ?? 0, text)
}
