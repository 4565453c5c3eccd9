// The same cases for the other tools, written in each tool's own way.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`work/${path}`, import.meta.url))
const text = (i) => `please repeat the number ${i}`

/** evalite gets fewer: its work per case grows with the number of cases. */
export const EVALITE_CASES = 1000

export function writePeers(count) {
  for (const tool of ['vitest', 'promptfoo', 'evalite']) mkdirSync(at(tool), { recursive: true })

  writeFileSync(
    at('vitest/echo.test.mjs'),
    `import { expect, test } from 'vitest'
const echo = async (text) => text
for (let i = 0; i < ${count}; i += 1) {
  test('T' + i, async () => {
    expect(await echo('please repeat the number ' + i)).toContain('number ' + i)
  })
}
`,
  )

  writeFileSync(at('vitest/vitest.config.mjs'), "export default { test: { include: ['*.test.mjs'] } }\n")

  const tests = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      description: `T${i}`,
      vars: { text: text(i) },
      assert: [{ type: 'contains', value: `number ${i}` }],
    }),
  )
  writeFileSync(at('promptfoo/tests.jsonl'), `${tests.join('\n')}\n`)
  writeFileSync(
    at('promptfoo/promptfooconfig.yaml'),
    'prompts: ["{{text}}"]\nproviders: [echo]\ntests: file://tests.jsonl\n',
  )

  writeFileSync(
    at('evalite/echo.eval.ts'),
    `import { evalite } from 'evalite'
evalite('echo', {
  data: async () => Array.from({ length: ${EVALITE_CASES} }, (_, i) => ({ input: 'please repeat the number ' + i, expected: 'number ' + i })),
  task: async (input) => input,
  scorers: [{ name: 'contains', scorer: ({ output, expected }) => (output.includes(expected) ? 1 : 0) }],
})
`,
  )
  writeFileSync(
    at('evalite/evalite.config.ts'),
    `import { defineConfig } from 'evalite/config'
import { createInMemoryStorage } from 'evalite/in-memory-storage'
export default defineConfig({ storage: () => createInMemoryStorage() })
`,
  )
}
