// The surface of an orchestrator, from its configuration: hats, topics, who wakes whom, how it can end.
import { GLOBAL } from '../../../base/topics.js'
import { Bus } from '../../../orchestrator/bus.js'
import type { LoopConfig } from '../../../orchestrator/config/config.js'
import { parseLoopConfig, readLoopConfig } from '../../../orchestrator/config/read-config.js'
import type { TerminationReason } from '../../../model/termination.js'
import { transitionName } from '../kinds/transitions.js'
import { aboutKey, type Surface } from '../surface.js'

/** `file` is empty: the built-in hats. */
export function addLoop(surface: Surface, file: string, label: string): void {
  const silent = (): void => {}
  const config = file === '' ? parseLoopConfig({}, label, silent) : readLoopConfig(file, silent)
  surface.from.push(file === '' ? 'the built-in hats' : `the hats of ${label}`)
  const published = config.hats.flatMap(({ id, publishes, default_publishes }) =>
    [...publishes, ...(default_publishes === undefined ? [] : [default_publishes])].map((topic) => ({
      from: id,
      topic,
    })),
  )
  const started = [
    { from: null, topic: config.start_event },
    // A promise that comes too early is answered with it.
    ...(config.required_events.length > 0 ? [{ from: null, topic: 'task.resume' }] : []),
    ...config.hats.flatMap(({ id, max_activations }) =>
      max_activations === undefined ? [] : [{ from: null, topic: `${id}.exhausted` }],
    ),
  ]
  surface.lists.hats = config.hats.map(({ id }) => id)
  for (const { id, description, instructions } of config.hats)
    surface.about.set(aboutKey('hats', id), whatItDoes(description, instructions))
  const doing = (id: string | null): Record<string, unknown> | undefined =>
    id === null ? undefined : surface.about.get(aboutKey('hats', id))
  surface.lists.topics = unique([
    ...started.map(({ topic }) => topic),
    ...published.map(({ topic }) => topic),
    ...config.hats.flatMap(({ triggers }) => triggers),
  ]).filter((topic) => !topic.includes(GLOBAL) && topic !== config.promise)
  for (const { from, topic } of published) surface.about.set(aboutKey('topics', topic), { published_by: doing(from) })
  const bus = new Bus(config.hats, [])
  surface.lists.transitions = unique(
    [...started, ...published]
      .filter(({ topic }) => topic !== config.promise && !topic.includes(GLOBAL))
      .flatMap(({ from, topic }) =>
        bus.recipientsOf({ topic, payload: '', source: from, target: null }).map((to) => {
          const name = transitionName(from, to, topic)
          surface.about.set(aboutKey('transitions', name), { from: doing(from), to: doing(to) })
          return name
        }),
      ),
  )
  surface.lists.endings = endingsOf(config)
}

function whatItDoes(description: string, instructions: string): Record<string, unknown> {
  return { ...(description !== '' && { description }), ...(instructions !== '' && { instructions }) }
}

/** Those that the loop itself comes to; others end it from outside. */
function endingsOf({ max_cost, max_tokens, hats }: LoopConfig): TerminationReason[] {
  const blocks = hats.some(({ publishes }) => publishes.some((topic) => topic.split('.').at(-1) === 'blocked'))
  return [
    'CompletionPromise',
    'NoPendingEvents',
    'MaxIterations',
    'MaxRuntime',
    ...(max_cost === undefined && max_tokens === undefined ? [] : (['MaxCost'] as const)),
    'ConsecutiveFailures',
    ...(blocks ? (['LoopThrashing'] as const) : []),
    'LoopStale',
    'ValidationFailure',
  ]
}

function unique(names: string[]): string[] {
  return [...new Set(names)]
}
