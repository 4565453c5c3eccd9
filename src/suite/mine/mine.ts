// `viva mine`: from good runs, the assertions that held in all of them; the fewest that kill the most mutants.
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import type { Conduct } from '../conduct.js'
import { mutantsOf } from '../mutate/mutants.js'
import { learn, trustedFor, type Knowledge } from '../mutate/mutate.js'
import { outputIn } from '../mutate/change.js'
import { propose } from '../propose/proposals.js'
import type { RecordedCase, Suite } from '../read-suite.js'

export interface MinedCase {
  id: string
  file?: string
  support: number
  assertions: Array<{ place: string; assertion: AssertionSpec; kills: string[] }>
  not_examined?: string
}

export async function* mineSuite(suite: Pick<Suite, 'cases' | 'stages'>): AsyncGenerator<MinedCase> {
  const knowledge = await learn(suite)
  for await (const recorded of suite.cases()) yield await mineCase(suite.stages, recorded, knowledge)
}

/** What the case has itself counts: only what it lacks is proposed. */
export async function mineCase(
  stages: Suite['stages'],
  { testCase, goods: passed, problem }: RecordedCase,
  knowledge: Knowledge,
): Promise<MinedCase> {
  const found: MinedCase = {
    id: testCase.id,
    ...(testCase.file !== undefined && { file: testCase.file }),
    support: passed.length,
    assertions: [],
  }
  if (problem !== undefined) return { ...found, not_examined: problem }
  const stage = stages.of(testCase)
  const goods: Conduct[] = []
  for (const good of passed) if ((await stage.play(good)).verdict !== 'failed') goods.push(good)
  const [conduct] = goods
  if (!conduct) return { ...found, not_examined: 'its answers do not pass its own assertions' }
  const survivors: Array<{ what: string; conduct: Conduct }> = []
  const other = knowledge.answers.find((answer) => answer !== outputIn(conduct, conduct.replies.length - 1))
  const original = {
    testCase,
    conduct,
    judged: [conduct.replies.length - 1],
    otherAnswer: other,
    tools: knowledge.examples,
    names: knowledge.names,
  }
  for (const mutant of mutantsOf(original, ignored(testCase)))
    if ((await stage.play(mutant.conduct)).verdict !== 'failed') survivors.push(mutant)
  const proposals = await propose({
    stages,
    testCase,
    goods,
    survivors: survivors.map((mutant) => mutant.conduct),
    candidates: trustedFor(goods, knowledge),
  })
  return {
    ...found,
    support: goods.length,
    assertions: proposals.map(({ place, assertion, kills }) => ({
      place,
      assertion,
      kills: kills.map((index) => survivors[index]?.what ?? ''),
    })),
  }
}

function ignored({ mutations }: TestCase): ReadonlySet<string> {
  return new Set(mutations?.ignore)
}
