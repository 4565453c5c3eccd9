// `testing` of a case and of the configuration: the tools of the test, and where its state is read.
import * as v from 'valibot'
import { text } from './case-schema-base.js'
import { about, optional } from './schema-parts.js'

export const testingEntries = {
  tools: optional(
    about(
      v.union(
        [text(), v.record(v.string(), v.unknown())],
        '{field} must be the path of a file of tools, or an object, found {found}',
      ),
      'Tools that the test provides: the path of a module with a store ("./tools.ts") or of a file with fixed answers ("./tools.yml"); or an object of tools that are replaced: name → result or {"script": "scripts:…"}.',
    ),
  ),
  state: optional(
    about(
      text(),
      'A script function that returns the state, called before and after the case: for state_equals and state_changed.',
    ),
  ),
}
