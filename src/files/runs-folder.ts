// Where event files go in a project that has a `.viva` folder.
import { join } from 'node:path'
import { isFolder } from './stat.js'

export function runsFolder(appRoot: string): string {
  return join(appRoot, '.viva', 'runs')
}

/** A project that has the folder wants its event files there, and its other folders clean. */
export function hasVivaFolder(appRoot: string): boolean {
  return isFolder(join(appRoot, '.viva'))
}
