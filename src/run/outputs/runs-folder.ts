// Where event files go in a project that has a `.viva` folder.
import { join } from 'node:path'

export function runsFolder(appRoot: string): string {
  return join(appRoot, '.viva', 'runs')
}
