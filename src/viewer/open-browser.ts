// Starts the system's browser on an address that holds a key. The key must not show in the process list, so the
// browser is given a private file that leads there.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns what removes the file again. A missing browser is no error: the address is printed anyway. */
export async function openBrowser(url: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-view-'))
  const file = join(folder, 'open.html')
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>viva view</title>\n`, {
    mode: 0o600,
  })
  const [command, ...args] = opener(file)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return () => rm(folder, { recursive: true, force: true })
}

function opener(file: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', file]
  if (process.platform === 'win32') return ['explorer.exe', file]
  return ['xdg-open', file]
}
