// `script`: a function of the user's judges the answer, or a check that ships with Viva.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import { isRecord, readNonEmpty } from '../../../base/record.js'
import { abridged, preview } from '../../../base/text.js'
import { SHIPPED_PREFIX, shippedCheckOf } from '../../../model/shipped-check.js'
import { doubtOptions } from '../closed-object.js'
import { defineAssertion, SpecError, type AssertServices, type Verdict } from '../define-assertion.js'
import { settingsFiles, shippedSettings, unknownCheck, type CheckSettings } from '../shipped-settings.js'

const ref = v.optional(v.pipe(v.string(), v.nonEmpty()))

export const script = defineAssertion({
  type: 'script',
  summary:
    'A script function gets (output, input, expected, {metadata, evidence, workspace}) and returns a boolean or {pass, message, score, expected, actual}',
  example: { type: 'script', script: 'scripts.test.Check' },
  on: 'helper',
  schema: v.object({
    script: ref,
    use: ref,
    options: v.optional(v.looseObject({ metadata: v.optional(v.record(v.string(), v.unknown())) })),
  }),

  compile(spec, context) {
    const { field } = context
    doubtOptions(spec.options, ['metadata'], context)
    if ((spec.script === undefined) === (spec.use === undefined)) {
      throw new SpecError(
        `${field}.script`,
        'give the function as script ("scripts.test.Check") or use ("scripts:tests.check")',
      )
    }
    const name = spec.script ?? spec.use ?? ''
    const metadata = metadataOf(name, spec, field)
    const isShipped = name.startsWith(SHIPPED_PREFIX)
    const files = isShipped ? settingsFiles(metadata) : []
    return async (evidence, services) => {
      const { output, input, expected } = evidence
      const sources = files.length > 0 && { sources: await readAll(files, services) }
      const workspace = isShipped ? undefined : await wholeWorkspace(services)
      const about = { metadata, evidence: plain(evidence), ...(workspace && { workspace }), ...sources }
      return readAnswer(name, await services.script(name, [output ?? null, input ?? null, expected ?? null, about]))
    }
  },
})

interface ScriptSpec {
  script?: string | undefined
  options?: { metadata?: CheckSettings | undefined } | undefined
  negate?: boolean
}

function metadataOf(name: string, { script: written, options, negate }: ScriptSpec, field: string): CheckSettings {
  const given = options?.metadata ?? {}
  if (/^scripts[.:]./.test(name)) return given
  const place = `${field}.${written === undefined ? 'use' : 'script'}`
  if (!name.startsWith(SHIPPED_PREFIX))
    throw new SpecError(place, `must begin with "scripts.", "scripts:" or "viva:", found "${name}"`)
  const check = shippedCheckOf(name)
  if (!check) throw unknownCheck(name.slice(SHIPPED_PREFIX.length), place)
  // `contains-json` looks for less where there must be none.
  if (negate === true) throw new SpecError(`${field}.negate`, 'does not apply; write "not": true in options.metadata')
  return shippedSettings(check, given, `${field}.options.metadata`)
}

async function readAll(files: string[], services: AssertServices): Promise<Record<string, string>> {
  if (!services.readFile) throw new Error(`${files.join(', ')} cannot be read here`)
  const texts: Record<string, string> = {}
  for (const file of files) texts[file] = await services.readFile(file)
  return texts
}

/** What a script gets of the text in a workspace; the rest is where `path` says. */
const MOST_TEXT = 4 * 1024 * 1024

interface WholeWorkspace {
  path: string | undefined
  /** Path → text. */
  files: Record<string, string>
  /** Not text, or more than there is room for. */
  left_out: string[]
}

async function wholeWorkspace({ workspace }: AssertServices): Promise<WholeWorkspace | undefined> {
  if (!workspace) return undefined
  const whole: WholeWorkspace = { path: workspace.path, files: {}, left_out: [] }
  let room = MOST_TEXT
  for (const [path, content] of Object.entries(await workspace.contents())) {
    if (typeof content !== 'string' || content.length > room) {
      whole.left_out.push(path)
      continue
    }
    room -= content.length
    Object.defineProperty(whole.files, path, { value: content, enumerable: true, configurable: true, writable: true })
  }
  return whole
}

/** The raw reply may hold anything; a script in another process gets data only. */
function plain(evidence: Evidence): Omit<Evidence, 'reply'> {
  const { reply: _reply, ...rest } = evidence
  return rest
}

function readAnswer(name: string, answer: unknown): Verdict {
  if (answer === true) return { passed: true }
  if (answer === false) return { passed: false, message: `${name} returned false` }
  if (!isRecord(answer)) return unusable(name, answer)
  const { pass, passed = pass, message, score, expected, actual } = answer
  if (typeof passed !== 'boolean' || (pass !== undefined && pass !== passed)) return unusable(name, answer)
  if (score !== undefined && score !== null && !Number.isFinite(score)) return unusable(name, answer)
  const text = readNonEmpty(message)
  return {
    passed,
    ...(text !== undefined && { message: text }),
    ...(text === undefined && !passed && { message: `${name} says it does not pass` }),
    ...(typeof score === 'number' && { score }),
    ...(!passed && expected !== undefined && { expected: abridged(expected) }),
    ...(!passed && actual !== undefined && { actual: abridged(actual) }),
  }
}

function unusable(name: string, answer: unknown): Verdict {
  const error = `${name} returned neither a boolean nor {pass, message, score}: ${preview(answer)}`
  return { passed: false, error, error_kind: 'script' }
}
