// Opens the system's browser at an address that contains a key. The key must not show in the process list, so the
// browser gets a private file that leads there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile } from '../process/open-file.js'

/** Returns a function that removes the file again. A missing browser is not an error: the address is printed anyway. */
export async function openBrowser(url: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-view-'))
  const file = join(folder, 'open.html')
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>viva view</title>\n`, {
    mode: 0o600,
  })
  openFile(file)
  return () => rm(folder, { recursive: true, force: true })
}
