// Removes a folder whatever an agent has done to it. Links are removed, never followed.
import { randomBytes } from 'node:crypto'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

// Something may still be writing there: what appears meanwhile is removed on the next try.
const AGAIN = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, AGAIN)
  } catch {
    await makeWritable(path)
    await flatten(path)
    await rm(path, AGAIN)
  }
}

/** A folder without permissions cannot be emptied. */
async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isDirectory()) return
  await chmod(path, 0o700).catch(() => undefined)
  for (const name of await readdir(path).catch(() => [])) await makeWritable(join(path, name))
}

/** A tree may be so deep that no path reaches its end: each folder in it is moved up, then emptied. */
async function flatten(path: string): Promise<void> {
  if (!(await isFolder(path))) return
  const folders = await foldersIn(path)
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const inner of await foldersIn(folder)) {
      const moved = join(path, randomBytes(8).toString('hex'))
      await rename(inner, moved)
      // Out of reach until now, and perhaps locked.
      await chmod(moved, 0o700)
      folders.push(moved)
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
}
