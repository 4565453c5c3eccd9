// Connector ids → connectors. `connectors/openai/gpt-4o.conn.yao` is `openai.gpt-4o`; an id never becomes a path.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AgentError, UserError } from '../errors.js'
import type { Completion, CompletionRequest, Connector } from '../model/connector.js'
import type { Usage } from '../model/message.js'
import type { Price, VivaConfig } from '../model/config.js'
import type { HttpClient } from '../http/types.js'
import type { Endpoint } from '../http/endpoints.js'
import { RetryBudget } from '../http/retry.js'
import type { Throttle } from '../http/throttle/throttle.js'
import { suggest } from '../base/suggest.js'
import { defined } from '../base/defined.js'
import { canonicalJson } from '../base/json/canonical-json.js'
import { isRecord, ownValue, readString } from '../base/record.js'
import { readConnectorFile } from './conn-file.js'
import { hostOption } from './host.js'
import { withWireTools } from './wire-tools.js'
import { CONNECTOR_KINDS } from './kinds.js'
import type { EnvValues } from './env-values.js'
import { parseModel, suggestModel } from './model-vendors.js'
import { describeModel } from './named-model.js'
import { costOf, type KnownPrice } from './price.js'
import { listPrice } from './prices.js'
import type { CallScript, ConnectorFile, ConnectorTools } from './types.js'

export interface ConnectorsInit {
  appRoot: string
  config?: Pick<VivaConfig, 'prices'>
  env: EnvValues
  http: HttpClient
  callScript?: CallScript
  /** First wait between tries; for tests. */
  retry_base_ms?: number
}

export interface ConnectorFrom {
  /** The folder of the calling agent: the connector `mock` answers from its `mock.yml`. */
  agentDir?: string
}

export interface Connectors {
  get(id: string, from?: ConnectorFrom): Promise<Connector>
  ids(): string[]
  /** Reads every connector file: from now on, writing to them changes nothing. */
  keep(): void
}

export function openConnectors(init: ConnectorsInit): Connectors {
  const opened = new Map<string, Promise<Connector>>()
  let files: Map<string, string> | undefined
  const texts = new Map<string, string>()
  const listed = (): Map<string, string> => (files ??= findConnectorFiles(init.appRoot))
  return {
    ids: () => [...listed().keys()],
    keep: () => {
      for (const path of listed().values()) texts.set(path, readFileSync(path, 'utf8'))
    },
    get(id, from = {}) {
      const key = `${id}\0${from.agentDir ?? ''}`
      const known = opened.get(key)
      if (known) return known
      const connector = openConnector(id, from, { files: listed(), texts }, init)
      opened.set(key, connector)
      return connector
    },
  }
}

/** Every connector file below `connectors/`, by id. */
export function findConnectorFiles(appRoot: string): Map<string, string> {
  const root = join(appRoot, 'connectors')
  const found = new Map<string, string>()
  if (!existsSync(root)) return found
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const match = /^(.+)\.conn\.(yao|json|jsonc)$/.exec(entry.name)
    if (!match || !entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const folder = relative(root, entry.parentPath)
    found.set([...folder.split(sep).filter(Boolean), match[1] ?? ''].join('.'), path)
  }
  return found
}

/** Paths by id, and what has already been read of them. */
interface KnownFiles {
  files: Map<string, string>
  texts: Map<string, string>
}

async function openConnector(
  id: string,
  from: ConnectorFrom,
  files: KnownFiles,
  init: ConnectorsInit,
): Promise<Connector> {
  const file = await requireConnectorFile(id, from, files, init)
  const kind = CONNECTOR_KINDS.find(({ type }) => type === file.type)
  if (!kind) throw new Error(`no connector type ${file.type}`)
  const tools: ConnectorTools = {
    appRoot: init.appRoot,
    env: init.env,
    http: init.http,
    budget: new RetryBudget(file.limits, init.http.sharePace?.(hostOf(file), readString(file.options['key']) ?? '')),
    ...defined({ callScript: init.callScript, retryBaseMs: init.retry_base_ms }),
  }
  const own = await (await kind.load())(file, tools)
  const connector = kind.isVendor ? withWireTools(own) : own
  const endpoint = init.http.endpoints.at(hostOf(file), readString(file.options['key']))
  const opened = shared(connector, tools.budget.throttle, endpoint, priceOf(file, init.config?.prices))
  return { ...opened, settings: settingsOf(file) }
}

/** With the key: another account may have other models, limits and data behind the same address. */
function settingsOf({ type, options, finish_reasons }: ConnectorFile): string {
  return createHash('sha256')
    .update(canonicalJson({ type, options, ...defined({ finish_reasons }) }))
    .digest('hex')
}

/** Which provider it talks to, as far as the file says. */
function hostOf(file: ConnectorFile): string {
  const { id, type, options } = file
  const host = readString(options[hostOption(file)]) ?? ''
  return URL.canParse(host) ? new URL(host).host : (DEFAULT_HOSTS[type] ?? readString(options['package']) ?? id)
}

const DEFAULT_HOSTS: Record<string, string> = {
  openai: 'api.openai.com',
  'openai-responses': 'api.openai.com',
  anthropic: 'api.anthropic.com',
  google: 'generativelanguage.googleapis.com',
}

/** The vendor's own address, if there is only one. */
export function defaultHost({ type }: ConnectorFile): URL | undefined {
  const host = DEFAULT_HOSTS[type]
  return host === undefined ? undefined : new URL(`https://${host}`)
}

/** What every type has in common: the limits, when to give up on its endpoint, and the price. */
function shared(
  connector: Connector,
  throttle: Throttle,
  endpoint: Endpoint,
  price: KnownPrice | undefined,
): Connector {
  const complete = async (request: CompletionRequest): Promise<Completion> => {
    const call = throttle.run(request, () => endpoint.call(() => connector.complete(request)))
    const completion = await call.catch((error: unknown) => {
      throw withCost(error, price)
    })
    throttle.used(completion.usage?.total_tokens ?? 0)
    return completion.cost_dollars === undefined ? { ...completion, ...costOf(completion.usage, price) } : completion
  }
  return { id: connector.id, type: connector.type, complete }
}

/** An answer that broke off is paid for as far as it came. */
function withCost(error: unknown, price: KnownPrice | undefined): unknown {
  const partial = error instanceof AgentError ? error.partial : undefined
  if (!isRecord(partial)) return error
  const cost = costOf(partial['usage'] as Usage | undefined, price)
  return cost.cost_dollars === undefined
    ? error
    : Object.assign(error as AgentError, { partial: { ...(partial as object), ...cost } })
}

function priceOf(file: ConnectorFile, prices: Record<string, Price> = {}): KnownPrice | undefined {
  const model = readString(file.options['model']) ?? ''
  const given = file.price ?? ownValue(prices, file.id) ?? ownValue(prices, model)
  if (given) return given
  // Faster or slower answers have prices of their own.
  const tier = file.options['service_tier'] ?? 'default'
  const listed = tier === 'default' || tier === 'auto' ? listPrice(hostOf(file), model) : undefined
  return listed && { ...listed, isEstimated: true }
}

async function requireConnectorFile(
  id: string,
  from: ConnectorFrom,
  { files, texts }: KnownFiles,
  init: ConnectorsInit,
): Promise<ConnectorFile> {
  const path = files.get(id)
  if (path !== undefined) {
    return readConnectorFile({
      id,
      path,
      appRoot: init.appRoot,
      env: init.env,
      ...defined({ agentDir: from.agentDir, text: texts.get(path) }),
    })
  }
  if (id === 'echo') return { id, type: 'echo', options: {}, limits: {}, folders: [] }
  if (id === 'mock') {
    const { findMockFile } = await import('./mock-file.js')
    const file = findMockFile(from.agentDir)
    return { id, type: 'mock', options: { file }, limits: {}, folders: [from.agentDir ?? init.appRoot] }
  }
  const named = parseModel(id)
  if (named) return describeModel(id, named, init.env)
  throw unknownConnector(id, [...files.keys()])
}

function unknownConnector(id: string, known: string[]): UserError {
  const near = suggestModel(id) ?? suggest(id, [...known, 'mock', 'echo'])
  const list = known.length > 0 ? `there are: ${known.toSorted().join(', ')}` : 'there is no file below connectors/'
  return new UserError({
    code: 'UNKNOWN_CONNECTOR',
    message: `unknown connector "${id}"`,
    hint: `${near ? `did you mean "${near}"? ` : ''}${list}; "mock", "echo" and models by their vendor, such as openai:MODEL, need no file`,
  })
}
