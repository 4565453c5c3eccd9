// `evals/evals.json` of an agent skill: a prompt, files to work on, and what must be true of the result.
import { fieldName } from '../../base/field-name.js'
import { isRecord } from '../../base/record.js'
import { EVAL_KEYS, EXPECTATIONS, readSkillEval } from '../../model/skill-eval.js'
import { proposeCheck } from '../../model/propose-check.js'
import { recordFormat } from '../format.js'

export const SKILL_EVALS = recordFormat({
  id: 'skill-evals',
  label: 'evals.json of a skill',
  around: { list: ['evals'], idle: ['skill_name'] },
  is: (record) =>
    typeof record['prompt'] === 'string' &&
    ['expectations', 'assertions', 'expected_output', 'files'].some((name) => name in record),
  read: (one) => {
    const entry = isRecord(one.value) ? one.value : {}
    const { case: made, files, problems, expectations, describesMore } = readSkillEval(entry, 1)
    one.idle(...EVAL_KEYS)
    // What stands beside a statement is another tool's own, and is listed.
    for (const key of EXPECTATIONS)
      for (const item of one.list(key) ?? []) if (item.text('text') === undefined) item.take()
    const {
      name,
      input,
      assert = [],
    } = made as { name?: string; input: string; assert?: Array<Record<string, unknown>> }
    return {
      id: entry['id'],
      name,
      input,
      assert,
      lost: [
        ...problems.map(({ path, message }) => `${fieldName(path)}: ${message}`),
        ...(files.length > 0
          ? [`files: ${files.map(({ path }) => path).join(', ')} (put them into a workspace of the case)`]
          : []),
        ...(entry['should_trigger'] === undefined ? [] : ['should_trigger']),
      ],
      notes: [
        ...(describesMore ? ['expected_output is not checked: the expectations decide'] : []),
        ...expectations.flatMap(proposalFor),
      ],
      hasOwnKeys: true,
    }
  },
  note: 'the skill itself is installed where the agent runs; viva test -i evals.json runs this file as it is',
})

function proposalFor(expectation: string): string[] {
  const check = proposeCheck(expectation)
  return check ? [`"${expectation}" needs no judge for this part of it; review and add: ${JSON.stringify(check)}`] : []
}
