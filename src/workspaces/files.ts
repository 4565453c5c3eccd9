// Files of a workspace. An agent may have put links, devices and pipes there: nothing is read or written outside, and
// nothing but regular files is opened.
import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { messageOf } from '../base/message-of.js'
import { hasLoneSurrogate, partsOf, pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'
import { resolveInside } from '../files/inside.js'
import { liesInside, openedPath } from '../files/opened-path.js'
import type { FileReading } from '../model/workspace.js'
import { badPath, requireRelative } from './paths.js'
import { requireSame, type Workspace } from './workspace.js'

/** As much as a pattern searches. */
export const MAX_TEXT_BYTES = 1024 * 1024

type Root = Pick<Workspace, 'id' | 'path' | 'folder'>

/** Never throws for anything an agent has done: the result says so. */
export async function readWorkspaceFile(root: Root, path: string, limit = MAX_TEXT_BYTES): Promise<FileReading> {
  const problem = pathProblem(path)
  if (problem !== undefined) return { kind: 'refused', why: badPath(path, problem).message }
  requireSame(root)
  const named = join(root.path, ...partsOf(path))
  const real = resolveInside(root.path, named)
  if (real === undefined) return outside(path)
  // Never a device or a pipe: opening one may block forever.
  const before = await lstat(real).catch(nothing)
  if (!before) return { kind: 'missing' }
  if (before.isDirectory()) return { kind: 'folder' }
  if (!before.isFile()) return { kind: 'refused', why: `${path} is not a regular file` }
  let handle: FileHandle
  try {
    handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { kind: 'missing' } : unreadable(path, error)
  }
  try {
    const opened = await handle.stat()
    // What was opened is still inside: no folder on the way was swapped for a link.
    const now = resolveInside(root.path, named)
    const found = now === undefined ? undefined : await stat(now).catch(nothing)
    if (!opened.isFile() || found?.ino !== opened.ino || found.dev !== opened.dev) return outside(path)
    if (liesInside(handle.fd, root.path) === false) return outside(path)
    if (opened.size > limit) return { kind: 'too_big', bytes: opened.size, limit }
    return textOf(await readAtMost(handle, limit), limit)
  } catch (error) {
    return unreadable(path, error)
  } finally {
    await handle.close()
  }
}

/** Writes files whose paths were checked, never through a link. An existing file is replaced. */
export async function writeWorkspaceFiles(
  root: Root,
  files: Readonly<Record<string, string | Uint8Array | null>>,
): Promise<void> {
  const all = Object.keys(files).map((path) => ({ path, parts: requireRelative(path), content: files[path] ?? null }))
  for (const { path, content } of all) if (content !== null) requireContent(path, content)
  requireSame(root)
  for (const { path, parts, content } of all) {
    if (content === null) await removeOne(root, parts)
    else await writeOne(root, path, parts, content)
  }
}

/** Where a file is or would be, with its folders created. Throws a UserError if a link is on the way. */
export async function placeOf(root: Root, path: string): Promise<string> {
  const parts = requireRelative(path)
  requireSame(root)
  return join(await makeFolderFor(root, path, parts.slice(0, -1)), parts.at(-1) ?? '')
}

/** An unpaired surrogate would come back from the file as another character. */
function requireContent(path: string, content: unknown): void {
  if (content instanceof Uint8Array) return
  if (typeof content === 'string' && !hasLoneSurrogate(content)) return
  const found = typeof content === 'string' ? 'text that is not valid Unicode' : typeof content
  throw new UserError({
    code: 'BAD_FIXTURE',
    message: `the content of ${path} must be text, found ${content === null ? 'null' : found}`,
    hint: 'write JSON as a string, e.g. "{\\"port\\": 8080}"',
  })
}

async function writeOne(root: Root, path: string, parts: string[], content: string | Uint8Array): Promise<void> {
  const folder = await makeFolderFor(root, path, parts.slice(0, -1))
  const file = join(folder, parts.at(-1) ?? '')
  const there = await lstat(file).catch(nothing)
  if (there?.isDirectory()) throw badPath(path, 'there is a folder at this path')
  const temporary = join(folder, `.viva-${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeNew(root, path, temporary, content)
    // Replaces a link, too, instead of writing through it.
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Nothing is written before it is known where it goes. */
async function writeNew(root: Root, path: string, temporary: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(temporary, 'wx', 0o600)
  try {
    if (liesInside(handle.fd, root.path) === false) {
      // Empty, ours by its name, and by now perhaps out of reach of the path under which it was created.
      await rm(openedPath(handle.fd) ?? temporary, { force: true })
      throw badPath(path, 'it leads outside the workspace')
    }
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
}

async function removeOne(root: Root, parts: string[]): Promise<void> {
  const folder = resolveInside(root.path, join(root.path, ...parts.slice(0, -1)))
  // The link itself, if it is one.
  if (folder !== undefined) await rm(join(folder, parts.at(-1) ?? ''), { force: true })
}

async function makeFolderFor(root: Root, path: string, parts: string[]): Promise<string> {
  let folder = root.path
  for (const part of parts) {
    folder = join(folder, part)
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    const found = await lstat(folder)
    if (found.isSymbolicLink()) throw badPath(path, `${part} is a link, and nothing is written through links`)
    if (!found.isDirectory()) throw badPath(path, `${part} is a file, not a folder`)
  }
  if (resolveInside(root.path, folder) === undefined) throw badPath(path, 'it leads outside the workspace')
  return folder
}

async function readAtMost(handle: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // It may grow while it is being read.
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024)
    if (bytesRead === 0 || bytes > limit) return Buffer.concat(chunks)
    bytes += bytesRead
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

function textOf(content: Buffer, limit: number): FileReading {
  const bytes = content.length
  if (bytes > limit) return { kind: 'too_big', bytes, limit }
  if (!isUtf8(content) || content.includes(0)) return { kind: 'binary', bytes }
  return { kind: 'text', text: content.toString(), bytes }
}

function outside(path: string): FileReading {
  return { kind: 'refused', why: `${path} leads outside the workspace` }
}

function unreadable(path: string, error: unknown): FileReading {
  return { kind: 'refused', why: `${path} cannot be read: ${messageOf(error)}` }
}

function nothing(): undefined {
  return undefined
}
