// The flags of `viva diff`: those of a run that also apply to two revisions, and its own.
import { flagsAlsoOf, type Flag } from './flags.js'
import { PRACTICAL_FLAG } from './practical-flag.js'

const OWN: Flag[] = [
  {
    key: 'worktree',
    long: '--worktree',
    kind: 'switch',
    group: 'Project',
    description: 'compare with the working tree, including uncommitted and untracked files but not ignored ones',
  },
  {
    key: 'setup',
    long: '--setup',
    value: '<command>',
    kind: 'text',
    group: 'Project',
    description:
      'command to run on each side before the cases; installed packages are cached by lock file. Without it, node_modules is shared if both sides have the same lock file and no links into the repository',
    example: '--setup "npm ci && npm run build"',
  },
  {
    key: 'link',
    long: '--link',
    value: '<path>',
    kind: 'list',
    group: 'Project',
    description: 'a file or folder that git ignores and both sides need, such as .env; repeatable',
  },
  {
    key: 'runs',
    long: '--runs',
    value: '<n|auto>',
    kind: 'runs',
    group: 'Repetition',
    description:
      'runs per case on each side; auto: until there is a decision, checked after 1, 2, 3, 5, 8, 13, 21 and 30',
    default: '1',
  },
  {
    key: 'margin',
    long: '--margin',
    value: '<points>',
    kind: 'number',
    min: 0,
    max: 100,
    group: 'Running',
    description: 'percentage points by which the pass rate may drop',
    default: '5',
  },
  {
    key: 'practical_points',
    long: '--practical-points',
    value: '<points>',
    kind: 'number',
    min: 0,
    max: 100,
    group: 'Running',
    description: 'a drop counts as worse only beyond this many percentage points; at most the margin',
    default: '1',
  },
  PRACTICAL_FLAG,
  {
    key: 'fail_on',
    long: '--fail-on',
    value: '<what>',
    kind: 'list',
    group: 'Running',
    description:
      'also exit 1 without a decision (undecided), if single cases pass less often than chance explains (regression), or if behaviour changed (drift); repeatable',
  },
  {
    key: 'allow_changed_cases',
    long: '--allow-changed-cases',
    kind: 'switch',
    group: 'Running',
    description: 'with --fail-on regression: allow cases of the left revision to be removed or changed',
  },
  {
    key: 'fail_fast',
    long: '--fail-fast',
    kind: 'switch',
    group: 'Running',
    description: 'refused: one side would have fewer results than the other',
  },
  {
    key: 'comment',
    long: '--comment',
    value: '<file>',
    kind: 'text',
    group: 'Output',
    description: 'write the result as Markdown, for a pull request comment',
  },
  {
    key: 'json',
    long: '--json',
    kind: 'switch',
    group: 'Output',
    description: 'print the result as JSON, and nothing else',
  },
]

export const DIFF_FLAGS: Flag[] = [...flagsAlsoOf('diff'), ...OWN]
