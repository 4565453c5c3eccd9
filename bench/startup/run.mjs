// What it costs to say hello: `viva --version` and one echo case against a Node that does nothing.
import { compareJobs, ratio, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const node = process.execPath
const ECHO = 'viva test, one echo case'
const results = await compareJobs(
  [
    { name: 'node -e 0', command: node, args: ['-e', '0'] },
    { name: 'viva --version', command: node, args: [VIVA, '--version'] },
    {
      name: ECHO,
      command: node,
      args: [VIVA, 'test', '-i', 'hello', '-n', 'builtin:echo'],
      cwd: WORK,
    },
  ],
  21,
)
const base = results['node -e 0']
const ms = (s) => `${Math.round(s * 1000)} ms`
record(
  'Start-up',
  table(
    ['what', 'CPU (median of 21)', 'spread', 'against node -e 0', 'bar'],
    Object.entries(results).map(([name, r]) => [
      name,
      ms(r.cpu),
      `${ms(r.cpuMin)} – ${ms(r.cpuMax)}`,
      ratio(r.cpu, base.cpu),
      name === ECHO ? '≤ 3.5×' : '',
    ]),
  ),
)
