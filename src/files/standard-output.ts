// The file that a shell writes our output to, as in `viva test > out.txt`.
import { fstatSync, type Stats } from 'node:fs'

export function isStandardOutput({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): boolean {
  return [1, 2].some((fd) => {
    try {
      const own = fstatSync(fd)
      return own.isFile() && own.dev === dev && own.ino === ino
    } catch {
      // Closed, or not ours.
      return false
    }
  })
}
