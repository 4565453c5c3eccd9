// What the scripts of a package call, read from their source: agents they delegate to (`agent_id: 'shop.refunds'`), tools.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../../base/record.js'
import { listFiles } from './folder.js'

export interface ScriptCalls {
  delegates: string[]
  /** Some id is computed, or a file could not be parsed: there may be more. */
  isPartial: boolean
  /** `ctx.mcp` is used: they may call tools themselves. */
  callsTools: boolean
}

export async function findScriptCalls(dir: string): Promise<ScriptCalls> {
  const ids = new Set<string>()
  let isPartial = false
  let callsTools = false
  for (const file of listFiles(join(dir, 'src'), /(?<!_test)\.[cm]?[jt]s$/)) {
    const source = readFileSync(file, 'utf8')
    callsTools ||= /\.mcp\s*\.\s*(?:Call|List)/.test(source)
    if (!source.includes('agent_id')) continue
    const { parseSource } = await import('../../../scripts/compile/syntax-tree.js')
    const { body, error } = await parseSource(file, source)
    if (error) isPartial = true
    visit(body, (value) => {
      if (typeof value === 'string') ids.add(value)
      else isPartial = true
    })
  }
  return { delegates: [...ids].toSorted(), isPartial, callsTools }
}

/** Calls `found` with what every `agent_id` of an object is; undefined if it is not written out. */
function visit(node: unknown, found: (value: unknown) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, found)
  if (!isRecord(node)) return
  if (node['type'] === 'Property' && isNamed(node['key'])) {
    const value = node['value']
    found(isRecord(value) && value['type'] === 'Literal' ? value['value'] : undefined)
  }
  for (const part of Object.values(node)) if (typeof part === 'object') visit(part, found)
}

function isNamed(key: unknown): boolean {
  return isRecord(key) && (key['name'] === 'agent_id' || key['value'] === 'agent_id')
}
