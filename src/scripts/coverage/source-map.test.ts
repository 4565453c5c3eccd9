import { SourceMap } from 'node:module'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { readSegments } from './source-map.js'

const SOURCES = [
  `interface A { b: number }\nexport function first(a: A): number {\n  return a.b ? 1 : 2\n}\n\n\nexport const second = async () => {\n  await first({ b: 1 })\n}\n`,
  `enum Kind { A, B }\nclass Box<T> {\n  constructor(private value: T) {}\n  get() { return this.value }\n}\nconsole.log(new Box(Kind.A).get(), \`multi\n  line \${1 + 1}\`)\n`,
]

test.each(SOURCES)('says the same as Node about every place (%#)', async (contents) => {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', sourcefile: 'a.ts' },
    bundle: true,
    write: false,
    format: 'cjs',
    sourcemap: 'inline',
    outdir: '/x',
  })
  const code = outputFiles[0]?.text ?? ''
  const base64 = /base64,(.*)/.exec(code)?.[1] ?? ''
  const node = new SourceMap(
    JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as ConstructorParameters<typeof SourceMap>[0],
  )
  const segments = readSegments(code)
  expect(segments.length).toBeGreaterThan(10)
  for (const { offset, source, line } of segments) {
    const before = code.slice(0, offset).split('\n')
    const entry = node.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
    expect({ source, line }).toEqual({
      source: 'originalSource' in entry ? entry.originalSource : undefined,
      line: 'originalLine' in entry ? entry.originalLine + 1 : undefined,
    })
  }
})

test('code without a map has no places', () => {
  expect(readSegments('const a = 1')).toEqual([])
})
