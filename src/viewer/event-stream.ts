// Messages to one client as server-sent events. The next message is built once the last one was taken.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

export async function streamMessages(
  response: ServerResponse,
  messages: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for await (const message of messages(gone.signal)) {
    if (gone.signal.aborted) break
    const free = response.write(`data: ${JSON.stringify(message)}\n\n`)
    // A client that does not read pauses its own stream here: nothing piles up for it.
    if (!free) await once(response, 'drain', { signal: gone.signal }).catch(() => undefined)
  }
  response.end()
}
