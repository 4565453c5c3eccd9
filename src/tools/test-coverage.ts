// `test_coverage`: which hats, topics, transitions and tools of an orchestrator its runs have exercised, and which they have not.
import * as v from 'valibot'
import { matchesTopic } from '../base/topics.js'
import { readStrings } from '../base/record.js'
import { object } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { reportedCalls } from '../model/session-calls.js'
import { hatsOf, isKind, topicsOf, type SessionRecord } from '../model/session.js'
import type { LoopConfig } from '../orchestrator/config/config.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { nonEmpty, workspaceId } from './parameters.js'
import { loopConfig } from './run-in-workspace.js'
import { findRun, keptRuns, nothingRan, recordsOf } from './runs.js'

const part = () =>
  v.object({
    known: v.array(v.string()),
    exercised: v.array(v.string()),
    missed: v.array(v.string()),
    percent: v.number(),
  })

export const testCoverage = defineTool({
  name: 'test_coverage',
  title: 'See what runs exercised',
  description:
    'Reports which hats, topics, transitions between hats and tools the runs of a workspace exercised, and which they missed.',
  input: object({
    workspace_id: workspaceId(),
    runs: optional(
      about(
        v.picklist(['all', 'last'], '{field} must be all or last, found {found}'),
        'Which runs count; default: all.',
      ),
    ),
    tools: optional(
      about(
        v.array(nonEmpty(), '{field} must be a list of names, found {found}'),
        'The available tools, if the backend does not list them.',
      ),
    ),
  }),
  output: v.object({
    runs: v.number(),
    hats: part(),
    topics: part(),
    transitions: part(),
    tools: v.object({
      ...part().entries,
      observed_only: optional(
        about(v.literal(true), 'The available tools are not known: only those that were called are listed.'),
      ),
      unknown_calls: optional(about(v.number(), 'Calls of backends that do not report which tools they called.')),
    }),
    unexpected_topics: about(v.array(v.string()), 'Published, but named by no hat.'),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  isLive: () => false,
  handler: async ({ workspace_id, runs = 'all', tools }, { place }) => {
    const workspace = openWorkspace(place, workspace_id)
    const kept = runs === 'last' ? [findRun(workspace, 'last')] : keptRuns(workspace)
    if (kept.length === 0) throw nothingRan(workspace_id)
    const config = loopConfig(workspace)
    const sessions = kept.map((run) => recordsOf(workspace, run))
    const topics = knownTopics(config)
    const published = sessions.flatMap(topicsOf)
    const isNamed = (topic: string): boolean =>
      topics.includes(topic) || patternsOf(config).some((one) => matchesTopic(one, topic))
    return {
      runs: kept.length,
      hats: covered(
        config.hats.map(({ id }) => id),
        sessions.flatMap(hatsOf),
      ),
      topics: covered(topics, published),
      transitions: covered(knownTransitions(config), sessions.flatMap(transitionsOf)),
      tools: toolsOf(sessions.flat(), tools),
      unexpected_topics: [...new Set(published)].filter((topic) => topic !== config.promise && !isNamed(topic)),
    }
  },
})

function covered(known: string[], seen: string[]): v.InferOutput<ReturnType<typeof part>> {
  const happened = new Set(seen)
  const exercised = known.filter((name) => happened.has(name))
  const missed = known.filter((name) => !happened.has(name))
  const percent = known.length === 0 ? 100 : Math.round((exercised.length / known.length) * 1000) / 10
  return { known, exercised, missed, percent }
}

/** Patterns are not topics: what they match is not known. */
function knownTopics({ hats, start_event }: LoopConfig): string[] {
  const named = hats.flatMap(({ triggers, publishes, default_publishes }) => [
    ...triggers,
    ...publishes,
    ...(default_publishes === undefined ? [] : [default_publishes]),
  ])
  return [...new Set([start_event, ...named])].filter((topic) => !topic.includes('*'))
}

function patternsOf({ hats }: LoopConfig): string[] {
  return hats.flatMap(({ triggers }) => triggers).filter((topic) => topic.includes('*'))
}

function knownTransitions({ hats }: LoopConfig): string[] {
  const found = hats.flatMap(({ id, publishes }) =>
    publishes.flatMap((topic) =>
      hats
        .filter(({ triggers }) => triggers.some((trigger) => matchesTopic(trigger, topic)))
        .map((next) => `${id} → ${next.id}`),
    ),
  )
  return [...new Set(found)]
}

function transitionsOf(records: SessionRecord[]): string[] {
  const hats = hatsOf(records)
  return hats.slice(1).map((hat, index) => `${hats[index] ?? ''} → ${hat}`)
}

/** Tools that nothing lists are known only if they were called. */
function toolsOf(records: SessionRecord[], named: string[] | undefined) {
  // A session may have been recorded by another program: what it lists may be anything.
  const calls = records.flatMap((record) => (isKind(record, 'backend.call') ? [record.data] : []))
  const called = calls.flatMap(({ tool_calls }) => reportedCalls(tool_calls)).map(({ name }) => name)
  const listed = [...(named ?? []), ...calls.flatMap(({ tools }) => readStrings(tools))]
  const isListed = listed.length > 0
  const untold = calls.filter(({ tool_calls }) => tool_calls === undefined).length
  return {
    ...covered([...new Set([...listed, ...called])], called),
    ...(!isListed && { observed_only: true as const }),
    ...(untold > 0 && { unknown_calls: untold }),
  }
}
