// `.jsonl`: the events themselves, including those of a newer version that this one does not know.
import type { Recording } from '../recording.js'

export async function* jsonl(recording: Recording): AsyncGenerator<string> {
  for await (const line of recording.lines?.() ?? linesOf(recording)) yield `${line}\n`
}

async function* linesOf(recording: Recording): AsyncGenerator<string> {
  for await (const event of recording.events()) yield JSON.stringify(event)
}
