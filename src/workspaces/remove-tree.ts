// Removes a folder whatever an agent has made of it. Links are removed, never followed.
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

// Something may still be writing there: what appears meanwhile is removed with the next try.
const AGAIN = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, AGAIN)
  } catch {
    await makeWritable(path)
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
