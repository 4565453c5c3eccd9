// `skill_invoked`: whether the agent used a skill, by its own report of what it did, never by its words.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import { isNamesake, skillsIn, type SkillUse } from '../../../model/skill-use.js'
import { defineAssertion, notAvailable, type Verdict } from '../define-assertion.js'

export const skillInvoked = defineAssertion({
  type: 'skill_invoked',
  summary:
    'The agent used this skill (default: the one under test), by its own report: a tool that loads it, or SKILL.md read. An error where the agent does not report that, or was not offered the skill',
  example: { type: 'skill_invoked', skill: 'word-count' },
  on: 'actions',
  schema: v.object({ skill: v.optional(v.pipe(v.string(), v.minLength(1))) }),

  choiceOf: ({ skill, negate }) =>
    typeof skill === 'string' ? { of: 'skill', expected: negate === true ? null : skill } : undefined,

  compile({ skill: named, negate }) {
    return (evidence) => {
      const skill = named ?? evidence.skills?.tested
      if (skill === undefined)
        return notAvailable('no skill is named: give "skill", or test one with -n skill:DIR --with TARGET')
      return verdictOn(skill, useOf(evidence), negate === true)
    }
  },
})

/** What its calls show is proof of use; that they show none is no proof that there was none. */
function useOf({ skills, tool_calls }: Evidence): SkillUse | undefined {
  if (skills) return skills
  const seen = skillsIn(tool_calls)
  return seen.invoked.length > 0 ? seen : undefined
}

function verdictOn(skill: string, use: SkillUse | undefined, negate: boolean): Verdict {
  const others = use?.invoked.filter((name) => name !== skill) ?? []
  const also = others.length > 0 ? { near: `used ${others.join(', ')}` } : {}
  if (use?.invoked.includes(skill))
    return { passed: true, message: `the skill "${skill}" was used`, chosen: { taken: skill, ...also } }
  if (!use)
    return notAvailable(
      `whether the agent used the skill "${skill}" is not known: it does not report the skills it uses. Use an agent whose skills Viva can read, or let its reply say "skills": {"offered": […], "invoked": […]}`,
    )
  if (use.unclear?.includes(skill))
    return notAvailable(
      `whether the agent used the skill "${skill}" is not clear: a call names it, but failed, or does not show that its SKILL.md was read`,
    )
  const namesake = others.find((name) => isNamesake(name, skill))
  if (namesake !== undefined)
    return notAvailable(
      `whether the agent used the skill "${skill}" is not clear: it used "${namesake}", which may be a copy of it. Remove one of the two, or name the one that is meant`,
    )
  if (!use.offered)
    return notAvailable(
      `the agent did not use the skill "${skill}", but whether it was offered to its model is not known: that is no verdict on the skill`,
    )
  if (!use.offered.includes(skill))
    return notAvailable(
      `skill_not_offered: the model was not offered the skill "${skill}", so it could not use it; offered: ${use.offered.join(', ') || 'none'}`,
    )
  return {
    passed: false,
    message: `the skill "${skill}" was not used; ${others.length > 0 ? `used instead: ${others.join(', ')}` : 'no skill was'}`,
    expected: skill,
    actual: use.invoked,
    // Where it should stay quiet, another one may well be right.
    chosen: negate ? { taken: null, ...also } : { taken: others[0] ?? null, ...(others.length > 1 && also) },
  }
}
