// Spellings from the documents that a getopt-style parser would misread: `agent test`, and long names with one dash (`-run X`).
import { TEST_FLAGS } from './flags.js'

const LONG_WITH_ONE_DASH = new Set(TEST_FLAGS.map((flag) => flag.long.slice(2)).filter((name) => name.length > 1))
const TAKES_VALUE = new Set(
  TEST_FLAGS.filter((flag) => flag.value?.startsWith('<')).flatMap((flag) => [flag.long, flag.short ?? flag.long]),
)

export function normalizeArgv(argv: string[]): string[] {
  const words = asTest(argv)
  const result: string[] = []
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? ''
    if (word === '--') return [...result, ...words.slice(i)]
    const name = /^-([a-z][a-z-]+)(=.*)?$/.exec(word)
    const fixed = name?.[1] !== undefined && LONG_WITH_ONE_DASH.has(name[1]) ? `-${word}` : word
    result.push(fixed)
    if (TAKES_VALUE.has(fixed) && i + 1 < words.length) {
      i += 1
      result.push(words[i] ?? '')
    }
  }
  return result
}

/** `viva agent test` prints what the documents show. */
function asTest(argv: string[]): string[] {
  if (argv[0] !== 'agent') return argv
  return argv[1] === 'test' ? ['test', '--classic', ...argv.slice(2)] : argv.slice(1)
}
