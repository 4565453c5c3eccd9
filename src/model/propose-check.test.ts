// Proposals follow only from what a sentence says outright. A wrong one is worse than none.
import { expect, test } from 'vitest'
import { compileAssertions } from '../pipeline/assert/compile.js'
import { proposeCheck } from './propose-check.js'

const code = (...patterns: string[]) =>
  patterns.length === 1 ? one(patterns[0] ?? '') : { type: 'all', assertions: patterns.map(one) }
const one = (pattern: string) =>
  pattern.startsWith('!')
    ? { type: 'code_contains', pattern: pattern.slice(1), negate: true }
    : { type: 'code_contains', pattern }

const PROPOSED: Array<[string, object]> = [
  [
    'Uses PageHeader and Stack components for the layout instead of nested divs',
    code('\\bPageHeader\\b', '\\bStack\\b'),
  ],
  ['Includes SheetTitle for accessibility (visible or hidden)', code('\\bSheetTitle\\b')],
  ['Uses useDeferredValue for the search box.', code('\\buseDeferredValue\\b')],
  ['Popover component includes PopoverAnchor', code('\\bPopoverAnchor\\b')],
  ['Links in lists use the data-active attribute (data-active="true")', code('\\bdata-active\\b')],
  ['Uses Spinner component for the time of loading', code('\\bSpinner\\b')],
  ['Uses mt-* instead of pt-* or pb-* for spacing', code('\\bmt-', '!\\bpt-', '!\\bpb-')],
  ['Uses chart library (@visx/shape) instead of d3', code('@visx/shape\\b')],
  ['Calls `db.close()` in the cleanup', code('\\bdb\\.close\\s*\\(')],
  ['No `eval()`', code('!\\beval\\s*\\(')],
  ['Does not use forwardRef', code('!\\bforwardRef\\b')],
  ['Mentions --dry-run', { type: 'contains', value: '--dry-run' }],
  ['The response says "not enough rights"', { type: 'contains', value: 'not enough rights' }],
  ['Creates a file named report.md', { type: 'file_exists', path: 'report.md' }],
  ['A CLAUDE.md is created or updated at the repo root', { type: 'file_exists', path: 'CLAUDE.md' }],
  ['out/data.json is valid JSON', { type: 'file_json', path: 'out/data.json', schema: true }],
]
test.each(PROPOSED)('%s', (text, spec) => {
  expect(proposeCheck(text)).toEqual(spec)
  expect(() => compileAssertions([spec])).not.toThrow()
})

test.each([
  // A condition, a choice, an example: the name need not be there.
  'Uses useMemo when the list is long',
  'Uses SheetTitle or SheetDescription',
  'Uses size-* when width and height are equal instead of separate w-* h-*',
  'Uses semantic tokens (e.g. bg-background, text-muted-foreground)',
  'Uses tokens like bg-background',
  'Uses an appropriate hook, such as useReducer',
  'Should use useReducer if needed',
  // Ruled out only for one purpose.
  'No manual dark: color overrides',
  'No size-4 classes on icons inside buttons',
  'Does not use forwardRef for plain inputs',
  'Avoids useEffect where an event handler would do',
  'Form does not use forwardRef',
  "Component doesn't include DialogTitle",
  'Uses no useEffect',
  'Uses a ref without forwardRef',
  // Words of English.
  'Uses Switch for independent toggles',
  'Uses well-known names',
  'Uses clear language and short sentences',
  'Has fewer useState calls than before',
  'Explains why useEffect is not needed',
  'Does NOT wire up unattended publishing',
  'Saves the result to a new file',
  'Creates Daily/YYYY-MM-DD.md',
  'Output includes valid JSON',
  '',
  `Uses ${'FieldGroup, '.repeat(100)}Field`,
])('nothing is proposed for: %s', (text) => {
  expect(proposeCheck(text)).toBeUndefined()
})
