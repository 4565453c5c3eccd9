// How to call this very Viva from a folder, so that printed commands work as typed.
import { realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { shellWord } from '../../base/shell-word.js'
import { isFile } from '../../files/stat.js'

/** The words before the arguments: `npx --no-install viva` if it is installed there, else `viva`, else its file. */
export function invocationFrom(dir: string, bin: string, path: string | undefined): string {
  const own = realOf(bin)
  const isOurs = (file: string): boolean => isFile(file) && realOf(file) === own
  if (above(dir).some((folder) => isOurs(join(folder, 'node_modules/.bin/viva')))) return 'npx --no-install viva'
  if (lasting(path).some((folder) => isOurs(join(folder, 'viva')))) return 'viva'
  return `node ${shellWord(own)}`
}

/** npm and npx put folders on the path that are gone when they end. */
function lasting(path = ''): string[] {
  return path.split(delimiter).filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin$/.test(folder))
}

function above(dir: string): string[] {
  return dirname(dir) === dir ? [dir] : [dir, ...above(dirname(dir))]
}

function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
