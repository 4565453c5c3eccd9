// `skills` of a reply: what an agent of one's own says about the skills it had and used.
import { isRecord } from '../../base/record.js'
import type { SkillUse } from '../../model/skill-use.js'

/** Undefined unless it is that: among other data it may be anything. Which skill is tested is not for the agent to say. */
export function readSkillUse(value: unknown): SkillUse | undefined {
  if (!isRecord(value)) return undefined
  const { offered, invoked, unclear } = value
  if (!isNames(invoked) || (offered !== undefined && !isNames(offered))) return undefined
  return { ...(offered && { offered }), invoked, ...(isNames(unclear) && unclear.length > 0 && { unclear }) }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
