// The workflow that `viva init` writes: it runs the same commands, in a repository with a package.json and in one without.
import { version } from '../../version.js'
import type { Scaffold } from './scaffold.js'

export function workflow({ setup, tests, ready }: Scaffold): string {
  const commands = tests.map(
    (test, index) => `npx viva test ${test}${index === 0 ? ' -o results.jsonl -o junit.xml' : ''}`,
  )
  const lines = [...setup, ...(ready === undefined ? [] : [`until curl -sf ${ready}; do sleep 0.2; done`]), ...commands]
  return `name: agent tests
on: [push, pull_request]
jobs:
  viva:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: if [ -f package-lock.json ]; then npm ci; else npm install --no-save viva@${version()}; fi
      - run: |
${lines.map((line) => `          ${line}\n`).join('')}`
}
