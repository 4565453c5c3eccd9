// What ARCHITECTURE.md says must never happen, as far as source text can show it. Each rule also proves that it can fail.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { productFiles } from './support/source-files.js'
import { ROOT } from './support/run-cli.js'

interface Rule {
  name: string
  forbidden: RegExp
  /** Files, or folders ending in `/`, below `src/` where it is allowed. */
  allowed: string[]
  /** A line that breaks the rule: shows that the pattern finds what it is meant to find. */
  example: string
}

/** Runs in a process or page of its own, where these rules have no meaning. */
const ELSEWHERE = ['scripts/child/', 'agents/module-host/child/', 'viewer/app/']

const RULES: Rule[] = [
  {
    name: 'only cli/ touches the standard streams, argv and the exit of the process',
    forbidden: /\bprocess\.(stdout|stderr|stdin|exit|exitCode|argv|abort)\b|\bconsole\.\w+\(/,
    allowed: ['cli/'],
    example: 'process.stdout.write(text)',
  },
  {
    name: 'one door to the terminal: what is written to the standard streams passes cli/terminal.ts',
    forbidden: /\bprocess\.(stdout|stderr)\.write\b|\bconsole\.\w+\(|\b(?:from|import\() ?'node:console'/,
    allowed: ['cli/terminal.ts'],
    example: 'process.stderr.write(text)',
  },
  {
    name: 'only cli/ listens to the process',
    forbidden: /\bprocess\.(on|once|off|addListener|prependListener)\(/,
    allowed: ['cli/'],
    example: "process.on('exit', clean)",
  },
  {
    name: 'only cli/ and the defaults of the library read the environment and the working directory',
    forbidden: /\bprocess\.(env|cwd\(\))/,
    allowed: ['cli/', 'run/io.ts'],
    example: 'const key = process.env.API_KEY',
  },
  {
    name: 'what is kept by case is kept by case, variant and run: model/run-key.ts makes the keys',
    forbidden:
      /\.(?:get|set|has|add|delete)\((?:\w+\.)*(?:event|result|stability|row|item|unit|testCase|entry)\??\.id\b|`[^`]*\\0\$\{[^}]*\bid\}/,
    // Cases as they are written have no variants.
    allowed: ['model/run-key.ts', 'run/outputs/save-turns.ts', 'pipeline/sources/', 'recordings/'],
    example: 'open.get(result.id)',
  },
  {
    name: 'clocks are read only in time/',
    forbidden: /\b(Date\.now\b|performance\.(now|timeOrigin)\b|process\.(hrtime|uptime)\b|new Date\(\))/,
    allowed: ['time/'],
    example: 'const start = performance.now()',
  },
  {
    name: 'sockets are opened only in http/ and fleet/redis/, and served only in viewer/, proxy/, mcp/ and mock-tools/',
    forbidden:
      /from 'node:(net|tls|http|https|http2|dgram)'|import\('node:(net|tls|http|https|http2|dgram)'\)|['"]undici[/'"]|(?<![.\w])fetch\(|^(?!import type).*['"](ioredis|bullmq)['"]/,
    allowed: ['http/', 'fleet/redis/', 'viewer/', 'recordings/proxy/', 'mcp/http.ts', 'mock-tools/serve-http.ts'],
    example: "import net from 'node:net'",
  },
  {
    name: 'processes are started only in process/',
    forbidden: /['"](node:)?(child_process|cluster)['"]/,
    allowed: ['process/'],
    example: "import { spawn } from 'node:child_process'",
  },
  {
    name: 'threads are started only for patterns that RE2 lacks',
    forbidden: /['"](node:)?worker_threads['"]/,
    allowed: ['pipeline/assert/search-thread.ts'],
    example: "import { Worker } from 'node:worker_threads'",
  },
  {
    name: 'operating systems are told apart only in process/platform/',
    forbidden: /\bprocess\.platform\b|['"`]\/proc\b|\/bin\/sh\b|\bulimit\b/,
    allowed: [
      'process/platform/',
      'files/opened-path.ts', // asks, and does without an answer
    ],
    example: "if (process.platform === 'win32') return",
  },
  {
    name: 'work runs side by side only where it is named',
    forbidden: /\bPromise\.(all|allSettled|race|any)\(/,
    allowed: [
      'pipeline/execute/scheduler.ts', // cases
      'pipeline/sources/attachments.ts', // files of one message
      'agents/package/tools/tool-loop.ts', // the tool calls of one answer
      'agents/package/tools/server-calls.ts', // `mcp.CallToolsParallel`
      'agents/reply/collect-answer.ts', // parts of one SDK result
      'agents/targets/acp.ts', // closing
      'http/connections.ts', // closing
      'process/', // streams of one process
      'scripts/host/pool.ts', // closing
      'agents/module-host/module-pool.ts', // closing
      'agents/module-host/modules.ts', // closing
      'viewer/',
      'pipeline/report/html/assets.ts',
      'cli/commands/report.ts',
    ],
    example: 'await Promise.all(cases.map(run))',
  },
  {
    // Two runs in one process share nothing: what belongs to a run lives in it.
    name: 'state outlives a run only where it cannot tell one run from another',
    forbidden: /^(export )?let |^(export )?const [a-z]\w*(: .+)? = (new (Map|Set|WeakMap|WeakSet)\b|\[\]|\{\})/,
    allowed: [
      'cli/ending.ts', // the process itself, which has one front door
      // Loaded or found once: libraries, our own files, Intl.
      'base/graphemes.ts',
      'files/shipped.ts',
      'pipeline/assert/text-diff.ts',
      'pipeline/assert/words.ts',
      'process/child-entry.ts',
      'scripts/compile/syntax-tree.ts',
      'version.ts',
      // Made from a string, a number or a rule alone, and always the same.
      'base/duration.ts',
      'base/hidden.ts',
      'base/json/json-path.ts',
      'json-schema/compile-schema.ts',
      'base/regex.ts',
      'model/event-shape.ts',
      'json-schema/compile-schema.ts',
      'pipeline/assert/quick-check.ts',
      'pipeline/fold/statistics/normal.ts',
      'redact/apply-rule.ts',
      'redact/redactor.ts',
      'time/iso-now.ts',
      'agents/targets/load-module.ts', // what Node has imported, which it does once in a process
      'base/id-table.ts', // registers: written and read in one call
      // By an object that belongs to one run, and gone with it.
      'agents/package/delegate.ts',
      'agents/package/tools/check-arguments.ts',
      'http/exchange.ts',
      'time/abort.ts',
      'pipeline/assert/contract/registry.ts', // never changed
      'pipeline/assert/registry.ts', // never changed
    ],
    example: 'const open = new Map<string, Socket>()',
  },
  {
    name: 'what is tested or configured is never evaluated as code',
    forbidden: /\beval\(|\bnew Function\(|from 'node:vm'/,
    allowed: [],
    example: 'eval(answer)',
  },
  {
    name: 'product code imports nothing from the tests',
    forbidden: /(from |import\()'((\.\.\/)+test\/|vitest'|[^']*\.test\.js')/,
    allowed: ['vitest.ts'], // the matchers for vitest
    example: "import { ROOT } from '../../test/support/run-cli.js'",
  },
]

/** Found today and not yet fixed: the list may only get shorter. */
const KNOWN: Record<string, string[]> = {}

const files = productFiles()
  .map((path) => ({ path: relative(`${ROOT}/src`, path), lines: readFileSync(path, 'utf8').split('\n') }))
  .filter(({ path }) => !ELSEWHERE.some((place) => path.startsWith(place)))

describe.each(RULES)('$name', (rule) => {
  test('holds', () => {
    const broken = files.filter(({ path }) => !isAllowed(rule, path)).flatMap((file) => violations(rule, file))
    const known = KNOWN[rule.name] ?? []
    expect(broken.filter((line) => !known.includes(line.split(':')[0] ?? ''))).toEqual([])
    const stale = known.filter((path) => !broken.some((line) => line.startsWith(`${path}:`)))
    expect(stale, 'put right: take them off the list').toEqual([])
  })

  test('can fail', () => {
    expect(violations(rule, { path: 'agents/example.ts', lines: [rule.example] })).toHaveLength(1)
  })

  test('names no place that is gone', () => {
    const gone = rule.allowed.filter((place) => !files.some(({ path }) => path.startsWith(place)))
    expect(gone).toEqual([])
  })
})

function isAllowed(rule: Rule, path: string): boolean {
  return rule.allowed.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
}

function violations(rule: Rule, { path, lines }: { path: string; lines: string[] }): string[] {
  return lines.flatMap((line, index) => {
    const isComment = /^\s*(\/\/|\*|\/\*\*)/.test(line)
    const isTypeOnly = /^import type\b/.test(line)
    return !isComment && !isTypeOnly && rule.forbidden.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []
  })
}
