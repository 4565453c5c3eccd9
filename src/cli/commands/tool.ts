// `viva tool NAME …`: one call of a test tool. Everything between calls is on disk, so each can be its own process.
import { text } from 'node:stream/consumers'
import { resolve } from 'node:path'
import { parseJson } from '../../base/json/parse-json.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { openTools } from '../../tools/open-tools.js'
import { readArguments } from '../../tools/read-arguments.js'
import { findTool, TOOLS } from '../../tools/registry.js'
import type { CommandCall } from '../command.js'
import { useRedactor } from '../ending.js'
import { listenForSignals } from '../signals.js'
import { textTable } from '../../base/text-table.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { warn } from '../say.js'
import { stdout } from '../terminal.js'

const CHECK_FAILED = 1

export async function tool({ args, flags }: CommandCall): Promise<number> {
  const [name, ...given] = args
  if (name === undefined) return list()
  const called = findTool(name)
  const input = await inputOf(called.name, given)
  const signals = listenForSignals('ending what is running')
  const { project } = flags
  const tools = await openTools({
    ...(typeof project === 'string' && { project: resolve(project) }),
    clock: signals.clock,
    warn,
  })
  useRedactor(tools.context.redactor)
  signals.useProcesses(tools.context.processes)
  signals.began()
  try {
    const output = await tools.call(called.name, input, { signal: signals.stop })
    stdout.json(prettyJson(output))
    return called.holds?.(output) === false ? CHECK_FAILED : 0
  } finally {
    await tools.close()
    signals.release()
  }
}

function list(): number {
  stdout.write(
    textTable(
      ['tool', 'what it does'],
      TOOLS.map((each) => [each.name, each.description]),
    ),
  )
  return 0
}

async function inputOf(name: string, given: string[]): Promise<unknown> {
  const [first] = given
  if (first === '-') return parseObject(await text(process.stdin), 'standard input', given)
  if (first?.trimStart().startsWith('{')) return parseObject(first, 'the argument', given)
  return readArguments(findTool(name), given)
}

function parseObject(source: string, where: string, given: string[]): unknown {
  if (given.length > 1) throw badUsage(`"${given[1]}" follows the parameters`)
  const json = parseJson(source)
  if (!json) throw badUsage(`${where} is not JSON: ${show(source, 80)}`)
  return json.value
}

function badUsage(message: string): UserError {
  return new UserError({
    code: 'BAD_USAGE',
    message,
    hint: `give the parameters as one JSON object, e.g. '{"workspace_id": "w1"}', or as flags, e.g. --workspace-id w1`,
  })
}
