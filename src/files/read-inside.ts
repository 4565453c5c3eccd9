// Reads a text file that must lie inside a folder, after links are followed.
import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'

export async function readInside(root: string, path: string): Promise<string> {
  return readFile(await resolveInside(root, path), 'utf8')
}

export async function resolveInside(root: string, path: string): Promise<string> {
  const base = await realpath(root)
  const target = await realpath(resolve(base, path))
  if (!isInside(base, target)) throw new Error(`${path} lies outside ${root}`)
  return target
}

/** By component, never by prefix: /app-evil is not inside /app. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way))
}
