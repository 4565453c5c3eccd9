// `npm test -- changed [base]`: what a change can break – unit tests that import it, and the black-box tests of its room.
import { execFileSync } from 'node:child_process'

/** Room → black-box tests that go through it. What is not listed runs everything. */
const BLACK_BOX = {
  'src/agents': ['test/agents', 'test/conversations', 'test/faults', 'test/examples.test.ts'],
  'src/connectors': ['test/agents', 'test/faults/http-agents.test.ts', 'test/examples.test.ts'],
  'src/http': ['test/agents', 'test/faults/http-agents.test.ts', 'test/faults/answers.test.ts'],
  'src/process': ['test/process', 'test/faults', 'test/scripts', 'test/agents'],
  'src/scripts': ['test/scripts', 'test/faults/scripts.test.ts', 'test/seeds/commands.test.ts'],
  'src/fleet': ['test/fleet'],
  'src/mcp': ['test/mcp'],
  'src/tools': ['test/tools', 'test/mcp'],
  'src/recordings': ['test/recordings', 'test/variants/recordings.test.ts', 'test/tools/record-replay.test.ts'],
  'src/orchestrator': ['test/orchestrator', 'test/library/run-loop.test.ts'],
  'src/workspaces': ['test/workspaces', 'test/tools'],
  'src/revisions': ['test/diff'],
  'src/interceptors': ['test/chaos.test.ts', 'test/recordings', 'test/assertions/snapshots.test.ts', 'test/fleet'],
  'src/snapshots': ['test/assertions/snapshots.test.ts'],
  'src/redact': ['test/faults/secrets.test.ts', 'test/reports'],
  'src/cli': ['test/cli', 'test/loop', 'test/faults/signals.test.ts', 'test/docs.test.ts'],
  'src/run': ['test/cli', 'test/faults', 'test/reports'],
  'src/viewer': ['test/viewer', 'test/reports/view.test.ts'],
  'src/pipeline/sources': ['test/cli', 'test/bad-inputs.test.ts', 'test/conformance.test.ts', 'test/seeds'],
  'src/pipeline/plan': ['test/cli', 'test/reports/stability.test.ts'],
  'src/pipeline/execute': ['test/conversations', 'test/faults', 'test/seeds', 'test/conformance.test.ts'],
  'src/pipeline/assert': ['test/conversations', 'test/seeds', 'test/conformance.test.ts'],
  'src/pipeline/record': ['test/faults', 'test/reports'],
  'src/pipeline/fold': ['test/reports', 'test/cli'],
  'src/pipeline/report': ['test/reports', 'test/viewer', 'test/seeds'],
  templates: ['test/cli/project.test.ts', 'test/scripts', 'test/import'],
  docs: ['test/docs.test.ts'],
  examples: ['test/examples.test.ts'],
  bench: [],
}
const ALWAYS = ['test/architecture.test.ts', 'test/rules.test.ts']

/** Test files and folders for what differs from `base`, uncommitted changes included; undefined means all of them. */
export function changedTests(base = 'main') {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const [from] = git('merge-base', base, 'HEAD')
  const files = [...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')]
  const tests = new Set(ALWAYS)
  for (const file of files) {
    if (file.endsWith('.test.ts')) tests.add(file)
    else if (file.endsWith('.md') && !file.includes('/')) tests.add('test/docs.test.ts')
    else {
      const room = Object.keys(BLACK_BOX).find((name) => file.startsWith(`${name}/`))
      if (room === undefined) return undefined
      if (room.startsWith('src/')) tests.add(room)
      for (const path of BLACK_BOX[room]) tests.add(path)
    }
  }
  return [...tests]
}
