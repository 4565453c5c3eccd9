// `-n skill:DIR --with TARGET` → two variants of one agent, without the skill and with it.
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import type { SkillSetting, VariantSpec } from '../model/variant.js'
import type { RunOptions } from './options.js'

const PREFIX = 'skill:'

export function isSkillTarget(target: string): boolean {
  return target.startsWith(PREFIX)
}

/** The folder that `-n` names; undefined: it names no skill. */
export function skillDir(name: unknown): string | undefined {
  return typeof name === 'string' && isSkillTarget(name) && name !== PREFIX ? name.slice(PREFIX.length) : undefined
}

/** The baseline first; undefined: no skill is tested. Throws a UserError for flags that would have no effect. */
export function skillVariants(options: RunOptions): VariantSpec[] | undefined {
  const { name, with: target, skills, skills_folder, variant, connector, model } = options
  if (name === undefined || !isSkillTarget(name)) {
    requireNoSkillFlags(options)
    return undefined
  }
  const dir = name.slice(PREFIX.length)
  if (dir === '')
    throw bad('-n', 'skill: names no folder', 'name the folder with the SKILL.md: -n skill:skills/word-count')
  if (target === undefined) throw noTarget(name)
  if (isSkillTarget(target))
    throw bad('--with', `${target} is a skill, not an agent`, 'name what uses the skill, e.g. --with cli:claude')
  if (variant.length > 0)
    throw bad('--variant', `cannot be used with -n ${name}`, 'its variants are without_skill and with_skill')
  if (connector !== undefined)
    throw bad(
      '-c',
      `has no effect on -n ${name}`,
      'name the model among the arguments of the agent: --with "cli:claude --model MODEL"',
    )
  const side = (which: SkillSetting['side']): VariantSpec => ({
    name: `${which}_skill`,
    target,
    skill: { dir, side: which, beside: skills, ...defined({ folder: skills_folder }) },
    ...(model !== undefined && { options: { model } }),
  })
  return [side('without'), side('with')]
}

function requireNoSkillFlags({ with: target, skills, skills_folder }: RunOptions): void {
  const alone =
    (target !== undefined && '--with') ||
    (skills.length > 0 && '--skills') ||
    (skills_folder !== undefined && '--skills-folder')
  if (alone !== false) throw bad(alone, 'is for a skill under test', 'name the skill with -n skill:DIR')
}

export function oneSkill(): UserError {
  return bad('-n', 'a skill is tested alone: give one -n', 'another skill can be installed beside it with --skills DIR')
}

function noTarget(name: string): UserError {
  return bad(
    '-n',
    `${name} needs an agent that uses the skill: --with is missing`,
    `for example: -n ${name} --with cli:claude`,
  )
}

function bad(flag: string, message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_FLAG', subject: { flag }, message, hint })
}
