// The workflow that `viva init` writes: it runs the same commands, with the copy of Viva that the repository has installed.
import { readTemplate } from '../../files/shipped.js'
import { version } from '../../version.js'
import type { Choice } from './choice.js'

export function workflow({ setup, tests, ready }: Choice): string {
  const commands = tests.map(
    (test, index) => `npx --no-install viva test ${test}${index === 0 ? ' -o results.jsonl -o junit.xml' : ''}`,
  )
  const lines = [...setup, ...(ready === undefined ? [] : [`until curl -sf ${ready}; do sleep 0.2; done`]), ...commands]
  return readTemplate('init/workflow.yml')
    .replaceAll('VERSION', () => version())
    .replace(/^( +)COMMANDS$/m, (_, indent: string) => lines.map((line) => indent + line).join('\n'))
}
