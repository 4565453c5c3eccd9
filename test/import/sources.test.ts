// Every kind of file: recognised as itself and as nothing else, imported, run; and what is edited in it is never lost without a word.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRecord } from '../../src/base/record.js'
import { UserError } from '../../src/errors.js'
import { FORMATS } from '../../src/import/formats.js'
import { importFile } from '../../src/import/import-file.js'
import type { Imported } from '../../src/import/imported.js'
import { checkAssertion } from '../../src/pipeline/assert/compile.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { archive, SAMPLES, type Sample } from './samples.js'

const options = {
  expect: 'exact' as const,
  checkSpec: (spec: Record<string, unknown>): string[] => {
    const found = checkAssertion(spec, 'assert')
    return Array.isArray(found) ? found.map(({ message }) => message) : []
  },
}

const NAMES = Object.keys(SAMPLES)

function sampleOf(name: string): Sample {
  const sample = SAMPLES[name]
  if (!sample) throw new Error(`no sample of ${name}`)
  return sample
}

function textOf(file: string, content: unknown): string {
  if (typeof content === 'string') return content
  if (file.endsWith('.jsonl') && Array.isArray(content))
    return content.map((line) => `${JSON.stringify(line)}\n`).join('')
  return JSON.stringify(content, null, 2)
}

function folderOf({ file, content, beside = {} }: Sample): string {
  const all = Object.entries({ ...beside, [file]: content }).map(([path, value]) => [path, textOf(path, value)])
  return makeFolder(Object.fromEntries(all) as Record<string, string>)
}

test('there is a sample of every kind', () => {
  expect(NAMES.toSorted()).toEqual(FORMATS.map(({ id }) => id).toSorted())
})

test.each(NAMES)('%s: recognised by its content, imported, and accepted by the runner', async (name) => {
  const sample = sampleOf(name)
  const dir = folderOf(sample)
  const { cases, notes } = await importFile(join(dir, sample.file), options)
  const runnable = cases.filter((item) => item['skip'] !== true)
  expect([cases.length, runnable.length, notes.filter(({ kind }) => kind === 'lost')]).toEqual([...sample.cases, []])
  expect(
    (await viva(['import', sample.file, '-o', 'out', '--from', name, '--expect', 'exact'], { cwd: dir })).code,
  ).toBe(0)
  // Those of BFCL offer their tools to a model.
  const agent = name === 'promptfoo' ? [] : ['-n', name === 'bfcl' ? 'openai:m' : 'builtin:echo']
  const run = await viva(['test', '-i', 'out/tests', '--dry-run', ...agent], {
    cwd: dir,
    env: { OPENAI_API_KEY: 'none' },
  })
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('error') as string])
})

test.each(NAMES)('%s: another kind is not read as it, and the message says what the file is', async (name) => {
  const dir = folderOf(sampleOf(name))
  const path = join(dir, sampleOf(name).file)
  for (const { id } of FORMATS.filter((format) => format.id !== name)) {
    const error: unknown = await importFile(path, { ...options, from: id }).catch((problem: unknown) => problem)
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).message).toContain(
      `it looks like ${FORMATS.find((format) => format.id === name)?.label}`,
    )
  }
})

test('a kind that is not known is an error that lists all of them', async () => {
  const dir = makeFolder({ 'a.json': '{"hello": 1}' })
  const { code, stderr } = await viva(['import', 'a.json', '-o', 'out', '--from', 'excel'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('considered: promptfoo, tau-bench')])
})

test.each(NAMES)('%s: importing again changes nothing', async (name) => {
  const sample = sampleOf(name)
  const dir = folderOf(sample)
  const args = ['import', sample.file, '-o', 'out', '--force']
  await viva(args, { cwd: dir })
  const read = (): string[] =>
    ['tests/cases.jsonl', 'IMPORT.md'].map((file) => readFileSync(join(dir, 'out', file), 'utf8'))
  const first = read()
  await viva(args, { cwd: dir })
  expect(read()).toEqual(first)
})

test('logs of Inspect are archives; what Node cannot unpack is named', async () => {
  const { content } = sampleOf('inspect')
  const { samples, ...header } = content as { samples: object[] }
  const files = {
    'header.json': header,
    ...Object.fromEntries(samples.map((one, index) => [`samples/1_epoch_${index}.json`, one])),
  }
  const dir = makeFolder({})
  for (const method of ['deflate', 'store'] as const) {
    writeFileSync(join(dir, 'log.eval'), archive(files, method))
    const { cases } = await importFile(join(dir, 'log.eval'), options)
    expect(cases).toMatchObject([{ id: '1', input: 'Capital?', assert: [{ type: 'regex' }] }])
  }
  writeFileSync(join(dir, 'log.eval'), archive(files, 'zstd'))
  const error = (await importFile(join(dir, 'log.eval'), options).catch((problem: unknown) => problem)) as UserError
  expect(error.problems[0]?.message).toMatch(/Zstandard|zstd|Unknown frame|not JSON/i)
  writeFileSync(join(dir, 'log.eval'), archive(files).subarray(0, 200))
  await expect(importFile(join(dir, 'log.eval'), options)).rejects.toThrow(UserError)
})

const EDITS = 50

/** Recordings expect nothing: what is not known around what was said is listed, and skips no case. */
const RECORDINGS = new Set(['otlp', 'claude-code', 'codex', 'langsmith-runs', 'langfuse-traces'])

test.each(NAMES)('%s: 50 random edits, none lost without a word', async (name) => {
  const sample = sampleOf(name)
  const original = await outcome(sample)
  if (typeof original === 'string') throw new Error(original)
  const random = seeded(name)
  for (let index = 0; index < EDITS; index += 1) {
    const edit = edited(sample.content, random)
    const found = await outcome({ ...sample, content: edit.content })
    const what = `${edit.what}: ${JSON.stringify(edit.content)}`
    if (typeof found === 'string') continue
    if (edit.isDrop) continue
    expect(shown(found), `no trace of ${what}`).not.toEqual(shown(original))
    if (edit.key !== undefined) {
      const isKept = JSON.stringify([found.cases, found.notes, [...found.files.values()]]).includes(edit.key)
      expect(isKept, `not a word about ${what}`).toBe(true)
    }
    const isWeaker = found.cases.some(
      (item, at) => item['skip'] !== true && assertions(item) < assertions(original.cases[at]),
    )
    if (RECORDINGS.has(name)) continue
    expect(isWeaker, `weaker, and not skipped: ${what}`).toBe(false)
  }
})

async function outcome(sample: Sample): Promise<Imported | string> {
  try {
    return await importFile(join(folderOf(sample), sample.file), options)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.message
  }
}

function shown({ cases, notes, files }: Imported): unknown {
  return { cases, notes, files: [...files] }
}

function assertions(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + assertions(item), 0)
  if (!isRecord(value)) return 0
  const own = typeof value['type'] === 'string' ? 1 : 0
  return own + ['assert', 'final_assertions', 'turns'].reduce((sum, field) => sum + assertions(value[field]), 0)
}

interface Edit {
  what: string
  content: unknown
  /** A new key, of which something must be said. */
  key?: string
  /** What was dropped is not there any more: there is nothing to say about it. */
  isDrop?: true
}

type Random = (below: number) => number

function edited(content: unknown, random: Random): Edit {
  if (typeof content === 'string') return editedTable(content, random)
  const copy = structuredClone(content)
  const objects = objectsIn(copy)
  const at = objects[random(objects.length)] ?? {}
  const keys = Object.keys(at)
  const key = keys[random(keys.length)] ?? ''
  const value = at[key]
  switch (random(4)) {
    case 0: {
      const name = `zz_new_${random(1000)}`
      at[name] = 'something'
      return { what: `added ${name}`, content: copy, key: name }
    }
    case 1: {
      // Names that begin like this are the author's own, in every file.
      if (key.startsWith('_')) return edited(content, random)
      const name = `${key}zq`
      delete at[key]
      at[name] = value
      return { what: `renamed ${key}`, content: copy, key: name }
    }
    case 2:
      if (IDLE.test(key)) return edited(content, random)
      at[key] = typeof value === 'string' ? { changed: 17 } : typeof value === 'number' ? 'seventeen' : 17
      return { what: `changed the type of ${key}`, content: copy }
    default: {
      const lists = objects
        .flatMap((one) => Object.values(one))
        .filter((one): one is unknown[] => Array.isArray(one) && one.length > 1)
      const list = lists[random(lists.length)]
      if (!list) return edited(content, random)
      list.splice(random(list.length), 1)
      return { what: 'dropped an element', content: copy, isDrop: true }
    }
  }
}

/** A table has columns only: one is added, renamed or dropped. */
function editedTable(content: string, random: Random): Edit {
  const rows = content
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const at = random(rows[0]?.length ?? 1)
  const key = rows[0]?.[at] ?? ''
  const joined = (change: (row: string[], index: number) => string[]): string =>
    `${rows.map((row, index) => change(row, index).join(',')).join('\n')}\n`
  switch (random(3)) {
    case 0: {
      const name = `zz_new_${random(1000)}`
      return { what: `added ${name}`, content: joined((row, index) => [...row, index === 0 ? name : 'x']), key: name }
    }
    case 1: {
      const name = `${key}zq`
      return {
        what: `renamed ${key}`,
        content: joined((row, index) => (index === 0 ? row.with(at, name) : row)),
        key: name,
      }
    }
    default:
      return { what: `dropped ${key}`, content: joined((row) => row.toSpliced(at, 1)) }
  }
}

/** Not those inside free data: arguments, variables, metadata. */
function objectsIn(value: unknown): Array<Record<string, unknown>> {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isRecord(value)) return []
  const inner = Object.entries(value).filter(([key]) => !FREE.test(key))
  return [value, ...inner.flatMap(([, member]) => objectsIn(member))]
}

const FREE =
  /^(?:kwargs|arguments|args|input_parameters|vars|metadata|state|properties|parameters|function|inputs|outputs|scores|eval|session_input|reward_info|value|observations|input|output|expected|expectedOutput|item)$/

/** Keys whose values decide nothing: a name for people, a time, what the program was. */
const IDLE =
  /^(?:skill_name|timestamp|_xact_id|role|step_id|response|datasetName|uuid|sessionId|eval_set_id|version|id|call_id|tool_call_id|tool_use_id|name|traceId|spanId|startTimeUnixNano|key|trace_id|parent_run_id|task_id|trial|eval|scores|status|epoch|arguments|description|observations|function|session_id|user_id|reward|reward_info|metadata|persona)$/

/** Mulberry32, from the letters of a name: the same edits every time. */
function seeded(name: string): Random {
  let state = Array.from(name, (letter) => letter.charCodeAt(0)).reduce((sum, code) => (sum * 31 + code) | 0, 7)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * Math.max(1, below))
  }
}
