// What a skill is tested with where nobody says: the files of its own `evals` folder, those that are there.
import { join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { sortedEntries } from '../files/entries.js'
import { isFile, isFolder } from '../files/stat.js'

/** What the agent must do. */
const EVALS = /^evals\.jsonl?$/
/** When it must use the skill: authors have many names for this file. */
const QUERIES = /^(?:triggers?(?:[-_](?:evals?|eval[-_]set|queries|cases|tests))?|eval[-_]queries)\.jsonl?$/

/** `dir`: the folder of the skill, as given. Evals first; both run. Throws a UserError if there are none. */
export function skillInputs(dir: string, cwd: string): string[] {
  const folder = join(dir, 'evals')
  const names = filesIn(resolve(cwd, folder))
  const found = [EVALS, QUERIES].flatMap((known) => names.filter((name) => known.test(name)))
  if (found.length > 0) return found.map((name) => join(folder, name))
  const others = names.filter((name) => /\.jsonl?$/.test(name)).map((name) => join(folder, name))
  throw new UserError({
    code: 'NO_INPUT',
    message: `nothing to run: -i is missing, and ${folder} holds neither evals.json nor triggers.json`,
    hint:
      others.length > 0
        ? `if the evals or queries are in one of its other files, name it: -i ${others.slice(0, 3).join(', -i ')}`
        : `give a case file with -i, or write ${join(folder, 'evals.json')}: {"evals": [{"id": 1, "prompt": "…", "expectations": ["…"]}]}`,
  })
}

function filesIn(folder: string): string[] {
  if (!isFolder(folder)) return []
  return sortedEntries(folder)
    .map(({ name }) => name)
    .filter((name) => isFile(join(folder, name)))
}
