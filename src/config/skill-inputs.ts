// What a skill is tested with where nobody says: the files of its own `evals` folder, those that are there.
import { join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { isFile } from '../files/stat.js'

/** What the agent must do, then when it must use the skill; both run. */
const NAMES = [
  'evals.json',
  ...['triggers', 'trigger-evals', 'trigger_evals', 'trigger-queries', 'trigger_queries'].flatMap((name) => [
    `${name}.json`,
    `${name}.jsonl`,
  ]),
]

/** `dir`: the folder of the skill, as given. Throws a UserError if there are none. */
export function skillInputs(dir: string, cwd: string): string[] {
  const found = NAMES.map((name) => join(dir, 'evals', name)).filter((path) => isFile(resolve(cwd, path)))
  if (found.length > 0) return found
  throw new UserError({
    code: 'NO_INPUT',
    message: `nothing to run: -i is missing, and ${join(dir, 'evals')} holds neither evals.json nor triggers.json`,
    hint: `give a case file with -i, or write ${join(dir, 'evals', 'evals.json')}: {"evals": [{"id": 1, "prompt": "…", "expectations": ["…"]}]}`,
  })
}
