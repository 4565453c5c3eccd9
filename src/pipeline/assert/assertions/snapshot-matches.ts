// `snapshot_matches`: the files of the workspace are those that a person has accepted.
import * as v from 'valibot'
import { redactedPaths } from '../../../model/config-schema.js'
import { pathTexts } from '../../../model/redacted-path.js'
import { PLAIN_NAME, PLAIN_NAME_RULE } from '../../../base/plain-name.js'
import { defineAssertion, notAvailable, SpecError } from '../define-assertion.js'
import { requirePath } from '../on-answer.js'
import { inWorkspace } from './files.js'
import { requirePatterns, verdictOfSnapshot } from './snapshot.js'

export const snapshotMatches = defineAssertion({
  type: 'snapshot_matches',
  summary:
    'The files of the workspace are those of the accepted snapshot; `redactions` names what may differ, in `patterns` and `paths` such as `$.files["a.txt"]`',
  example: { type: 'snapshot_matches', snapshot_id: 'approved_state', redactions: { patterns: { $TIMESTAMP: true } } },
  on: 'workspace',
  schema: v.object({
    snapshot_id: v.pipe(v.string(), v.regex(PLAIN_NAME, `must match ${PLAIN_NAME_RULE}`)),
    redactions: v.optional(
      v.strictObject({
        patterns: v.optional(v.record(v.string(), v.union([v.string(), v.boolean()]))),
        paths: v.optional(redactedPaths()),
      }),
    ),
  }),

  compile({ snapshot_id, redactions = {}, negate }, { field }) {
    if (negate === true)
      throw new SpecError(`${field}.negate`, 'anything other than the snapshot would pass: it shows nothing')
    if (field.startsWith('checkpoints'))
      throw new SpecError(field, 'a checkpoint is tried after every turn: put the snapshot into final_assertions')
    const { patterns = {}, paths = [] } = redactions
    requirePatterns(patterns, `${field}.redactions.patterns`)
    for (const [index, path] of pathTexts(paths).entries()) {
      requirePath(path, `${field}.redactions.paths[${index}]`)
      if (/^\$(?:\.files)?$/.test(path.trim()))
        throw new SpecError(`${field}.redactions.paths[${index}]`, 'hides every file: nothing is left to compare')
    }
    return (evidence, services) =>
      inWorkspace(async (files) => {
        const snapshots = await services.snapshots?.()
        if (!snapshots) return notAvailable('snapshots are not kept here')
        const value = { files: await files.contents() }
        return verdictOfSnapshot(snapshots.compare({ name: snapshot_id, value, redactions: { patterns, paths } }))
      })(evidence, services)
  },
})
