// Skills that the agent used, by its own report: a tool called Skill, or reading the skill's SKILL.md.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const skills: SurfaceKind = {
  name: 'skills',
  title: 'Skills',
  never: 'never used',
  places: ({ lists, about }) =>
    lists.skills?.map((name) => ({
      name,
      aim: { wanted: 'The agent uses this skill.', about: { skill: name, ...about.get(aboutKey('skills', name)) } },
    })),
  *reached({ calls }) {
    for (const { name, args, failed, call } of calls) {
      if (failed) continue
      const named = /^skill$/i.test(name) ? (args?.['skill'] ?? args?.['name'] ?? args?.['command']) : undefined
      if (typeof named === 'string') yield named
      const texts = [...Object.values(args ?? {}), ...(call.locations ?? []).map(({ path }) => path)]
      for (const text of texts) {
        const read = typeof text === 'string' ? /([^\\/\s"']+)[\\/]SKILL\.md\b/.exec(text)?.[1] : undefined
        if (read !== undefined) yield read
      }
    }
  },
}
