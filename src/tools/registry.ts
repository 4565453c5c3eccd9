// The tools, in the order in which they are presented. Library, shell, MCP and the reference are generated from this list.
import { suggest } from '../base/suggest.js'
import { UserError } from '../errors.js'
import type { Tool } from './define-tool.js'
import { testAssert } from './test-assert.js'
import { testBenchmark } from './test-benchmark.js'
import { testChaos } from './test-chaos.js'
import { testCleanup } from './test-cleanup.js'
import { testCompare } from './test-compare.js'
import { testCoverage } from './test-coverage.js'
import { testDiff } from './test-diff.js'
import { testEvaluate } from './test-evaluate.js'
import { testInspect } from './test-inspect.js'
import { testRecord } from './test-record.js'
import { testReplay } from './test-replay.js'
import { testReport } from './test-report.js'
import { testRun } from './test-run.js'
import { testSetup } from './test-setup.js'
import { testSnapshot } from './test-snapshot.js'

export const TOOL_LIST = [
  testSetup,
  testRun,
  testAssert,
  testInspect,
  testCleanup,
  testRecord,
  testReplay,
  testEvaluate,
  testReport,
  testSnapshot,
  testDiff,
  testChaos,
  testBenchmark,
  testCompare,
  testCoverage,
] as const

/** A tool checks its arguments itself before its handler gets them: see `open-tools.ts`. */
export const TOOLS: readonly Tool[] = TOOL_LIST as readonly unknown[] as readonly Tool[]

/** Throws a UserError that names the nearest one. */
export function findTool(name: string, tools: readonly Tool[] = TOOLS): Tool {
  const tool = tools.find((each) => each.name === name)
  if (tool) return tool
  const names = tools.map((each) => each.name)
  const near = suggest(name, names) ?? names.find((each) => each === `test_${name}`)
  throw new UserError({
    code: 'UNKNOWN_TOOL',
    message: `no tool called "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint: `tools: ${names.join(', ')}`,
  })
}
