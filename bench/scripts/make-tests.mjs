// The same trivial tests twice: as script tests of an agent, and for `node --test`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function writeScriptTests(app, files, tests) {
  const source = join(app, 'assistants', 'bench', 'src')
  mkdirSync(source, { recursive: true })
  writeFileSync(join(app, 'assistants', 'bench', 'package.yao'), '{ "name": "bench" }')
  for (let file = 0; file < files; file++) {
    writeFileSync(
      join(source, `m${file}.ts`),
      `export function Add(a: number, b: number): number {\n  return a + b\n}\n`,
    )
    const bodies = Array.from(
      { length: tests },
      (_, test) =>
        `function TestAdd${test}(t: testing.T, ctx: agent.Context) {\n  t.assert.Equal(Add(${test}, 1), ${test + 1})\n}\n`,
    )
    writeFileSync(join(source, `m${file}_test.ts`), bodies.join('\n'))
  }
}

export function writeNodeTests(folder, files, tests) {
  mkdirSync(folder, { recursive: true })
  for (let file = 0; file < files; file++) {
    writeFileSync(join(folder, `m${file}.mjs`), `export function add(a, b) {\n  return a + b\n}\n`)
    const bodies = Array.from(
      { length: tests },
      (_, test) => `test('add ${test}', () => {\n  assert.deepEqual(add(${test}, 1), ${test + 1})\n})\n`,
    )
    const head = `import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { add } from './m${file}.mjs'\n\n`
    writeFileSync(join(folder, `m${file}.test.mjs`), head + bodies.join('\n'))
  }
}
