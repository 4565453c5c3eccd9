// The application root: the folder with app.yao, else the one that holds assistants/, else the one with a
// viva.config file, else the agent's own, else the current folder.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isFolder } from './stat.js'

export const CONFIG_NAMES = ['ts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((end) => `viva.config.${end}`)

export function findAppRoot(from: string, fallback: string): string {
  const folders = upward(from)
  return (
    folders.find((dir) => existsSync(join(dir, 'app.yao'))) ??
    folders.find((dir) => basename(dir) !== 'assistants' && isFolder(join(dir, 'assistants'))) ??
    folders.find((dir) => CONFIG_NAMES.some((name) => existsSync(join(dir, name)))) ??
    folders.find((dir) => existsSync(join(dir, 'package.yao'))) ??
    fallback
  )
}

function upward(from: string): string[] {
  const folders: string[] = []
  for (let dir = from; ; dir = dirname(dir)) {
    folders.push(dir)
    if (dirname(dir) === dir) return folders
  }
}
