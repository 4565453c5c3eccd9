// A list of interceptors as one: each wraps the ones before it.
import type { AroundTools } from '../agents/package/tools/toolbox.js'
import type { AroundAgent } from '../agents/resolve.js'
import { messageOf } from '../base/message-of.js'
import type { Connectors } from '../connectors/registry.js'
import type { ResultEvent, RunEvent } from '../model/event.js'
import type { ModelCall } from '../model/model-call.js'
import type { CaseUnit } from '../model/plan.js'
import type { RunName } from '../model/run-key.js'
import type { ScriptHandlers } from '../model/script.js'
import type { Backend } from '../orchestrator/backends/backend.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { Ending, Finding, Interceptor, ToolboxCall } from './interceptor.js'

/** Hooks that no interceptor has are absent. */
export interface Interceptors extends Pick<
  Interceptor,
  'aroundAgent' | 'aroundTools' | 'aroundHttp' | 'scriptEnv' | 'coverage' | 'promptClock' | 'openSnapshots'
> {
  aroundConnectors(connectors: Connectors): Connectors
  aroundBackends?: (call: ModelCall) => (backend: Backend) => Backend
  processEnv: Record<string, string>
  isOffline: boolean
  sinks: EventSink[]
  requireAgent(id: string, variant: string | undefined): void
  ready(): Promise<void>
  begin(unit: CaseUnit): void
  settle(result: ResultEvent): ResultEvent
  add(event: RunEvent): void
  finish(ending: Ending): Promise<Required<Finding>>
  files(): string[]
  close(): Promise<void>
  /** Those that have something for workers. */
  lenders: string[]
  lend(name: string): Promise<unknown>
  /** By interceptor; undefined if there is nothing. */
  collect(own?: RunName): Shares | undefined
  take(shares: Shares, own?: RunName & { attempts?: number | undefined }): string[]
}

/** What a worker gives back, by interceptor. */
export type Shares = Record<string, unknown>

export function composeInterceptors(list: readonly Interceptor[]): Interceptors {
  const agents = list.flatMap(({ aroundAgent }) => aroundAgent ?? [])
  const connectors = list.flatMap(({ aroundConnector }) => aroundConnector ?? [])
  const tools = list.flatMap(({ aroundTools }) => aroundTools ?? [])
  const backends = list.flatMap(({ aroundBackend }) => aroundBackend ?? [])
  const https = list.flatMap(({ aroundHttp }) => aroundHttp ?? [])
  const [begins, settles, adds] = [
    list.flatMap(({ begin }) => begin ?? []),
    list.flatMap(({ settle }) => settle ?? []),
    list.flatMap(({ add }) => add ?? []),
  ]
  const scriptEnvs = list.flatMap(({ scriptEnv }) => scriptEnv ?? [])
  return {
    ...onlyOne(list, 'coverage'),
    ...onlyOne(list, 'promptClock'),
    ...onlyOne(list, 'openSnapshots'),
    processEnv: Object.assign({}, ...list.map(({ processEnv }) => processEnv)) as Record<string, string>,
    ...(scriptEnvs.length > 0 && { scriptEnv: scriptEnvs.reduce(joinEnv) }),
    ...(agents.length > 0 && { aroundAgent: agents.reduce(nestAgents) }),
    ...(tools.length > 0 && { aroundTools: tools.reduce(nestTools) }),
    ...(https.length > 0 && { aroundHttp: https.reduce(nestHttp) }),
    ...(backends.length > 0 && {
      aroundBackends: (call) => (backend) => backends.reduce((inner, around) => around(inner, call), backend),
    }),
    aroundConnectors: (opened) =>
      connectors.reduce<Connectors>(
        (inner, around) => ({ ...inner, get: (id, from) => around(id, () => inner.get(id, from)) }),
        opened,
      ),
    isOffline: list.some(({ isOffline }) => isOffline),
    sinks: list.flatMap(({ sink }) => sink ?? []),
    requireAgent: (id, variant) => {
      for (const { requireAgent } of list) requireAgent?.(id, variant)
    },
    ready: async () => {
      for (const { ready } of list) await ready?.()
    },
    begin: (unit) => {
      for (const begin of begins) begin(unit)
    },
    settle: (result) => settles.reduce((settled, settle) => settle(settled), result),
    add: (event) => {
      for (const add of adds) add(event)
    },
    finish: async (ending) => {
      const whole: Required<Finding> = { summary: {}, problems: [] }
      for (const { finish } of list) {
        try {
          const found = await finish?.(ending)
          Object.assign(whole.summary, found?.summary)
          whole.problems.push(...(found?.problems ?? []))
        } catch (error) {
          // The cases have their verdicts: this is an error of the run.
          whole.problems.push(messageOf(error))
        }
      }
      return whole
    },
    files: () => list.flatMap(({ files }) => files?.() ?? []),
    close: async () => {
      const errors: unknown[] = []
      for (const { close } of list) await close?.().catch((error: unknown) => void errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
    lenders: list.filter(({ lend }) => lend).map(({ name }) => name),
    lend: async (name) => list.find((each) => each.name === name)?.lend?.(),
    collect: (own) => {
      let shares: Shares | undefined
      for (const { name, collect } of list) {
        const share = collect?.(own)
        if (share !== undefined) (shares ??= {})[name] = share
      }
      return shares
    },
    take: (shares, own) =>
      list.flatMap(({ name, take }) => (Object.hasOwn(shares, name) ? (take?.(shares[name], own) ?? []) : [])),
  }
}

/** Two of these could not be told apart by their users. */
function onlyOne<Key extends 'coverage' | 'promptClock' | 'openSnapshots'>(
  list: readonly Interceptor[],
  key: Key,
): Pick<Interceptor, Key> {
  const having = list.filter((each) => each[key] !== undefined)
  if (having.length > 1) throw new Error(`${having.map(({ name }) => name).join(' and ')} both have "${key}"`)
  const [one] = having
  return (one ? { [key]: one[key] } : {}) as Pick<Interceptor, Key>
}

type ScriptEnv = NonNullable<Interceptor['scriptEnv']>

function joinEnv(inner: ScriptEnv, outer: ScriptEnv): ScriptEnv {
  return (call) => {
    const given = [inner(call), outer(call)].filter((each) => each !== undefined)
    if (given.length < 2) return given[0]
    return {
      env: Object.assign({}, ...given.map(({ env }) => env)) as Record<string, string>,
      close: () => {
        for (const { close } of given) close()
      },
    }
  }
}

function nestAgents(inner: AroundAgent, outer: AroundAgent): AroundAgent {
  return (about, open) => outer(about, () => inner(about, open))
}

type AroundToolbox = (toolbox: ToolboxCall) => AroundTools

/** The innermost decides on whose behalf a tool calls models. */
function nestTools(inner: AroundToolbox, outer: AroundToolbox): AroundToolbox {
  return (toolbox) => {
    const [within, around] = [inner(toolbox), outer(toolbox)]
    return {
      list: (server, live) => around.list(server, () => within.list(server, live)),
      call: (request, live) => around.call(request, () => within.call(request, live)),
    }
  }
}

type AroundHttp = NonNullable<ScriptHandlers['http']>

function nestHttp(inner: AroundHttp, outer: AroundHttp): AroundHttp {
  return (request, live, about) => outer(request, () => inner(request, live, about), about)
}
