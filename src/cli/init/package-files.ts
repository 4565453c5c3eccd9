// A package: prompts, a scripted model, cases and a script test.
import { VIVA_TYPES } from '../../scripts/viva-types.js'
import type { Scaffold } from './scaffold.js'

export const packageScaffold: Scaffold = {
  files: {
    'viva.d.ts': VIVA_TYPES,
    'app.yao': `{
  // Marks the application root.
  "name": "My agents"
}
`,
    'assistants/greeter/package.yao': `{
  "name": "Greeter",
  "description": "Greets people and remembers to ask for their name",
  // "mock" answers from mock.yml. For a real model, write connectors/openai/gpt-4o.conn.yao
  // and name it here: "connector": "openai.gpt-4o".
  "connector": "mock"
}
`,
    'assistants/greeter/prompts.yml': `- role: system
  content: |
    You are a friendly greeter. Greet people, ask for their name, and use it.
`,
    'assistants/greeter/mock.yml': `# Scripted answers: the first unused one whose pattern fits the last user message.
- trigger_pattern: "(?i)^(hi|hello)"
  output: "Hello! What is your name?"
  awaiting_input: true
- trigger_pattern: "(?i)my name is"
  output: "Nice to meet you, Ada."
- output: "I can only greet people."
`,
    'assistants/greeter/tests/inputs.jsonl': `{"id": "hello", "name": "Greets and asks for the name", "input": "Hello", "assert": [{"type": "contains", "value": "Hello"}, {"type": "awaiting_input", "value": true}]}
{"id": "name", "name": "Uses the name", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello! What is your name?"}, {"role": "user", "content": "My name is Ada"}], "assert": {"type": "regex", "value": "(?i)ada"}}
{"id": "off-topic", "name": "Stays on topic", "input": "Write a poem", "assert": {"type": "not_contains", "value": "rose"}}
`,
    'assistants/greeter/src/greeting.ts': `// Helpers of the agent's hooks and tools; greeting_test.ts tests them.

export function Greeting(name: string, locale: string): string {
  return locale === 'zh-cn' ? \`你好，\${name}\` : \`Hello, \${name}\`
}
`,
    'assistants/greeter/src/greeting_test.ts': `// The functions of greeting.ts are known here without it; the import is for the editor.
import { Greeting } from './greeting'

function TestGreetingUsesTheName(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(Greeting('Ada', ctx.Locale), 'Hello, Ada')
}

function TestGreetingFollowsTheLocale(t: testing.T, ctx: agent.Context) {
  t.assert.Contains(Greeting('Ada', 'zh-cn'), '你好')
}
`,
  },
  setup: [],
  tests: ['-i assistants/greeter/tests/inputs.jsonl', '-i scripts.greeter.greeting'],
}
