// `viva cassette list | show | verify | redact | prune`: what a recording holds, which cases it still serves, and how to reduce it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { print } from '../say.js'
import { formatCount, plural } from '../../base/format.js'
import { visible } from '../../base/hidden.js'
import { asText, preview } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { MATCHING_RULES, type RecordedResponse } from '../../model/cassette.js'
import type { ResultEvent } from '../../model/event.js'
import type { RunOptions } from '../../config/options.js'
import { caseTitle } from '../../model/run-key.js'
import { pathTexts } from '../../model/redacted-path.js'
import { findAppRoot } from '../../files/app-root.js'
import { openCassettes } from '../../recordings/cassette-files.js'
import { pruneCassettes, redactCassettes } from '../../recordings/edit-cassettes.js'
import { keyOf, conversationOf } from '../../recordings/keys.js'
import { hashOf, Normaliser } from '../../recordings/normalise.js'
import type { WrittenInteraction } from '../../recordings/read-cassette.js'
import { bodyBytes } from '../../recordings/wire-response.js'
import { createRedactor } from '../../redact/redactor.js'
import { loadConfig } from '../../config/load-config.js'
import { secretsOf } from '../../config/known-secrets.js'
import { runTests } from '../../library/run-tests.js'
import type { CommandCall } from '../command.js'
import { textTable } from '../../base/text-table.js'

export async function cassette({ args, flags }: CommandCall): Promise<number> {
  const [what = '', path = '', id] = args
  const interactions = read(path)
  switch (what) {
    case 'list':
      return print(listOf(interactions))
    case 'show':
      return print(shown(id === undefined ? interactions : ofCase(interactions, id, path)))
    case 'verify':
      return verify(path, interactions, flags)
    case 'redact':
      return redact(path, flags)
    case 'prune':
      return prune(path, flags)
    default:
      throw unknownAction(what)
  }
}

function read(path: string): WrittenInteraction[] {
  const { cassettes } = openCassettes(resolve(path))
  if (cassettes.length > 0) return cassettes.flatMap(({ interactions }) => interactions)
  throw new UserError({
    code: 'NO_CASSETTE',
    message: `no such recording: ${path}`,
    hint: 'give the file or folder that --record wrote',
  })
}

function listOf(interactions: WrittenInteraction[]): string {
  const takes = new Map<string, WrittenInteraction[]>()
  for (const interaction of interactions) {
    const own = takes.get(conversationOf(interaction))
    if (own) own.push(interaction)
    else takes.set(conversationOf(interaction), [interaction])
  }
  const several = interactions.some(({ variant }) => variant !== undefined)
  const rows = [...takes.values()].map((own) => {
    const { case: id = '', variant = '', run = 1, attempt = 1 } = own[0] ?? {}
    const tokens = own.reduce((sum, { response }) => sum + Number(response['tokens'] ?? 0), 0)
    const hats = [...new Set(own.map(({ hat }) => hat))].join(', ')
    const name = id === '' ? '(all cases)' : preview(id, 60)
    const whose = several ? [preview(variant, 60)] : []
    return [name, ...whose, String(run), String(attempt), String(own.length), formatCount(tokens), preview(hats, 100)]
  })
  return textTable(['case', ...(several ? ['variant'] : []), 'run', 'attempt', 'interactions', 'tokens', 'who'], rows)
}

function ofCase(interactions: WrittenInteraction[], id: string, path: string): WrittenInteraction[] {
  const own = interactions.filter((interaction) => interaction.case === id)
  if (own.length > 0) return own
  throw new UserError({
    code: 'NO_MATCHING_CASE',
    message: `${path} has no recording of a case "${id}"`,
    hint: `viva cassette list ${path} lists the cases`,
  })
}

/** Each interaction with what is new in it since the one before, and the answer. */
function shown(interactions: WrittenInteraction[]): string {
  const seen = new Map<string, number>()
  return interactions
    .map((interaction) => {
      const { case: id, variant, run, attempt, hat, number, request, response } = interaction
      const key = keyOf(interaction, hat)
      const before = seen.get(key) ?? 0
      seen.set(key, request.messages.length)
      const place = `${caseTitle({ id, variant })}${run === 1 ? '' : ` run ${run}`}${attempt === 1 ? '' : ` attempt ${attempt}`}`
      const answer = response.error ? `${response.error.code}: ${response.error.message}` : answered(response)
      const calls = response['tool_calls'] === undefined ? [] : [`  calls ${JSON.stringify(response['tool_calls'])}`]
      return [
        `${number}  ${place}  ${hat}  (${response.duration_ms}ms)`,
        ...request.messages.slice(before).map((message) => `  > ${spoken(message)}`),
        `  < ${indented(answer)}`,
        ...calls,
        '',
      ]
        .map(visible)
        .join('\n')
    })
    .join('\n')
}

function answered(response: RecordedResponse): string {
  return response['chunks'] === undefined ? asText(response.output) : bodyBytes(response).toString()
}

function spoken(message: unknown): string {
  const { role, content } = (typeof message === 'object' && message !== null ? message : {}) as Record<string, unknown>
  return typeof role === 'string' ? `${role}: ${indented(asText(content))}` : asText(message)
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}

/** The file itself and, with `-i`, which cases it still answers: they are replayed, and nothing is called. */
async function verify(
  path: string,
  interactions: WrittenInteraction[],
  flags: Record<string, unknown>,
): Promise<number> {
  const edited = interactions.filter(({ request, prompt_hash }) =>
    MATCHING_RULES.every((rule) => hashOf(request, rule) !== prompt_hash),
  )
  for (const { file, line, hat } of edited)
    print(`✗ ${file}:${line}: the request (hat: ${hat}) is not the one its prompt_hash was made from\n`)
  if (flags['input'] === undefined) {
    print(`${plural(interactions.length, 'interaction')}, ${edited.length} edited in the request\n`)
    return edited.length > 0 ? 1 : 0
  }
  const runs = Math.max(1, ...interactions.map(({ run }) => run))
  const results = await replayed({ ...flags, replay: path, runs })
  const lost = results.filter(({ error }) => error?.includes(MISMATCH))
  for (const { id, run, variant, error = '' } of lost)
    print(
      `✗ [${preview(caseTitle({ id, variant }), 120)}]${runs === 1 ? '' : ` run ${run}`} ${visible(error.slice(error.indexOf(MISMATCH)))}\n\n`,
    )
  print(`${results.length - lost.length} of ${plural(results.length, 'result')} served by ${path}\n`)
  return lost.length > 0 || edited.length > 0 ? 1 : 0
}

const MISMATCH = 'Replay mismatch'

/** Hides in the files whatever today's project and environment say is secret, or changes from run to run. */
async function redact(path: string, flags: Record<string, unknown>): Promise<number> {
  const file = resolve(path)
  const { app } = flags
  const root = typeof app === 'string' ? resolve(app) : findAppRoot(dirname(file), resolve('.'))
  const { config } = await loadConfig(root)
  const known = secretsOf({ options: { pass_env: [] }, appRoot: root, config }, process.env)
  const { patterns = {}, paths } = config.redactions ?? {}
  const normaliser = new Normaliser({ secrets: createRedactor(known), patterns, paths: pathTexts(paths), root })
  const { count, files } = redactCassettes(file, normaliser)
  return print(`${plural(count, 'interaction')} redacted in ${plural(files.length, 'file')}\n`)
}

/** Replays the cases, and drops interactions that none of them asked for. */
async function prune(path: string, flags: Record<string, unknown>): Promise<number> {
  if (flags['input'] === undefined)
    throw new UserError({
      code: 'BAD_USAGE',
      message: 'prune needs the cases: what they do not ask for is dropped',
      hint: `viva cassette prune ${path} -i tests/inputs.jsonl`,
    })
  const interactions = read(path)
  const runs = Math.max(1, ...interactions.map(({ run }) => run))
  const unused = new Set<string>()
  const placeOf = ({ file, number }: WrittenInteraction): string => `${number}\0${file}`
  const results = await replayed({ ...flags, replay: path, runs }, (item) => unused.add(placeOf(item)))
  // What a case could not be answered from may be useful once it is recorded again.
  const lost = new Set(results.filter(({ error }) => error?.includes(MISMATCH)).map(({ id }) => id))
  if (lost.size > 0) print(`kept, since they are no longer served: ${preview([...lost].join(', '), 200)}\n`)
  const isDropped = (item: WrittenInteraction): boolean => unused.has(placeOf(item)) && !lost.has(item.case)
  for (const item of interactions.filter(isDropped))
    print(
      `${visible(`${item.file}:${item.line}  ${preview(caseTitle({ ...item, id: item.case }), 120)}  ${item.hat}`)}\n`,
    )
  const { count } = pruneCassettes(resolve(path), isDropped)
  return print(`${plural(count, 'interaction')} dropped, ${interactions.length - count} left\n`)
}

async function replayed(
  options: Partial<RunOptions>,
  onUnused?: (interaction: WrittenInteraction) => void,
): Promise<ResultEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-verify-'))
  const results: ResultEvent[] = []
  const collect = {
    name: 'verify',
    write: (event: { type: string }) => void (event.type === 'result' && results.push(event as ResultEvent)),
  }
  try {
    const onEach = (unused: WrittenInteraction[]): void => unused.forEach((item) => onUnused?.(item))
    await runTests({ ...options, output: [join(folder, 'events.jsonl')] }, { sinks: [collect], onUnused: onEach })
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function unknownAction(what: string): UserError {
  return new UserError({
    code: 'BAD_USAGE',
    message: `expected list, show, verify, redact or prune, found "${what}"`,
    hint: 'viva cassette list cassette.yaml',
  })
}
