// `viva init --kind mcp "COMMAND"`: starts the server, lists its tools and plans the files of a suite for it. None of
// its tools is called.
import { plural } from '../../base/format.js'
import { UserError } from '../../errors.js'
import { credentialSecrets } from '../../http/credentials.js'
import { openHttp } from '../../http/open-http.js'
import { describeEnd } from '../../mcp-client/exchange.js'
import { parseMcpTarget } from '../../mcp-client/parse-target.js'
import { isOpen, openSession } from '../../mcp-client/session.js'
import { Processes } from '../../process/processes.js'
import { createRedactor } from '../../redact/redactor.js'
import { warn } from '../say.js'
import { listenForSignals } from '../signals.js'
import type { Choice } from './choice.js'
import { mcpSuite } from './mcp-suite.js'

const CALLS = 'tests/calls.jsonl'
const ROUTING = 'tests/routing.jsonl'

export async function serverChoice(given: string): Promise<Choice> {
  const target = `mcp:${given.trim().replace(/^mcp:/i, '')}`
  // A server may list what it was given, and the files are to be committed.
  const redactor = createRedactor({ env: process.env, extraValues: credentialSecrets(target) })
  const { calls, routing, notes } = redactor.value(mcpSuite(await listTools(target)))
  if (calls.length === 0) throw noTools(target, notes)
  for (const note of notes) warn(note)
  const named = JSON.stringify(redactor.text(target))
  const skipped = calls.filter((each) => 'skip' in each).length
  return {
    name: 'mcp',
    about: 'cases for the server you have',
    isOwn: true,
    files: { [CALLS]: lines(calls), [ROUTING]: lines(routing) },
    setup: [],
    tests: [`-i ${CALLS} -n ${named}`],
    next: [
      { text: 'The cases are made from what the server lists; nothing was called. Review each of them.' },
      ...(skipped > 0
        ? [
            {
              text: `${plural(skipped, 'call')} of tools that may change something ${skipped === 1 ? 'is' : 'are'} skipped until then.`,
              about: CALLS,
            },
          ]
        : []),
      { text: `To see which tool a model chooses: viva test -i ${ROUTING} -n ${named} -c CONNECTOR`, about: ROUTING },
    ],
  }
}

async function listTools(target: string): Promise<Array<Record<string, unknown>>> {
  const { env } = process
  const cwd = process.cwd()
  const signals = listenForSignals('ending the server')
  const processes = new Processes({ env, cwd, warn })
  signals.useProcesses(processes)
  const http = openHttp({ env })
  try {
    const server = parseMcpTarget({ target }, { cwd, env, processes })
    const session = await openSession(server, { env, http, pass_env: [], processes }, { signal: signals.stop })
    try {
      if (!isOpen(session)) throw notListed(target, describeEnd(session.initialized))
      const { items, problem } = await session.listAll('tools', { signal: signals.stop, timeoutMs: LIST_MS })
      if (problem !== undefined) throw notListed(target, problem)
      return items
    } finally {
      await session.close()
    }
  } finally {
    await processes.close()
    await http.close()
    signals.release()
  }
}

const LIST_MS = 30_000

function lines(cases: object[]): string {
  return cases.map((each) => `${JSON.stringify(each)}\n`).join('')
}

function notListed(target: string, reason: string): UserError {
  return new UserError({
    code: 'NO_TOOL_LIST',
    message: `the tools of ${target} could not be listed: ${reason}`,
    hint: 'start it by hand to see what is wrong',
  })
}

function noTools(target: string, notes: string[]): UserError {
  return new UserError({
    code: 'NO_TOOL_LIST',
    message: `${target} lists no tool for which a case can be made${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`,
    hint: `its prompts and resources are checked by its contract: viva test -n ${JSON.stringify(target)}`,
  })
}
