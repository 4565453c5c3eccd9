// A recording changed by a command: hides what is hidden today, removes what is no longer used.
import { existsSync } from 'node:fs'
import { isEqual } from '../base/equal.js'
import { UserError } from '../errors.js'
import type { Interaction, MatchingRule, RecordedResponse } from '../model/cassette.js'
import { lockFile } from '../process/lock-file.js'
import { openCassettes, prepareBase, type CassetteFiles } from './cassette-files.js'
import { unsavedFileOf } from './unsaved.js'
import { keyOf } from './keys.js'
import type { Normaliser } from './normalise.js'
import { parseCassette, type WrittenInteraction } from './read-cassette.js'
import { saveCassettes } from './save-cassettes.js'
import { leftOver } from './cassette-errors.js'
import { isWire, recordWire, wireOf } from './wire-response.js'
import type { Slot } from './write-cassette.js'

export interface Edited {
  /** Interactions that have changed. */
  count: number
  /** Files that have changed. */
  files: string[]
}

/** With today's secrets and patterns; what was hidden before stays hidden. */
export function redactCassettes(path: string, normaliser: Normaliser): Edited {
  return edit(
    path,
    (interactions, rules) =>
      interactions.map((kept) => redacted(kept, normaliser.by(rules.get(kept.file) ?? normaliser.matching))),
    normaliser,
  )
}

export function pruneCassettes(path: string, isDropped: (interaction: WrittenInteraction) => boolean): Edited {
  return edit(path, (interactions) => {
    const slots: Slot[] = []
    // The interaction after a dropped one was written as a delta to it.
    const orphans = new Set<string>()
    for (const kept of interactions) {
      const key = keyOf(kept, kept.hat)
      if (isDropped(kept)) orphans.add(key)
      else slots.push(orphans.delete(key) ? { written: kept, instead: kept } : { kept })
    }
    return slots
  })
}

/** `rules`: which one each file was made with. */
function edit(
  path: string,
  change: (interactions: WrittenInteraction[], rules: ReadonlyMap<string, MatchingRule>) => Slot[],
  normaliser?: Normaliser,
): Edited {
  const unlock = lockFile(prepareBase(path, ''), { flag: '' })
  try {
    const files = openCassettes(path)
    if (existsSync(unsavedFileOf(files.base))) throw leftOver(unsavedFileOf(files.base))
    const interactions = files.cassettes.flatMap((cassette) => cassette.interactions)
    const rules = new Map(files.cassettes.map(({ path: file, matching = 'older' }) => [file, matching] as const))
    const slots = change(interactions, rules)
    const changed = saveCassettes({
      files,
      slots,
      facts: (file) => factsOf(files, file),
      ...(normaliser && { finish: (text: string) => withoutSecrets(text, normaliser) }),
    })
    const kept = slots.filter((slot) => 'kept' in slot || isSame(slot.written, slot.instead)).length
    return { count: interactions.length - kept, files: changed }
  } finally {
    unlock()
  }
}

function redacted(kept: WrittenInteraction, normaliser: Normaliser): Slot {
  const request = normaliser.redacted(kept.request)
  const response = normaliser.response(asOne(kept.response, normaliser))
  if (isEqual(request, kept.request) && isEqual(response, kept.response)) return { kept }
  const { file: _file, number: _number, line: _line, ...interaction } = kept
  return { written: { ...interaction, request, response, prompt_hash: normaliser.hash(request) }, instead: kept }
}

/** What came over HTTP in pieces is read as a whole: a value may be spread over several. */
function asOne(response: RecordedResponse, normaliser: Normaliser): RecordedResponse {
  if (!isWire(response)) return response
  const { output: _output, chunks: _chunks, chunk_ms: _times, ...rest } = response
  const hide = (text: string): string => normaliser.responseText(text)
  return { ...rest, ...recordWire(wireOf(response), response.duration_ms, hide) }
}

function isSame(written: Interaction, instead: Interaction | undefined): boolean {
  return (
    instead !== undefined && isEqual(written.request, instead.request) && isEqual(written.response, instead.response)
  )
}

/** Comments are redacted too, although only people read them. */
function withoutSecrets(text: string, normaliser: Normaliser): string {
  const hidden = normaliser.hidden(text)
  if (hidden === text) return text
  const [before, after] = [text, hidden].map((each) => parseCassette(each, '').interactions)
  if (isEqual(before, after)) return hidden
  throw new UserError({
    code: 'BAD_CASSETTE',
    message: 'a comment contains a secret that cannot be removed without changing what is recorded',
    hint: 'remove the comment by hand',
  })
}

function factsOf({ cassettes }: CassetteFiles, file: string): ReturnType<Parameters<typeof saveCassettes>[0]['facts']> {
  const { text = '', agent = '', clock = '', timezone, matching } = cassettes.find(({ path }) => path === file) ?? {}
  return { agent, clock, timezone, matching, recorded: /^# recorded: (.*)$/m.exec(text)?.[1] ?? '' }
}
