// `skills` of a reply: what an agent of one's own says about the skills it had and used.
import { isRecord, isStrings } from '../../base/record.js'
import type { SkillUse } from '../../model/skill-use.js'

/** Undefined unless it is that: among other data it may be anything. Which skill is tested is not for the agent to say. */
export function readSkillUse(value: unknown): SkillUse | undefined {
  if (!isRecord(value)) return undefined
  const { offered, invoked, unclear } = value
  if (!isStrings(invoked) || (offered !== undefined && !isStrings(offered))) return undefined
  return { ...(offered && { offered }), invoked, ...(isStrings(unclear) && unclear.length > 0 && { unclear }) }
}
