// A loop of hats, with scripted answers in its cases.
import type { Scaffold } from './scaffold.js'

export const orchestratorScaffold: Scaffold = {
  files: {
    'hats.yml': `# A writer and a reviewer. In the cases the answers are scripted; with a backend (cli: {backend: claude}) they are real.
hats:
  writer:
    description: Writes the text.
    triggers: [task.start, task.resume, review.rejected]
    publishes: [text.written]
    instructions: Write the text of the task, no longer than a page.
  reviewer:
    description: Accepts the text or sends it back.
    triggers: [text.written]
    publishes: [review.rejected]
event_loop:
  completion_promise: ACCEPTED
  max_iterations: 6
`,
    'tests/cases.jsonl': `{"id": "accepted", "input": "Write about bees", "options": {"mock_responses": [{"hat": "writer", "output": "<event topic=\\"text.written\\">Draft</event>"}, {"hat": "reviewer", "output": "ACCEPTED"}]}, "assert": [{"type": "termination_reason", "expected": "CompletionPromise"}, {"type": "hat_sequence", "hats": ["writer", "reviewer"]}]}
{"id": "sent-back-once", "input": "Write about bees", "options": {"mock_responses": [{"hat": "writer", "output": "<event topic=\\"text.written\\">One</event>"}, {"hat": "reviewer", "output": "<event topic=\\"review.rejected\\">Too long</event>"}, {"hat": "writer", "output": "<event topic=\\"text.written\\">Two</event>"}, {"hat": "reviewer", "output": "ACCEPTED"}]}, "assert": [{"type": "hat_transition", "from": "reviewer", "to": "writer"}, {"type": "event_occurred", "topic": "review.rejected", "payload_pattern": "Too long"}, {"type": "iteration_count", "hat": "writer", "exact": 2}]}
`,
  },
  setup: [],
  tests: ['-i tests/cases.jsonl -n orchestrator:hats.yml'],
}
