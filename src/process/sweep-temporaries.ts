// What killed processes have left half written.
import { join } from 'node:path'
import { entriesOf } from '../files/entries.js'
import { writerOf } from '../files/temporary.js'
import { removeQuietly } from './lock-file.js'
import { currentPlatform } from './platform/current.js'

export function sweepTemporaries(folders: Iterable<string>): void {
  for (const folder of new Set(folders))
    for (const entry of entriesOf(folder)) {
      const writer = entry.isFile() ? writerOf(entry.name) : undefined
      if (writer?.isThisHost && !currentPlatform.isRunning(writer.pid, undefined))
        removeQuietly(join(folder, entry.name))
    }
}
