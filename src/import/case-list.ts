// Suites that bring no agent of their own: where their cases, notes and the judge they may need go.
import { prettyJson } from '../base/json/pretty-json.js'
import {
  newImported,
  skipFor,
  type CheckSpec,
  type Imported,
  type ImportedCase,
  type ImportOptions,
  type Note,
  type Origin,
} from './imported.js'
import { addJudge, JUDGE } from './judge.js'
import { Slugs } from './slug.js'
import type { Source } from './source.js'

export class CaseList {
  readonly result: Imported
  readonly #ids = new Set<string>()
  readonly #slugs = new Slugs()

  readonly #checkSpec: CheckSpec

  constructor(format: string, { checkSpec }: Pick<ImportOptions, 'checkSpec'>) {
    this.result = newImported(format)
    this.#checkSpec = checkSpec
  }

  /** A free id: the given one, else one derived from it. */
  id(given: unknown, fallback: string): string {
    const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
    // eslint-disable-next-line no-control-regex
    const plain = text
      .replaceAll(/[\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]+/g, ' ')
      .trim()
      .slice(0, 120)
    let id = plain === '' ? fallback : plain
    for (let count = 2; this.#ids.has(id); count += 1) id = `${plain === '' ? fallback : plain}-${count}`
    this.#ids.add(id)
    return id
  }

  slug(text: string): string {
    return this.#slugs.take(text, 'case')
  }

  /** Assertions that no case could have are lost, and reported. */
  add(item: ImportedCase, given: Array<Omit<Note, 'case'>>, origin: Origin): void {
    const lost = this.#takeUnusable(item)
    const notes = [...given, ...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const }))].map(
      (note): Note => ({ ...note, case: item.id }),
    )
    skipFor(item, notes)
    this.result.cases.push(item)
    this.result.notes.push(...notes)
    const { asserts, judged } = countOf(item)
    this.result.deterministic.found += asserts + lost.length
    this.result.deterministic.carried += asserts
    this.result.judged.found += judged
    this.result.judged.carried += judged
  }

  #takeUnusable(item: ImportedCase): string[] {
    const turns = (item['turns'] ?? []) as Array<Record<string, unknown>>
    const lost: string[] = []
    for (const [holder, field] of [
      [item, 'assert'],
      [item, 'final_assertions'],
      ...turns.map((turn) => [turn, 'assert'] as const),
    ] as const) {
      const specs: unknown = holder[field]
      if (!Array.isArray(specs)) continue
      const kept = (specs as Array<Record<string, unknown>>).filter((spec) => {
        const problems = this.#checkSpec(spec)
        lost.push(...problems.slice(0, 1).map((problem) => `${String(spec['type'])}: ${problem}`))
        return problems.length === 0
      })
      if (kept.length > 0) holder[field] = kept
      else delete holder[field]
    }
    return lost
  }

  /** Something that applies to the whole file. */
  note(reason: string, origin: Origin): void {
    this.result.notes.push({ ...origin, reason, kind: 'note' })
  }

  /** Keys of the file that nothing reads: those of the author's own are listed, the others are lost to every case. */
  fileNotes(file: Source | undefined): Array<Omit<Note, 'case'>> {
    const own = file?.rest() ?? {}
    for (const key of Object.keys(own))
      this.result.notes.push({
        ...(file?.origin ?? { file: '', line: 1 }),
        reason: `the unknown key "${key}"`,
        kind: 'lost',
      })
    return (file?.unread() ?? []).map((unread) => ({ ...unread, kind: 'lost' as const }))
  }

  /** Of a record that is part of another: what nothing reads is listed. */
  lostIn(part: Source): void {
    this.result.notes.push(...part.unread().map((unread) => ({ ...unread, kind: 'lost' as const })))
  }

  finish(): Imported {
    const { files, judged, cases } = this.result
    // Who plays the user needs a model as well.
    if (judged.carried === 0 && !cases.some((item) => item['simulator'] !== undefined)) return this.result
    addJudge(files)
    files.set('viva.config.json', prettyJson(JUDGE))
    return this.result
  }
}

function countOf(item: ImportedCase): { asserts: number; judged: number } {
  const turns = (item['turns'] ?? []) as Array<{ assert?: unknown }>
  const lists = [item['assert'], item['final_assertions'], ...turns.map((turn) => turn.assert)]
  const specs = lists.flatMap((list) => (Array.isArray(list) ? (list as Array<{ type?: unknown }>) : []))
  const judged = specs.filter(({ type }) => type === 'agent' || type === 'rubric').length
  const others = [item['expected'], item['expect_tool']].filter((value) => value !== undefined).length
  return { asserts: specs.length - judged + others, judged }
}
