// Starts the system's browser on an address that holds a key. The key must not show in the process list, so the
// browser is given a private file that leads there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile } from '../process/open-file.js'

/** Returns what removes the file again. A missing browser is no error: the address is printed anyway. */
export async function openBrowser(url: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-view-'))
  const file = join(folder, 'open.html')
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>viva view</title>\n`, {
    mode: 0o600,
  })
  openFile(file)
  return () => rm(folder, { recursive: true, force: true })
}
