// What the original implementation does, row by row; differences we chose are listed by name with their reason.
import { expect, test } from 'vitest'
import { conformanceFile } from '../../../test/support/conformance.js'
import type { AgentContext } from '../../model/agent.js'
import { agentIdOf } from '../resolve-id.js'
import { adjustContext, parseCreate, parseNext } from './hooks.js'
import { flattenLocales, translate } from './locales.js'
import { parseMcp, parseModes, parsePackage } from './load/parse-package.js'
import { processArgs } from './tools/process-args.js'
import { contextVariables, fillVariables } from './prompt-variables.js'
import { mergePrompts } from './load/prompts.js'
import { formatToolName, parseToolName } from './tools/tool-names.js'
import { parseToolContent } from '../../mcp-client/tool-result.js'
import { parseServerRef } from './tools/tool-server.js'
import type { Prompt } from './types.js'
import { type FieldProblem } from '../../base/field-name.js'

const DIFFERENCES: Record<string, string> = {
  'package_validate: missing id': 'the id is the place of the folder, package.yao has none',
  'package_validate: missing connector':
    'agents whose hooks are everything need no connector; it is asked for when a model is called',
}

// Rows that need a whole application are in agent.test.ts and load.test.ts, those of connectors and Process() with them.
const WHOLE = new Set(['next_hook_run', 'stream', 'prompt_preset', 'agent_call_result', 'connector_url', 'mcp_ids'])

const rows = ['package', 'agent_hooks', 'mcp', 'prompts', 'i18n'].flatMap(conformanceFile)

const checks: Record<string, (given: Record<string, unknown>, expected: Record<string, unknown>) => void> = {
  modes: (given, expected) => {
    const found: FieldProblem[] = []
    const modes = parseModes(given['modes'], found)
    expect(found.length > 0).toBe(expected['error'] === true)
    if ('modes' in expected) expect(modes).toEqual(expected['modes'] ?? [])
  },
  package_validate: (given, expected) => {
    const { found } = parsePackage(given['assistant'])
    expect(found.length > 0).toBe(expected['error'])
  },
  agent_id: (given, expected) => expect(agentIdOf(String(given['dir']))).toBe(expected['id']),
  create_return: (given, expected) => {
    const returned = parseCreate(unwrap(given['returned']))
    if (expected['response'] === null) expect(returned).toBeNull()
    else expect(returned).toMatchObject(expected['response'] as object)
  },
  next_return: (given, expected) => {
    const returned = parseNext(unwrap(given['returned']))
    if (expected['response'] === null) expect(returned).toBeNull()
    else expect({ data: null, delegate: null, ...returned }).toMatchObject(expected['response'] as object)
  },
  create_context_adjust: (given, expected) => {
    const context = adjustContext(given['ctx'] as AgentContext, parseCreate(given['returned']))
    expect(context).toMatchObject(expected['ctx'] as object)
  },
  tool_name_format: (given, expected) =>
    expect(formatToolName(String(given['server']), String(given['tool']))).toBe(expected['name']),
  tool_name_parse: (given, expected) => {
    const parsed = parseToolName(String(given['name']))
    expect(parsed).toEqual(expected['error'] ? undefined : expected)
  },
  mcp_server_config: (given, expected) => {
    const parsed = parseServerRef(given['config'])
    expect(parsed).toEqual(expected['error'] ? undefined : expected)
  },
  tool_loop_enabled: (given, expected) => expect(parseMcp(given['mcp'], []).toolLoop).toBe(expected['enabled']),
  tool_loop_max_turns: (given, expected) => expect(parseMcp(given['mcp'], []).maxTurn).toBe(expected['max_turns']),
  process_args: (given, expected) =>
    expect(processArgs((given['x_process_args'] as unknown[] | null) ?? [], given['arguments'])).toEqual(
      expected['args'],
    ),
  tool_result_parse: (given, expected) => expect(parseToolContent(given['content'])).toEqual(expected['result']),
  prompt_vars: (given, expected) => {
    const context = given['ctx'] as Record<string, string> | null
    const env = (given['env'] as Record<string, string> | undefined) ?? {}
    const text = fillVariables(String(given['content']), { now: new Date(), env, ...(context && { context }) })
    if (typeof expected['matches'] === 'string') expect(text).toMatch(new RegExp(expected['matches']))
    else expect({ ...given, content: text }).toMatchObject(expected)
  },
  prompt_merge: (given, expected) => {
    const list = (key: string): Prompt[] =>
      (given[key] as (string | Prompt)[]).map((item) =>
        typeof item === 'string' ? { role: 'system', content: item } : item,
      )
    expect(mergePrompts(list('global'), list('assistant')).map((prompt) => prompt.content)).toEqual(
      expected['contents'],
    )
  },
  sys_vars: (_given, expected) => {
    const fill = (name: unknown) => fillVariables(`$SYS.${String(name)}`, { now: new Date(), env: {} })
    for (const name of expected['names'] as unknown[]) expect(fill(name)).not.toContain('$')
  },
  disable_global_prompts: (given, expected) => {
    const { fields } = parsePackage({ name: 'x', ...(given['package'] as object) })
    expect(fields.disableGlobalPrompts).toBe(expected['disabled'])
  },
  ctx_vars: (given, expected) => {
    const base = { chat_id: 'c', referer: 'test', accept: 'standard', client: { type: 'test', ip: '' }, metadata: {} }
    expect(contextVariables({ ...base, ...given } as unknown as AgentContext)).toMatchObject(expected['vars'] as object)
  },
  i18n_parse: (given, expected) => {
    const messages = new Map(Object.entries(given['messages'] as Record<string, string>))
    expect(translate(String(given['input']), messages)).toBe(expected['output'])
  },
  i18n_flatten: (given, expected) => {
    const codes = [...flattenLocales(given['locales'] as Record<string, unknown>).keys()]
    expect(codes.toSorted()).toEqual((expected['codes'] as string[]).toSorted())
  },
}

const ours = rows.filter((row) => !WHOLE.has(row.area))

test.each(ours)('$area: $name', (row) => {
  const check = checks[row.area]
  if (!check) throw new Error(`no check for the area ${row.area}`)
  // A difference that no longer exists must leave the list.
  if (DIFFERENCES[`${row.area}: ${row.name}`] === undefined) check(row.given, row.expect)
  else expect(() => check(row.given, row.expect)).toThrow()
})

function unwrap(value: unknown): unknown {
  return value === '<undefined>' ? undefined : value
}
