// The five scenarios from a shell script: every call is a process of its own.
import { expect, test } from 'vitest'
import { makeFolder, BIN } from '../support/run-cli.js'
import { shell } from '../support/shell.js'

const AGENT = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('src', { recursive: true })
writeFileSync('src/auth.rs', 'pub fn login() {}')
console.log('LOOP_COMPLETE')
`

const SCRIPT = `
set -eu
viva() { "${process.execPath}" "${BIN}" "$@"; }
tool() { viva tool "$@" > out.json || { echo "$1 failed" >&2; cat out.json >&2; exit 1; }; }
has() { grep -q "$1" out.json || { echo "no $1 in:" >&2; cat out.json >&2; exit 1; }; }

# 1
tool test_setup '{"workspace_id": "planner_test_001", "scratchpad": "## Plan\\n(empty)"}'
tool test_run '{"workspace_id": "planner_test_001", "task": "Implement user authentication", "backend": "mock", "max_iterations": 1,
  "mock_responses": [{"hat": "planner", "output": "<event topic=\\"build.task\\">...</event>"}]}'
has '"exit_code": 2'
tool test_assert '{"workspace_id": "planner_test_001", "assertions": [{"type": "exit_code", "expected": 2},
  {"type": "event_occurred", "topic": "build.task"}, {"type": "event_sequence", "topics": ["task.start", "build.task"]}]}'
tool test_inspect --workspace-id planner_test_001 --format timeline
has 'task.start → build.task'
tool test_cleanup --workspace-id planner_test_001

# 2
tool test_setup '{"workspace_id": "auth_regression", "fixtures": {"specs/auth.spec.md": "Log in."},
  "config": {"cli": {"backend": "custom", "command": "node", "args": ["'"$PWD"'/agent.mjs"]}}}'
tool test_record --workspace-id auth_regression --cassette-name auth_happy_path --task "Implement the auth spec" --backend custom \\
  --redactions '{"patterns": {"$TIMESTAMP": true, "$UUID": true}}'
rm agent.mjs
tool test_replay --workspace-id auth_regression --cassette-name auth_happy_path --task "Implement the auth spec" --strict
has '"interactions_replayed": 1'
tool test_assert '{"workspace_id": "auth_regression", "assertions": [{"type": "exit_code", "expected": 0},
  {"type": "termination_reason", "expected": "CompletionPromise"}, {"type": "file_exists", "path": "src/auth.rs"},
  {"type": "cost_within", "max_dollars": 0.00}]}'
tool test_report --workspace-id auth_regression --format junit --test-name auth_regression --save
tool test_cleanup --workspace-id auth_regression
grep -q 'tests="4" failures="0"' reports/auth_regression.xml

# 3
tool test_setup '{"workspace_id": "quality_eval", "scratchpad": "- [ ] sort"}'
tool test_run --workspace-id quality_eval --task Sort --mock-responses '["LOOP_COMPLETE"]'
tool test_evaluate '{"workspace_id": "quality_eval", "evaluations": [{"criterion": "plan_quality", "target": "scratchpad"}],
  "mock_responses": ["{\\"reasoning\\": \\"fair\\", \\"score\\": 3}"]}'
has '"all_passed": true'
viva tool test_evaluate '{"workspace_id": "quality_eval", "evaluations": [{"criterion": "safety", "target": "session"}],
  "mock_responses": ["{\\"reasoning\\": \\"hm\\", \\"score\\": 4}"]}' > out.json && exit 9 || test $? = 1
tool test_report --workspace-id quality_eval --format tap --test-name quality --include-traces --output-path reports/quality.tap
has '"failed": 1'
tool test_cleanup --workspace-id quality_eval

# 4
tool test_setup --workspace-id flow_test
tool test_run '{"workspace_id": "flow_test", "task": "Add error handling", "on_exhausted": "stop", "mock_responses": [
  {"hat": "planner", "output": "<event topic=\\"build.task\\">Add try/catch</event>"},
  {"hat": "builder", "output": "<event topic=\\"build.done\\">Implemented error handling</event>"}]}'
echo '{"workspace_id": "flow_test", "assertions": [{"type": "exit_code", "expected": 0},
  {"type": "hat_transition", "from": "planner", "to": "builder"}, {"type": "hat_sequence", "hats": ["planner", "builder"]},
  {"type": "iteration_count", "hat": "planner", "exact": 1}, {"type": "no_event", "topic": "build.blocked"},
  {"type": "stdout_contains", "pattern": "error handling"}]}' | tool test_assert -
viva tool test_assert '{"workspace_id": "flow_test", "assertions": [{"type": "no_event", "topic": "build.*"}]}' > out.json && exit 9 || test $? = 1
tool test_cleanup --workspace-id flow_test

# 5
tool test_setup '{"workspace_id": "snapshot_test", "fixtures": {"src/main.rs": "fn main() {}"}}'
tool test_snapshot --workspace-id snapshot_test --snapshot-id initial
tool test_run '{"workspace_id": "snapshot_test", "task": "Log", "mock_responses": [{"output": "LOOP_COMPLETE", "files": {"src/main.rs": "log()"}}]}'
tool test_snapshot --workspace-id snapshot_test --snapshot-id approved_state --approve
tool test_assert '{"workspace_id": "snapshot_test", "assertions": [{"type": "snapshot_matches", "snapshot_id": "approved_state"}]}'
tool test_diff --workspace-id snapshot_test --baseline initial --compare-to current
has '"src/main.rs"'
tool test_cleanup --workspace-id snapshot_test
echo all done
`

test('the five scenarios', { timeout: 180_000 }, async () => {
  const dir = makeFolder({ 'agent.mjs': AGENT, 'script.sh': SCRIPT })
  const { code, stdout, stderr } = await shell('sh script.sh', { cwd: dir, env: { TMPDIR: makeFolder() } })
  expect([code, stdout, stderr]).toEqual([0, 'all done\n', ''])
})
