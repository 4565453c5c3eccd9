// `test_compare`: two runs or two cassettes side by side: how they ended, who did what, what was said.
import * as v from 'valibot'
import { badArguments } from './bad-arguments.js'
import { asText } from '../base/text.js'
import { isEqual } from '../base/equal.js'
import { PLAIN_NAME } from '../base/plain-name.js'
import { UserError } from '../errors.js'
import { object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { isKind, topicsOf, type SessionRecord } from '../model/session.js'
import { diffFiles } from '../workspaces/diff.js'
import { openWorkspace, type Workspace } from '../workspaces/workspace.js'
import { findCassette, readFound, reasonOf } from './cassettes.js'
import type { ToolContext } from './context.js'
import { defineTool } from './define-tool.js'
import { workspaceId } from './parameters.js'
import { findRun, recordsOf } from './runs.js'

export const testCompare = defineTool({
  name: 'test_compare',
  title: 'Compare two runs or cassettes',
  description:
    'Compares two runs or cassettes of a workspace: endings, hats, events, tokens, cost, and each turn line by line.',
  input: object({
    workspace_id: workspaceId(),
    left: about(text(), 'run:<number>, run:<run_id>, run:last, or cassette:<name>.'),
    right: about(text(), 'The other one.'),
  }),
  output: v.object({
    same: about(v.boolean(), 'Nothing but times and prices differs.'),
    differences: v.array(v.object({ what: v.string(), left: v.unknown(), right: v.unknown() })),
    left: v.looseObject({ name: v.string() }),
    right: v.looseObject({ name: v.string() }),
    outputs: about(
      v.array(v.object({ turn: v.string(), additions: v.number(), deletions: v.number(), diff: optional(v.string()) })),
      'Turns whose words differ.',
    ),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  isLive: () => false,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const left = await sideOf(workspace, input.left, context)
    const right = await sideOf(workspace, input.right, context)
    // What a cassette does not hold is not a difference.
    const names = ['termination_reason', 'iterations', 'hats', 'topics', 'tokens'] as const
    const differences = names
      .filter((what) => left[what] !== undefined && right[what] !== undefined && !isEqual(left[what], right[what]))
      .map((what) => ({ what, left: left[what], right: right[what] }))
    const { diffs } = diffFiles(turnsOf(left), turnsOf(right))
    const outputs = Object.entries(diffs).map(([turn, { additions, deletions, hunks }]) => ({
      turn,
      additions,
      deletions,
      ...(hunks.length > 0 && { diff: hunks.map(({ content }) => content).join('\n…\n') }),
    }))
    const shown = ({ outputs: _outputs, ...side }: Side) => side
    return {
      same: differences.length === 0 && outputs.length === 0,
      differences,
      left: shown(left),
      right: shown(right),
      outputs,
    }
  },
})

interface Side {
  name: string
  termination_reason?: string
  iterations: number
  hats: string[]
  topics?: string[]
  tokens?: number
  cost_dollars?: number
  elapsed_secs?: number
  outputs: string[]
}

async function sideOf(workspace: Workspace, name: string, context: ToolContext): Promise<Side> {
  const [, kind, which = ''] = /^(run|cassette):(.+)$/s.exec(name) ?? []
  if (kind === 'run') return ofRun(workspace, name, which)
  if (kind === 'cassette') return ofCassette(workspace, name, which, context)
  throw badArguments(
    'test_compare',
    `expected run:… or cassette:…, found "${name}"`,
    'e.g. run:1, run:last, cassette:auth_flow',
  )
}

function ofRun(workspace: Workspace, name: string, which: string): Side {
  const run = findRun(workspace, which)
  const records = recordsOf(workspace, run)
  const { termination_reason, iterations, hats, tokens, cost_dollars, elapsed_secs } = run
  return {
    name,
    termination_reason,
    iterations,
    hats,
    tokens,
    elapsed_secs,
    ...(cost_dollars !== undefined && { cost_dollars }),
    topics: topicsOf(records),
    outputs: outputsOf(records),
  }
}

function outputsOf(records: SessionRecord[]): string[] {
  const outputs: string[] = []
  for (const record of records) {
    if (isKind(record, '_meta.iteration')) outputs.push('')
    else if (isKind(record, 'ux.terminal.write') && record.data.stdout && outputs.length > 0)
      outputs.push(`${outputs.pop() ?? ''}${Buffer.from(record.data.bytes, 'base64').toString('utf8')}`)
  }
  return outputs
}

async function ofCassette(workspace: Workspace, name: string, which: string, context: ToolContext): Promise<Side> {
  if (!PLAIN_NAME.test(which))
    throw new UserError({
      code: 'BAD_NAME',
      message: `"${which}" is not the name of a cassette`,
      hint: 'e.g. cassette:auth_flow',
    })
  const cassette = readFound(await findCassette(workspace, which, context))
  const { interactions } = cassette
  const reason = reasonOf(cassette)
  return {
    name,
    ...(reason !== undefined && { termination_reason: reason }),
    iterations: interactions.length,
    hats: interactions.map(({ hat }) => hat),
    tokens: interactions.reduce((sum, { response }) => sum + Number(response['tokens'] ?? 0), 0),
    outputs: interactions.map(({ response }) => asText(response.output ?? '')),
  }
}

function turnsOf({ hats, outputs }: Side): Record<string, { text: string }> {
  return Object.fromEntries(
    outputs.map((output, index) => [`${String(index + 1).padStart(3, '0')} ${hats[index] ?? ''}`, { text: output }]),
  )
}
