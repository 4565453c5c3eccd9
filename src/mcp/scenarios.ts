// Five ways to test an agent, each as the calls it consists of. The prompts are generated from them.

export interface Step {
  tool: string
  arguments: Record<string, unknown>
}

export interface Scenario {
  name: string
  title: string
  /** What it shows, for choosing among them. */
  description: string
  /** What to keep in mind while doing it. */
  advice: string
  steps(given: ScenarioInput): Step[]
}

export interface ScenarioInput {
  workspace_id: string
  task: string
}

const PLAN = '<event topic="build.task">one small task</event>'
const DONE = '<event topic="build.done">tests pass</event>'
const PROMISE = 'LOOP_COMPLETE'

export const SCENARIOS: Scenario[] = [
  {
    name: 'basic_mock_test',
    title: 'Basic mock test',
    description: 'One iteration with a scripted model: does the planner publish build.task?',
    advice: 'exit_code 2 is right here: the run ends at max_iterations, not by the completion promise.',
    steps: ({ workspace_id, task }) => [
      step('test_setup', { workspace_id, scratchpad: '## Plan\n(empty)' }),
      planOnce(workspace_id, task),
      step('test_assert', {
        workspace_id,
        assertions: [
          { type: 'exit_code', expected: 2 },
          { type: 'event_occurred', topic: 'build.task' },
          { type: 'event_sequence', topics: ['task.start', 'build.task'] },
        ],
      }),
      step('test_inspect', { workspace_id, format: 'timeline' }),
      step('test_cleanup', { workspace_id }),
    ],
  },
  {
    name: 'record_and_replay',
    title: 'Record once, replay forever',
    description: 'A recording of one run becomes a regression test that costs nothing.',
    advice:
      'Recorded here from a scripted model. For a real one leave mock_responses out and name a backend; the server must then have been started with --allow-live.',
    steps: ({ workspace_id, task }) => [
      step('test_setup', { workspace_id, fixtures: { 'specs/feature.spec.md': task } }),
      step('test_record', {
        workspace_id,
        cassette_name: 'happy_path',
        task,
        backend: 'mock',
        mock_responses: [
          { hat: 'planner', output: PLAN },
          { hat: 'builder', output: DONE, files: { 'src/feature.txt': 'done\n' } },
          { hat: 'planner', output: PROMISE },
        ],
        redactions: { patterns: { $TIMESTAMP: true, $UUID: true } },
      }),
      step('test_replay', { workspace_id, cassette_name: 'happy_path', task, strict: true }),
      step('test_assert', {
        workspace_id,
        assertions: [
          { type: 'exit_code', expected: 0 },
          { type: 'termination_reason', expected: 'CompletionPromise' },
          { type: 'file_exists', path: 'src/feature.txt' },
          { type: 'cost_within', max_dollars: 0 },
        ],
      }),
      step('test_report', { workspace_id, format: 'junit', test_name: 'regression' }),
      step('test_cleanup', { workspace_id }),
    ],
  },
  {
    name: 'judge_quality',
    title: 'A judge for what no rule can say',
    description: 'A model judges a plan against a rubric; rules check the rest.',
    advice:
      'The judge is scripted here. For a real one leave mock_responses of test_evaluate out and name judge_backend or judge_model – not the model under test; the server must have been started with --allow-live.',
    steps: ({ workspace_id, task }) => [
      step('test_setup', { workspace_id, scratchpad: '## Plan\n- [ ] one small task, done when its test passes' }),
      planOnce(workspace_id, task),
      step('test_evaluate', {
        workspace_id,
        evaluations: [
          {
            criterion: 'plan_quality',
            target: 'scratchpad',
            rubric: {
              5: 'Clear, actionable, atomic tasks with acceptance criteria',
              4: 'Good structure, minor gaps in detail',
              3: 'Acceptable but missing key elements',
              2: 'Confusing or overly vague',
              1: 'Cannot be executed as-is',
            },
          },
        ],
        mock_responses: [
          {
            output:
              '{"reasoning": "Level 4: atomic and testable, little detail.", "score": 4, "feedback": "Say which test."}',
          },
        ],
        chain_of_thought: true,
      }),
      step('test_assert', { workspace_id, assertions: [{ type: 'exit_code', expected: 2 }] }),
      step('test_report', { workspace_id, format: 'junit', test_name: 'quality', include_traces: true }),
      step('test_cleanup', { workspace_id }),
    ],
  },
  {
    name: 'execution_flow',
    title: 'Flow through hats and events',
    description: 'Which hats ran, in which order, and what they told each other.',
    advice: 'on_exhausted "stop" ends the run in order when the scripted answers are used up.',
    steps: ({ workspace_id, task }) => [
      step('test_setup', { workspace_id }),
      step('test_run', {
        workspace_id,
        task,
        backend: 'mock',
        on_exhausted: 'stop',
        mock_responses: [
          { hat: 'planner', output: PLAN },
          { hat: 'builder', output: DONE },
        ],
      }),
      step('test_assert', {
        workspace_id,
        assertions: [
          { type: 'exit_code', expected: 0 },
          { type: 'hat_transition', from: 'planner', to: 'builder' },
          { type: 'hat_sequence', hats: ['planner', 'builder'] },
          { type: 'iteration_count', hat: 'planner', exact: 1 },
          { type: 'event_sequence', topics: ['task.start', 'build.task', 'build.done'] },
          { type: 'no_event', topic: 'build.blocked' },
          { type: 'stdout_contains', pattern: 'tests pass' },
        ],
      }),
      step('test_inspect', { workspace_id, format: 'timeline', filter: { topics: ['build.*'] } }),
      step('test_cleanup', { workspace_id }),
    ],
  },
  {
    name: 'snapshot_testing',
    title: 'Snapshots of a workspace',
    description: 'What the files look like after a run, against a state that a person has approved.',
    advice:
      'approve: true says that the state is right: look at the diff first. An approved snapshot lives in the project and is compared in later runs.',
    steps: ({ workspace_id, task }) => [
      step('test_setup', { workspace_id, fixtures: { 'src/main.txt': 'start\n' } }),
      step('test_run', {
        workspace_id,
        task,
        backend: 'mock',
        on_exhausted: 'stop',
        mock_responses: [{ hat: 'planner', output: PLAN, files: { 'src/main.txt': 'start\nlogging\n' } }],
      }),
      step('test_diff', { workspace_id, baseline: 'initial', compare_to: 'current' }),
      step('test_snapshot', { workspace_id, snapshot_id: 'approved_state', approve: true }),
      step('test_assert', {
        workspace_id,
        assertions: [
          {
            type: 'snapshot_matches',
            snapshot_id: 'approved_state',
            redactions: { patterns: { $TIMESTAMP: true }, paths: ["$.files['.agent/scratchpad.md']"] },
          },
        ],
      }),
      step('test_cleanup', { workspace_id }),
    ],
  },
]

function step(tool: string, args: Record<string, unknown>): Step {
  return { tool, arguments: args }
}

/** One iteration of a planner that is scripted. */
function planOnce(workspace_id: string, task: string): Step {
  const mock_responses = [{ hat: 'planner', output: PLAN }]
  return step('test_run', { workspace_id, task, backend: 'mock', max_iterations: 1, mock_responses })
}
