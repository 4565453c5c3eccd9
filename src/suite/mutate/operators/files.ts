// What the agent leaves in its workspace.
import type { FileChange } from '../../../model/workspace.js'
import type { Conduct } from '../../conduct.js'
import { spread } from '../change.js'
import type { Operator } from '../operator.js'

const MOST = 8

export const fileMissing: Operator = {
  name: 'file missing',
  about: 'files',
  meaning: 'a file that users need is not there',
  *mutants({ conduct }) {
    for (const path of workOf(conduct)) {
      const { [path]: _gone, ...files } = conduct.files ?? {}
      yield { what: `${path} is missing`, conduct: { ...conduct, files, changes: without(conduct.changes, path) } }
    }
  },
}

export const fileEmpty: Operator = {
  name: 'file empty',
  about: 'files',
  meaning: 'a file that users need is empty',
  *mutants({ conduct }) {
    for (const path of workOf(conduct))
      if (conduct.files?.[path] !== '')
        yield { what: `${path} is empty`, conduct: { ...conduct, files: { ...conduct.files, [path]: '' } } }
  },
}

export const fileElsewhere: Operator = {
  name: 'changed elsewhere',
  about: 'files',
  meaning: 'a file is changed that should be left alone',
  *mutants({ conduct }) {
    if (!conduct.files) return
    const work = new Set(conduct.changes?.map(({ path }) => path))
    const untouched = Object.keys(conduct.files).filter((path) => !work.has(path))
    for (const path of untouched.length > 0 ? spread(untouched, MOST) : ['unwanted.txt']) {
      const before = conduct.files[path]
      if (before === null) continue
      const change: FileChange = {
        path,
        change: before === undefined ? 'added' : 'changed',
        additions: 1,
        deletions: 0,
      }
      yield {
        what: `${path} is ${change.change}, too`,
        conduct: {
          ...conduct,
          files: { ...conduct.files, [path]: `${before ?? ''}unwanted\n` },
          changes: [...(conduct.changes ?? []), change],
        },
      }
    }
  },
}

/** Files that it made or changed, as far as what is in them is known. */
function workOf({ files, changes }: Conduct): string[] {
  const made = changes?.filter(({ change }) => change !== 'deleted').map(({ path }) => path) ?? []
  return spread(
    made.filter((path) => typeof files?.[path] === 'string'),
    MOST,
  )
}

function without(changes: FileChange[] = [], path: string): FileChange[] {
  return changes.filter((change) => change.path !== path)
}
