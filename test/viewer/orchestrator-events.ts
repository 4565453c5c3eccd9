// Made-up orchestrator runs for the viewer's tests: one that came to its end, one that failed on the way, a very long one.
import { boundSession } from '../../src/model/bound-session.js'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import type { SessionEvent } from '../../src/model/session-evidence.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'

export function orchestratorRun(): RunEvent[] {
  const results = [...orchestratorResults(), long()]
  return [startEvent({ agent_id: 'orchestrator:hats.yml' }), ...results, summaryEvent(results)]
}

/** Without the long one. */
export function orchestratorResults(): ResultEvent[] {
  return [finished(), broken()]
}

const CRITIQUE = `The parser accepts "1 +" without a word.
Two things to do:
- refuse an expression that ends with an operator
- say at which column it went wrong, and what was expected there instead of the end of the text`

function published(iteration: number, topic: string, to: string[], payload: string, source: string | null) {
  return { topic, payload, source, target: null, recipients: to, iteration } satisfies SessionEvent
}

function finished(): ResultEvent {
  return resultEvent({
    id: 'flow',
    name: 'A parser is planned, built and reviewed',
    input: 'Write a parser for sums',
    output: 'LOOP_COMPLETE',
    exit_code: 0,
    finish_reason: 'CompletionPromise',
    duration_ms: 12_400,
    assertions: [{ type: 'hat_sequence', hats: ['planner', 'builder', 'reviewer'], passed: true }],
    session: boundSession({
      iterations: [
        { n: 1, hat: 'planner', elapsed_ms: 0, duration_ms: 2100 },
        { n: 2, hat: 'builder', elapsed_ms: 2100, duration_ms: 5200 },
        { n: 3, hat: 'reviewer', elapsed_ms: 7300, duration_ms: 1400 },
        { n: 4, hat: 'builder', elapsed_ms: 8700, duration_ms: 2900 },
        { n: 5, hat: 'reviewer', elapsed_ms: 11_600, duration_ms: 780 },
      ],
      events: [
        published(0, 'task.start', ['planner'], 'Write a parser for sums', null),
        published(1, 'build.task', ['builder'], 'Tokens first, then the tree', 'planner'),
        published(1, 'plan.note', [], '', 'planner'),
        published(2, 'build.done', ['reviewer'], 'src/parser.ts and its test', 'builder'),
        published(3, 'review.rejected', ['builder'], CRITIQUE, 'reviewer'),
        published(4, 'build.done', ['reviewer'], 'It refuses "1 +" at column 4', 'builder'),
      ],
      termination_reason: 'CompletionPromise',
      exit_code: 0,
      duration_ms: 12_380,
    }),
    changes: [
      {
        path: '.agent/events.jsonl',
        change: 'added',
        additions: 1,
        deletions: 0,
        diff: '@@ -0,0 +1,1 @@\n+{"topic":"build.done"}',
      },
      { path: 'docs/old-notes.md', change: 'deleted', additions: 0, deletions: 1, diff: '@@ -1,1 +0,0 @@\n-Later.' },
      { path: 'logo.png', change: 'added' },
      {
        path: 'src/parser.ts',
        change: 'changed',
        additions: 3,
        deletions: 1,
        diff: '@@ -1,4 +1,6 @@\n export function parse(text: string): Tree {\n-  return treeOf(tokens(text))\n+  const all = tokens(text)\n+  if (isOperator(all.at(-1))) throw new SyntaxError(`column ${text.length + 1}: expected a number`)\n+  return treeOf(all)\n }\n ',
      },
    ],
    changes_left_out: 2,
  })
}

function broken(): ResultEvent {
  return resultEvent({
    id: 'limit',
    name: 'It stops at its limit',
    input: 'Never ends',
    status: 'failed',
    error: 'exit code is 2, expected 0',
    error_kind: 'assertion',
    exit_code: 2,
    session: boundSession({
      iterations: [
        { n: 1, hat: 'planner', duration_ms: 120, malformed: 1 },
        { n: 2, hat: 'builder', duration_ms: 40, error: 'the backend ended with code 7: no such model' },
        { n: 3, hat: 'a-hat-with-a-name-that-is-much-too-long-for-its-lane' },
      ],
      events: [published(0, 'task.start', ['planner'], 'Never ends', null)],
      termination_reason: 'MaxIterations',
      message: '3 iterations are over',
      exit_code: 2,
    }),
  })
}

function long(): ResultEvent {
  const numbers = Array.from({ length: 1000 }, (_item, index) => index + 1)
  return resultEvent({
    id: 'long',
    session: boundSession({
      iterations: numbers.map((n) => ({ n, hat: n % 3 === 0 ? 'reviewer' : 'builder', duration_ms: n })),
      events: numbers.map((n) => published(n, 'build.done', ['reviewer'], `part ${n}`, 'builder')),
    }),
  })
}
