// What a package manager leaves in a repository: package.json, lock files, node_modules.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentOf } from '../files/inside.js'
import { isRecord } from '../base/record.js'
import { isFolder } from '../files/stat.js'
import { splitNul, type Git } from './git.js'

/** By lock file: the command that installs exactly what it says. */
export const LOCK_FILES: Record<string, string> = {
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install --frozen-lockfile',
  'bun.lock': 'bun install --frozen-lockfile',
  'bun.lockb': 'bun install --frozen-lockfile',
}

/** Folders with a package.json, relative to the root: a revision requires no others. */
export async function packageFolders(git: Git, root: string): Promise<string[]> {
  const listed = await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', MANIFESTS], {
    cwd: root,
  })
  return splitNul(listed)
    .map((path) => parentOf(path))
    .toSorted()
}

const MANIFESTS = ':(glob)**/package.json'

/** Undefined for one that is missing or cannot be read. */
export function readManifest(root: string, folder: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The nearest lock file, from a folder up to the root. */
export function lockFileFor(root: string, folder: string): string | undefined {
  for (let at = folder; ; at = parentOf(at)) {
    const name = Object.keys(LOCK_FILES).find((each) => readBytes(join(root, at, each)) !== undefined)
    if (name !== undefined) return join(at, name)
    if (at === '') return undefined
  }
}

export function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

export function hasModules(root: string, folder: string): boolean {
  return isFolder(join(root, folder, 'node_modules'))
}
