// Skills that the agent used, by its own report, read as assertions read it.
import { skillsIn } from '../../../model/skill-use.js'
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
  *reached({ calls, result }) {
    const seen = skillsIn(calls.map(({ call }) => call)).invoked
    yield* new Set([...seen, ...(result.skills?.invoked ?? [])])
  },
}
