// The fingerprints of the cases of this run: as whom they ask, with which replaced tools, and what they attach.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createFingerprints, type FingerprintOf } from '../model/fingerprint.js'
import { environmentOf, type Identity } from '../pipeline/plan/environment.js'
import type { Settings } from './settings.js'

export function fingerprintsFor({ appRoot, options, config }: Settings, identity: Identity): FingerprintOf {
  const { chat_id: _chat, ...file } = identity.file ?? {}
  const { tools = {} } = config.testing ?? {}
  return createFingerprints({
    as: {
      ...environmentOf(identity),
      file,
      tools: typeof tools === 'string' ? [tools, hashTools(tools, appRoot)] : tools,
    },
    hashTools,
    hashFile: async (url, dir) => {
      const { readAttachment } = await import('../pipeline/sources/attachment-source.js')
      const place = { dir, appRoot, allowOutside: options.allow_outside }
      // One that cannot be read is the case's own error, when it runs.
      const found = await readAttachment(url, place).catch(() => undefined)
      return found && hash('sha256', found.url)
    },
  })
}

/** What it imports is not part of it. */
function hashTools(file: string, dir: string): string | undefined {
  try {
    return hash('sha256', readFileSync(resolve(dir, file), 'utf8'))
  } catch {
    // One that cannot be read is reported where the case is checked.
    return undefined
  }
}
