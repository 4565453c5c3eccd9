// Where event files go in a project that has a `.viva` folder.
import { join } from 'node:path'
import { namesIn } from './entries.js'
import { isFolder } from './stat.js'

export function runsFolder(appRoot: string): string {
  return join(appRoot, '.viva', 'runs')
}

/** A project with that folder wants its event files there, and its other folders clean. */
export function hasVivaFolder(appRoot: string): boolean {
  return isFolder(join(appRoot, '.viva'))
}

/** Only names that Viva generates: anything else there belongs to the user. */
const OWN_NAME = /^output-\d{14}(?:-\d+)?\.jsonl$/

export function ownEventFiles(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => OWN_NAME.test(name))
    .map((name) => join(folder, name))
}

/** Looking into every file takes time, so not every run does it. */
export function isPruningDue(count: number, keep: number): boolean {
  return count > keep && (count - keep) % Math.max(1, Math.floor(keep / 10)) === 0
}
