// An agent with a skill in each of its workspaces, or without: otherwise both are the same.
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply } from '../../model/agent.js'
import { isNamesake, skillsIn, type SkillUse } from '../../model/skill-use.js'
import type { SkillSetting } from '../../model/variant.js'
import type { WorkspaceCopy } from '../../model/workspace.js'
import { loadSkill, type Skill } from './skill-folder.js'
import { skillsFolderOf } from './skills-folder.js'

export interface SkillContext {
  cwd: string
  /** The target behind the agent's name. */
  command: string
}

/** Throws a UserError if the skill is not one, or the agent cannot be given any. */
export async function withSkill(agent: Agent, setting: SkillSetting, { cwd, command }: SkillContext): Promise<Agent> {
  const { dir, side, beside } = setting
  const skill = await loadSkill(dir, cwd)
  const others: Skill[] = []
  for (const other of beside) others.push(await loadSkill(other, cwd))
  requireDistinct(skill, others)
  if (agent.workspaces === undefined) throw noFolders(agent)
  const folder = setting.folder ?? (await skillsFolderOf(command))
  if (folder === undefined) throw unknownFolder(agent)
  const installed = side === 'with' ? [skill, ...others] : others
  const copies = installed.flatMap((each) => copiesOf(each, folder))
  const skills = Object.fromEntries(installed.map(({ name, hash }) => [name, hash]))
  return {
    ...agent,
    skill: skill.name,
    skills,
    // Both sides: whatever else differs would be taken for the effect of the skill.
    furnish: (given = {}) => {
      const spec = agent.furnish?.(given) ?? given
      return { ...spec, home: spec.home ?? [], copies: [...(spec.copies ?? []), ...copies] }
    },
    leavesOut: ({ should_trigger }) =>
      side === 'without' && should_trigger !== undefined
        ? 'whether a skill is used can only be seen where it is installed'
        : undefined,
    async send(request) {
      const reply = await agent.send({ ...request, context: { ...request.context, skills } })
      return requireSide(reply, skill.name, side)
    },
  }
}

function copiesOf({ name, files }: Skill, folder: string): WorkspaceCopy[] {
  return files.map(({ path, from }) => ({ from, to: `${folder}/${name}/${path}` }))
}

/** On the wrong side of the comparison an answer says nothing about the skill. */
function requireSide(reply: AgentReply, tested: string, side: SkillSetting['side']): AgentReply {
  const use: SkillUse | undefined = reply.skills && { tested, ...reply.skills }
  const seen = use ?? skillsIn(reply.tool_calls)
  const offered = use?.offered
  const isUsed = seen.invoked.includes(tested)
  const given: AgentReply = use ? { ...reply, skills: use } : reply
  if (side === 'with' && offered && !offered.includes(tested) && !isUsed) throw notOffered(given, tested, offered)
  const had = [...(offered ?? []), ...seen.invoked].find((name) => name === tested || isNamesake(name, tested))
  if (side === 'without' && had !== undefined) throw offeredAnyway(given, tested, had)
  return given
}

function notOffered(partial: AgentReply, tested: string, offered: string[]): AgentError {
  return new AgentError({
    code: 'config',
    message: `skill_not_offered: the skill "${tested}" was installed, but the agent did not offer it to its model; offered: ${offered.join(', ') || 'none'}`,
    hint: 'check that the agent looks for skills in that folder (--skills-folder) and that nothing in its settings hides it',
    retry: false,
    partial,
  })
}

function offeredAnyway(partial: AgentReply, tested: string, had: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `skill_offered_without: this is the side without the skill "${tested}", but the agent had it${had === tested ? '' : `, as "${had}"`}`,
    hint: 'it came from elsewhere: a parent folder, a plugin, a variable that names another home folder, or the fixtures of the case',
    retry: false,
    partial,
  })
}

function requireDistinct(skill: Skill, others: Skill[]): void {
  const names = [skill, ...others].map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return
  throw new UserError({
    code: 'BAD_SKILL',
    subject: { flag: '--skills' },
    message: `two skills are called "${twice}"`,
    hint: 'an agent finds skills by their names: leave one of them out',
  })
}

function noFolders({ id }: Agent): UserError {
  return new UserError({
    code: 'NO_SKILLS',
    subject: { flag: '--with' },
    message: `${id} cannot work in a folder, so it cannot be given skills`,
    hint: 'skills are for coding agents (cli:claude, acp:command), programs (exec:) and functions of an SDK',
  })
}

function unknownFolder({ id }: Agent): UserError {
  return new UserError({
    code: 'NO_SKILLS',
    subject: { flag: '--with' },
    message: `where ${id} looks for skills is not known`,
    hint: 'say it with --skills-folder, below the working folder, e.g. --skills-folder .claude/skills',
  })
}
