// Which processes are functions of scripts: `scripts.a.b.Fn`, and `agents.<id>.<module>.<Fn>` if there is such a file.
import { join } from 'node:path'
import { isFile } from '../../files/stat.js'
import { isNamePart, SCRIPT_ENDS } from './paths.js'
import { findAgent } from './resolve.js'

export function isScriptProcess(name: string, root: string): boolean {
  if (name.startsWith('scripts.')) return true
  if (!name.startsWith('agents.')) return false
  const parts = name.split('.').slice(1)
  if (!parts.every(isNamePart)) return false
  const agent = findAgent(parts, root)
  if (!agent || agent.rest.length < 2) return false
  const stem = join(agent.dir, 'src', ...agent.rest.slice(0, -1))
  return SCRIPT_ENDS.some((end) => isFile(stem + end))
}
