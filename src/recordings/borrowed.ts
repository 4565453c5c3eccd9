// A recording as data, for running cases elsewhere: the files as they are, and the time that prompts state.
import { basename, join } from 'node:path'
import { bodiesOf } from './bodies.js'
import type { CassetteFiles } from './cassette-files.js'
import { parseCassette } from './read-cassette.js'

export interface BorrowedCassette {
  /** The name by which a user there knows it. */
  path: string
  isFolder: boolean
  /** In the order in which interactions are counted. */
  files: Array<{ name: string; text: string }>
  /** The files beside them, by name. */
  bodies: Record<string, string>
  /** The local time that prompts state, and its time zone. */
  clock: string
  timezone: string
  /** When the run began. */
  at: string
}

export function lendFiles({
  cassettes,
  isFolder,
}: CassetteFiles): Pick<BorrowedCassette, 'isFolder' | 'files' | 'bodies'> {
  return {
    isFolder,
    files: cassettes.map(({ path, text }) => ({ name: basename(path), text })),
    bodies: Object.fromEntries(cassettes.flatMap(({ path, text }) => [...bodiesOf(path, text)])),
  }
}

/** Read as if they were here; nothing can be written. */
export function openBorrowed({ path, isFolder, files, bodies }: BorrowedCassette): CassetteFiles {
  const pathOf = (name: string): string => (isFolder ? join(path, name) : path)
  return {
    base: path,
    isFolder,
    cassettes: files.map(({ name, text }) =>
      parseCassette(text, pathOf(name), (body) => {
        const content = bodies[body]
        return content === undefined ? { problem: `${body} is missing` } : { content }
      }),
    ),
    fileFor: () => path,
  }
}
