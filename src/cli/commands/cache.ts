// `viva cache clear`: deletes what `viva test --cache` has kept.
import { resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { findAppRoot } from '../../files/app-root.js'
import { clearCache } from '../../recordings/cache.js'
import { cacheFolder } from '../../interceptors/recording/cache.js'
import type { CommandCall } from '../command.js'
import { unknownAction } from '../unknown-action.js'
import { stdout } from '../terminal.js'

export async function cache({ args, flags }: CommandCall): Promise<number> {
  const [what = ''] = args
  if (what !== 'clear') throw unknownAction('cache', what, 'viva cache clear deletes what models have answered')
  const { app } = flags
  const here = resolve('.')
  const root = typeof app === 'string' ? resolve(app) : findAppRoot(here, here)
  const dir = cacheFolder(root)
  stdout.write(`${plural(clearCache(dir), 'answer')} deleted in ${dir}\n`)
  return 0
}
