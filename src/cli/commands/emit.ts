// `viva emit`: an agent under an orchestrator publishes an event.
import { text } from 'node:stream/consumers'
import { emitEvent } from '../../orchestrator/emit-event.js'
import type { CommandCall } from '../command.js'

export async function emit({ args, flags }: CommandCall): Promise<number> {
  const [topic = '', given] = args
  const payload = given === '-' ? await text(process.stdin) : given
  const { target } = flags
  emitEvent(
    { topic, ...(payload !== undefined && { payload }), ...(typeof target === 'string' && { target }) },
    process.env,
  )
  return 0
}
