// `--cache` as an interceptor: puts the cache of answers around the models of a run. Agents that call their model themselves are asked every
// time: their answers depend on code that a request does not show.
import { join } from 'node:path'
import { flagValue } from '../../config/flag-value.js'
import { parseAge } from '../../base/duration.js'
import { requireNotLinkedOut } from '../../files/linked-out.js'
import { AnswerCache } from '../../recordings/cache.js'
import { Normaliser } from '../../recordings/normalise.js'
import type { Interceptor, InterceptorInit } from '../interceptor.js'
import { completionExchange } from './recording.js'
import { signedExchange } from '../../recordings/signed-exchange.js'
import { wallTime } from '../../recordings/wall-time.js'
import { pathTexts } from '../../model/redacted-path.js'

const MAX_AGE = '14d'
/** They cost nothing, and answer what their files say today. */
const NOT_KEPT = new Set(['mock', 'echo'])

export function cacheFolder(appRoot: string): string {
  const dir = join(appRoot, '.viva', 'cache')
  requireNotLinkedOut(dir, 'the cache', [appRoot])
  return dir
}

export function openCache({ options, appRoot, config, now, secrets, warn }: InterceptorInit): Interceptor {
  const at = now()
  const cache = new AnswerCache({
    dir: cacheFolder(appRoot),
    max_age: maxAgeOf(options.cache),
    at,
    now: wallTime(at),
    warn,
    normaliser: new Normaliser({
      secrets: secrets(),
      // A question with a different time or id in it is a different question.
      patterns: { ...config.redactions?.patterns, $TIMESTAMP: false, $UUID: false, $DURATION: false },
      paths: pathTexts(config.redactions?.paths),
      root: appRoot,
    }),
  })
  return {
    name: 'cache',
    begin: ({ testCase, run, variant }) => cache.begin({ id: testCase.id, run, variant }, testCase.recording),
    aroundConnector: async (id, open) => {
      const connector = await open()
      if (NOT_KEPT.has(connector.type)) return connector
      const { settings: set = '' } = connector
      return {
        ...connector,
        complete: (request) => {
          const exchange = completionExchange(id, request, async () => connector)
          return cache.exchange({ ...signedExchange(exchange, request.signed), settings: set })
        },
      }
    },
    aroundAgent: async ({ id, isTested }, open) => {
      if (isTested)
        warn(
          `--cache keeps what models answer; ${id} calls its model itself, so it is asked every time (--record keeps its answers)`,
        )
      return open()
    },
    add: (event) => {
      if (event.type === 'result') cache.add(event)
    },
    finish: () => ({ summary: { recording: cache.finish() } }),
  }
}

function maxAgeOf(given: string | boolean | undefined): string {
  if (typeof given !== 'string' || given === '') return MAX_AGE
  flagValue('--cache', 'give how old an answer may be: --cache=12h, --cache=30d', () => parseAge(given))
  return given
}
