// The processes that use a workspace: as long as one of them runs, it is not stale.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sortedEntries } from '../files/entries.js'
import { replaceFile } from '../files/replace-file.js'
import { currentHolder, isHolderAlive, readHolder, type Holder } from '../process/holder.js'
import type { Entry } from './registry.js'
import { stateOf } from './state.js'
import type { Place } from './place.js'

/** Marks this process as a user until it ends. Ended ones are forgotten. */
export function addUser(place: Place, entry: Entry): void {
  const folder = usersOf(place, entry)
  const own = currentHolder()
  replaceFile(join(folder, `${own.pid}.json`), JSON.stringify(own))
  for (const { file, holder } of users(folder)) if (!holder || !isHolderAlive(holder)) rmSync(file, { force: true })
}

export function isUsed(place: Place, entry: Entry): boolean {
  return users(usersOf(place, entry)).some(({ holder }) => holder !== undefined && isHolderAlive(holder))
}

function usersOf(place: Place, entry: Entry): string {
  return join(stateOf(place, entry), 'users')
}

function users(folder: string): Array<{ file: string; holder: Holder | undefined }> {
  return sortedEntries(folder)
    .filter(({ name }) => /^\d+\.json$/.test(name))
    .map(({ name }) => ({ file: join(folder, name), holder: readHolder(join(folder, name)) }))
}
