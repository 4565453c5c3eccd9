// `--save-turns`: conversations a person led, as a case file that runs without one.
import { staticTurnsCase } from '../pipeline/execute/conversation/save-turns.js'
import type { Recording } from '../pipeline/report/recording.js'
import { writeChunks } from '../pipeline/report/write-report.js'

export async function saveTurns(recording: Recording, path: string): Promise<void> {
  await writeChunks(path, lines(recording))
}

async function* lines(recording: Recording): AsyncGenerator<string> {
  for await (const event of recording.events()) {
    if (event.type !== 'result') continue
    const written = staticTurnsCase(event)
    if (written) yield `${JSON.stringify(written)}\n`
  }
}
