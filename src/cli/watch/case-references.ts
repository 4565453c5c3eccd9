// The files that a case names: attachments, fixtures, scripts, agents that are modules.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findUpward } from '../../agents/resolve-id.js'
import { isRecord } from '../../base/record.js'
import { pathBelow } from '../../files/inside.js'
import { resolveFunction } from '../../scripts/compile/reference.js'
import type { Settings } from '../../run/settings.js'

const LONGEST = 500

/** Absolute. `dir`: of the case file. A name that refers to nothing existing is not a file. */
export async function caseReferences(value: unknown, settings: Settings, dir: string): Promise<string[]> {
  const found = new Set<string>()
  for (const text of textsOf(value)) for (const path of await pathsOf(text, settings, dir)) found.add(path)
  return [...found]
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (isRecord(value)) for (const item of Object.values(value)) yield* textsOf(item)
}

async function pathsOf(text: string, { appRoot, dir: start }: Settings, dir: string): Promise<string[]> {
  if (text.length > LONGEST || /\s/.test(text) || !/[./:]/.test(text)) return []
  const script = /^(?:scripts[.:]|agents\.)/.test(text) || /^[\w$-]+(?:\.[\w$-]+)+$/.test(text)
  if (script) {
    const agentDir = findUpward(dir).found
    const target = await resolveFunction(text.replace(/\?.*$/, ''), {
      root: appRoot,
      ...(agentDir !== undefined && { agentDir }),
    }).catch(() => undefined)
    if (target) return [target.file]
  }
  const isAttached = text.startsWith('file:')
  const path = isAttached ? fileOf(text) : text.replace(/#[\w$]*$/, '')
  if (path === '') return []
  const places = [dir, appRoot, start].map((folder) => resolve(folder, path))
  // A word of a conversation may be the name of an unrelated folder.
  const inProject = (place: string): boolean => [dir, appRoot].some((root) => Boolean(pathBelow(root, place)))
  const found = places.find((place) => existsSync(place) && (isAttached || inProject(place)))
  if (found !== undefined) return [found]
  // It may appear: the case fails until then.
  return isAttached ? places.slice(0, 1) : []
}

function fileOf(url: string): string {
  if (!url.startsWith('file:///')) return url.replace(/^file:(?:\/\/)?/, '')
  try {
    return fileURLToPath(url)
  } catch {
    return ''
  }
}
