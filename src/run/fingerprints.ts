// The fingerprints of the cases of this run: as whom they ask, with which replaced tools, and what they attach.
import { hash } from 'node:crypto'
import { createFingerprints, type FingerprintOf } from '../model/fingerprint.js'
import { environmentOf, type Identity } from '../pipeline/plan/environment.js'
import type { Settings } from './settings.js'

export function fingerprintsFor({ appRoot, options, config }: Settings, identity: Identity): FingerprintOf {
  const { chat_id: _chat, ...file } = identity.file ?? {}
  return createFingerprints({
    as: { ...environmentOf(identity), file, tools: config.testing?.tools ?? {} },
    hashFile: async (url, dir) => {
      const { readAttachment } = await import('../pipeline/sources/attachment-source.js')
      const place = { dir, appRoot, allowOutside: options.allow_outside }
      // One that cannot be read is the case's own error, when it runs.
      const found = await readAttachment(url, place).catch(() => undefined)
      return found && hash('sha256', found.url)
    },
  })
}
