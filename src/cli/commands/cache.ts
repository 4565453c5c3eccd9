// `viva cache clear`: forgets what `viva test --cache` has kept.
import { resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { clearCache } from '../../recordings/cache.js'
import { cacheFolder } from '../../run/recording/cache.js'
import type { CommandCall } from '../command.js'

export async function cache({ args, flags }: CommandCall): Promise<number> {
  const [what = ''] = args
  if (what !== 'clear') throw unknownAction(what)
  const { app } = flags
  const here = resolve('.')
  const root = typeof app === 'string' ? resolve(app) : findAppRoot(here, here)
  const dir = cacheFolder(root)
  process.stdout.write(`${plural(clearCache(dir), 'answer')} forgotten in ${dir}\n`)
  return 0
}

function unknownAction(what: string): UserError {
  return new UserError({
    code: 'UNKNOWN_ACTION',
    message: `viva cache cannot "${what}"`,
    hint: 'viva cache clear forgets what models have answered',
  })
}
