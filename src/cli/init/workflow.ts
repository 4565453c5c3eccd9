// The workflow that `viva init` writes: it runs the same commands, in a repository with a package.json and in one without.
import { readTemplate } from '../../files/shipped.js'
import { version } from '../../version.js'
import type { InitKind } from './kinds.js'

export function workflow({ setup, tests, ready }: InitKind): string {
  const commands = tests.map(
    (test, index) => `npx viva test ${test}${index === 0 ? ' -o results.jsonl -o junit.xml' : ''}`,
  )
  const lines = [...setup, ...(ready === undefined ? [] : [`until curl -sf ${ready}; do sleep 0.2; done`]), ...commands]
  return readTemplate('init/workflow.yml')
    .replace('VERSION', () => version())
    .replace(/^( +)COMMANDS$/m, (_, indent: string) => lines.map((line) => indent + line).join('\n'))
}
