// The models that a project names, and its judges and simulators: each has a model that can be reached, or nobody answers.
import { join } from 'node:path'
import { findAgentDir, listAgentIds } from '../../agents/resolve-id.js'
import { isBareModel } from '../../agents/resolve-target.js'
import { plural } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord, readString } from '../../base/record.js'
import { describeModel } from '../../connectors/named-model.js'
import { parseModel } from '../../connectors/model-vendors.js'
import { openConnectors } from '../../connectors/registry.js'
import { UserError } from '../../errors.js'
import { openHttp } from '../../http/open-http.js'
import type { TestCase } from '../../model/case.js'
import { filesInFolder } from '../../pipeline/sources/case-files.js'
import { openSource } from '../../pipeline/sources/open-source.js'
import {
  askedHelpers,
  helperConnector,
  wordFor,
  type HelperSettings,
} from '../../run/helpers/require-helper-connector.js'
import { isBuiltinHelper } from '../../agents/helpers/built-in-ids.js'
import { readYao } from '../../agents/package/load/yao-file.js'
import { bad, good, note, type Finding } from './finding.js'

export interface CheckedModels {
  findings: Finding[]
  /** Origin → whose it is. */
  addresses: Map<string, string>
}

export async function checkModels(
  appRoot: string,
  settings: HelperSettings,
  env: NodeJS.ProcessEnv,
): Promise<CheckedModels> {
  const { config } = settings
  const asked = await helpersIn(appRoot, settings)
  const named = new Map<string, string>([
    ...(await namedModels(appRoot, settings)),
    ...asked.flatMap(({ id, whose }) => (id === undefined ? [] : [[id, whose] as const])),
  ])
  const addresses = new Map<string, string>()
  const findings: Finding[] = []
  const http = openHttp({ env })
  const connectors = openConnectors({ appRoot, config, env, http })
  try {
    for (const [id, whose] of named) {
      try {
        await connectors.get(id)
        const model = parseModel(id)
        if (model) addresses.set(new URL(String(describeModel(id, model, env).options['host'])).origin, whose)
        findings.push(good('model', `${id} (${whose})`))
      } catch (error) {
        const hint = error instanceof UserError ? error.hint : undefined
        findings.push(bad('model', `${whose}: ${messageOf(error)}`, hint ?? 'viva test would reject it too'))
      }
    }
  } finally {
    await http.close()
  }
  for (const { id, whose } of asked)
    if (id === undefined)
      findings.push(
        note('model', `${whose} has no model`, 'give --judge openai:MODEL with every run, or set helpers.connector'),
      )
  return { findings, addresses }
}

/** Connectors that need no file, or a helper, wherever the project names one. */
async function namedModels(
  appRoot: string,
  { config, variants, options }: HelperSettings,
): Promise<Map<string, string>> {
  const agents = Object.entries(config.agents ?? {}).map(([name, entry]) => ({
    name,
    target: typeof entry === 'string' ? entry : entry.target,
  }))
  const given: [id: string | undefined, whose: string][] = [
    ...agents.map(({ name, target }): [string, string] => [target, `agent ${name}`]),
    ...variants.map(({ target }): [string | undefined, string] => [target, 'agent']),
    ...variants.map(({ connector }): [string | undefined, string] => [connector, 'connector']),
    ...(await packageConnectors(appRoot)),
  ]
  const models = given.flatMap(([id, whose]) => (id !== undefined && isBareModel(id) ? [[id, whose] as const] : []))
  const helpers = [config.helpers?.connector, options.judge].flatMap((id) =>
    id === undefined || NEEDS_NO_MODEL.has(id) ? [] : [[id, 'helpers'] as const],
  )
  return new Map([...models, ...helpers])
}

/** Scripted answers: an agent has its own. */
const NEEDS_NO_MODEL = new Set(['mock', 'echo'])

async function packageConnectors(appRoot: string): Promise<[id: string | undefined, whose: string][]> {
  const found: [string | undefined, string][] = []
  for (const id of listAgentIds(appRoot)) {
    const dir = findAgentDir(appRoot, id)
    const source = dir === undefined ? undefined : await readYao(join(dir, 'package.yao'), [])
    const value = source?.value
    found.push([isRecord(value) ? readString(value['connector']) : undefined, `agent ${id}`])
  }
  return found
}

interface Asked {
  whose: string
  /** Of its connector. */
  id: string | undefined
}

/** What the cases of the project ask of built-in helpers, once for each connector. */
async function helpersIn(appRoot: string, settings: HelperSettings): Promise<Asked[]> {
  const found = new Map<string, Asked & { file: string; first: string; word: string; count: number }>()
  for (const file of caseFiles(appRoot)) {
    for await (const testCase of casesIn(file, appRoot)) {
      for (const { role, use, connector } of askedHelpers(testCase, settings.options)) {
        const id = connector ?? (isBuiltinHelper(use) ? helperConnector(role, settings) : undefined)
        if ((!isBuiltinHelper(use) && connector === undefined) || (id !== undefined && NEEDS_NO_MODEL.has(id))) continue
        const key = `${role} ${id ?? ''}`
        const known = found.get(key) ?? { whose: '', id, file, first: testCase.id, word: wordFor(role), count: 0 }
        found.set(key, { ...known, count: known.count + 1 })
      }
    }
  }
  return [...found.values()].map(({ id, file, first, word, count }) => ({
    id,
    whose: `${word} of ${first} in ${file}${count > 1 ? ` and ${plural(count - 1, 'more assertion')}` : ''}`,
  }))
}

/** Beyond that it is no longer a quick look. */
const MOST_FILES = 200

function caseFiles(appRoot: string): string[] {
  try {
    return filesInFolder('.', appRoot).slice(0, MOST_FILES)
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

/** A file that holds no cases is none of ours, and one with mistakes is reported when it is run. */
async function* casesIn(file: string, cwd: string): AsyncGenerator<TestCase> {
  try {
    const source = await openSource({ kind: 'file', value: file, files: [file], params: {} }, { cwd })
    try {
      for await (const batch of source.cases()) for (const { testCase } of batch) yield testCase
    } finally {
      await source.close()
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
}
