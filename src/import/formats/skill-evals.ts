// `evals/evals.json` of an agent skill: a prompt, files to work on, and what must be true of the result.
import { recordFormat } from '../format.js'
import { judgeFor } from '../imported.js'

export const SKILL_EVALS = recordFormat({
  id: 'skill-evals',
  label: 'evals.json of a skill',
  around: { list: ['evals'], idle: ['skill_name'] },
  is: (record) =>
    typeof record['prompt'] === 'string' &&
    ['expectations', 'assertions', 'expected_output', 'files'].some((name) => name in record),
  read: (one) => {
    const expected = one.text('expected_output')
    const claims = (one.list('expectations', 'assertions') ?? []).flatMap((claim) => {
      const text = typeof claim.value === 'string' ? claim.take() : claim.text('text')
      return typeof text === 'string' && text !== '' ? [text] : []
    })
    const files = one.list('files') ?? []
    return {
      id: one.data('id'),
      name: one.text('name', 'eval_name'),
      input: one.text('prompt') ?? '',
      assert: [
        ...(expected ? [judgeFor(`The result is this: ${expected}`)] : []),
        ...claims.map((claim) => judgeFor(claim)),
      ],
      lost:
        files.length > 0
          ? [`files: ${files.map((file) => String(file.take())).join(', ')} (put them into a workspace of the case)`]
          : [],
      hasOwnKeys: true,
    }
  },
  note: 'the skill itself is installed where the agent runs',
})
