import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Agent, AgentRequest } from '../model/agent.js'
import type { Connector } from '../model/connector.js'
import type { ResultEvent } from '../model/event.js'
import { composeInterceptors } from './compose.js'
import type { Interceptor } from './interceptor.js'

test('faults and spans are put around recordings, never inside', () => {
  const registry = readFileSync(new URL('registry.ts', import.meta.url), 'utf8')
  const names = [...registry.matchAll(/^ {4}name: '(\w+)'|^ {2}\{ name: '(\w+)'/gm)].map(
    ([, one, other]) => one ?? other,
  )
  expect(names).toEqual(['recording', 'cache', 'chaos', 'trace', 'snapshots', 'coverage'])
})

/** Notes when it is passed on the way in and out. */
function noting(name: string, log: string[]): Interceptor {
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    log.push(`${name} in`)
    const answer = await call()
    log.push(`${name} out`)
    return answer
  }
  return {
    name,
    aroundAgent: async (_about, open) => {
      const agent = await open()
      return { ...agent, send: (request) => around(() => agent.send(request)) }
    },
    aroundConnector: async (_id, open) => {
      const connector = await open()
      return { ...connector, complete: (request) => around(() => connector.complete(request)) }
    },
    aroundTools: ({ call }) => ({
      list: (_server, live) => around(live),
      call: (_request, live) => around(() => live(call)),
    }),
    aroundHttp: (_request, live) => around(live),
    settle: (result) => ({ ...result, warnings: [...(result.warnings ?? []), name] }),
    finish: () => ({ problems: [name] }),
  }
}

const PASSED = ['outer in', 'inner in', 'live', 'inner out', 'outer out']

test('the last of the list is the outermost around every kind of call', async () => {
  const log: string[] = []
  const both = composeInterceptors([noting('inner', log), noting('outer', log)])
  const live = async <T>(answer: T): Promise<T> => {
    log.push('live')
    return answer
  }
  const agent: Agent = { id: 'a', send: () => live({ content: '', tool_calls: [] }) }
  const wrapped = await both.aroundAgent?.({ id: 'a', isTested: true, isStarted: false }, async () => agent)
  await wrapped?.send({} as AgentRequest)
  expect(log.splice(0)).toEqual(PASSED)
  const connector = { id: 'c', type: 'x', complete: () => live({}) } as unknown as Connector
  const connectors = both.aroundConnectors({ get: async () => connector, ids: () => [], keep: () => {} })
  await (await connectors.get('c')).complete({} as never)
  expect(log.splice(0)).toEqual(PASSED)
  const tools = both.aroundTools?.({ call: { lane: 'agent', role: 'a' }, signal: new AbortController().signal })
  await tools?.call({ name: 't', arguments: {} } as never, () => live({ result: 1 }))
  expect(log.splice(0)).toEqual(PASSED)
  await tools?.list('server', () => live([]))
  expect(log.splice(0)).toEqual(PASSED)
  await both.aroundHttp?.({}, () => live({}), { signal: new AbortController().signal, origin: undefined })
  expect(log.splice(0)).toEqual(PASSED)
})

test('results and findings pass in the order of the list', async () => {
  const both = composeInterceptors([noting('inner', []), noting('outer', [])])
  expect(both.settle({} as ResultEvent).warnings).toEqual(['inner', 'outer'])
  const found = await both.finish({ isStopped: false, agent: 'a' })
  expect(found.problems).toEqual(['inner', 'outer'])
})

test('what fails at the end is an error of the run, and the others still finish', async () => {
  const broken: Interceptor = {
    name: 'broken',
    finish: () => {
      throw new Error('disk full')
    },
  }
  const both = composeInterceptors([broken, noting('outer', [])])
  expect((await both.finish({ isStopped: false, agent: 'a' })).problems).toEqual(['disk full', 'outer'])
})

test('what workers give back reaches the interceptor it came from', () => {
  const taken: unknown[] = []
  const lender = (name: string): Interceptor => ({
    name,
    lend: async () => name,
    collect: (own) => (own ? { of: own.id, name } : undefined),
    take: (share, own) => {
      taken.push([name, share, own?.id])
      return []
    },
  })
  const both = composeInterceptors([lender('one'), { name: 'none' }, lender('two')])
  expect(both.lenders).toEqual(['one', 'two'])
  expect(both.collect()).toBeUndefined()
  const shares = both.collect({ id: 'T1', run: 1 }) ?? {}
  both.take(shares, { id: 'T1', run: 1 })
  expect(taken).toEqual([
    ['one', { of: 'T1', name: 'one' }, 'T1'],
    ['two', { of: 'T1', name: 'two' }, 'T1'],
  ])
})

test('two that would each be the only one are refused', () => {
  const one = (name: string): Interceptor => ({ name, promptClock: () => ({ now: new Date(0) }) })
  expect(() => composeInterceptors([one('a'), one('b')])).toThrow('a and b both have "promptClock"')
})
