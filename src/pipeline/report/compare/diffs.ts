// Differences between outputs, read from the recordings again for the few cases that are shown.
import { caseTitle } from '../../../model/run-key.js'
import type { Recording } from '../recording.js'
import { visible } from '../../../base/hidden.js'
import { clipField, indented } from '../text.js'
import type { Pair } from './pair-up.js'
import type { OutputDiff } from './types.js'

const LONGEST = 100_000
const SHOWN = 4_000

export async function diffOutputs(pairs: readonly Pair[], before: Recording, after: Recording): Promise<OutputDiff[]> {
  if (pairs.length === 0) return []
  const old = await readOutputs(
    pairs.map(({ id, was }) => was ?? id),
    before,
  )
  const fresh = await readOutputs(
    pairs.map(({ id }) => id),
    after,
  )
  const { structuredPatch } = await import('diff')
  return pairs.flatMap(({ id, was }) => {
    const [from, to] = [old.get(was ?? id) ?? '', fresh.get(id) ?? '']
    const patch = structuredPatch('before', 'after', from, to, '', '', {
      context: 2,
      maxEditLength: 2_000,
      timeout: 500,
    })
    const lines = patch?.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith('\\')))
    // Too different for a diff in reasonable time: the two texts one after the other.
    const diff = lines ? lines.join('\n') : `${prefixed('-', from)}\n${prefixed('+', to)}`
    return [{ id, diff: clipField(visible(diff), SHOWN) }]
  })
}

async function readOutputs(ids: readonly string[], recording: Recording): Promise<Map<string, string>> {
  const wanted = new Set(ids)
  const outputs = new Map<string, string>()
  for await (const event of recording.events()) {
    if (event.type !== 'result' || event.output === undefined) continue
    const title = caseTitle(event)
    if (!wanted.has(title) || outputs.has(title)) continue
    outputs.set(title, `${indented(event.output).slice(0, LONGEST)}\n`)
    if (outputs.size === wanted.size) break
  }
  return outputs
}

function prefixed(mark: string, text: string): string {
  return clipField(text, SHOWN / 2)
    .split('\n')
    .map((line) => `${mark}${line}`)
    .join('\n')
}
