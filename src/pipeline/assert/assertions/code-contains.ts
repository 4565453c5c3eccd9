// `code_contains`: the code that the agent wrote, wherever it put it, matches a pattern. What it says about its code is
// not code.
import * as v from 'valibot'
import { fencesOf } from '../../../base/json/find-json.js'
import { plural } from '../../../base/format.js'
import { asText } from '../../../base/text.js'
import type { Evidence } from '../../../model/evidence.js'
import { defineAssertion, type AssertServices } from '../define-assertion.js'
import { requirePattern } from '../patterns.js'

export const codeContains = defineAssertion({
  type: 'code_contains',
  summary:
    'Code that the agent wrote, in files of its workspace that it added or changed or in code blocks of its answer, matches a pattern',
  example: { type: 'code_contains', pattern: '\\bFieldGroup\\b' },
  on: 'workspace',
  schema: v.object({ pattern: v.pipe(v.string(), v.nonEmpty()) }),

  compile({ pattern, negate }, { field }) {
    const re2 = requirePattern(pattern, `${field}.pattern`, negate === true)
    return async (evidence, services) => {
      const { texts, unread } = await codeOf(evidence, services)
      for (const { where, text } of texts) {
        const hit = re2.find(text)
        if (!hit) continue
        const line = text.slice(0, hit.index).split('\n').length
        return { passed: true, message: `${where}, line ${line}`, actual: hit.text }
      }
      if (texts.length === 0 && unread.length === 0)
        return { passed: false, message: NOTHING, expected: pattern, actual: 'nothing', absent: NOTHING }
      const [first] = unread
      return {
        passed: false,
        message: `${plural(texts.length, 'piece')} of code searched, none matches ${pattern}`,
        expected: pattern,
        actual: texts.map(({ where }) => where).join(', '),
        ...(first !== undefined && { incomplete: `${first} could not be searched` }),
      }
    }
  },
})

const NOTHING = 'the agent wrote no code: no file was added or changed, and its answer has no code block'

interface Code {
  texts: Array<{ where: string; text: string }>
  /** Files that cannot be searched. */
  unread: string[]
}

async function codeOf(
  { changes = [], changes_left_out = 0, output }: Evidence,
  { workspace }: AssertServices,
): Promise<Code> {
  const texts: Code['texts'] = []
  const unread: string[] = []
  for (const { path, change } of changes) {
    if (change === 'deleted') continue
    const found = await workspace?.read(path)
    if (found?.kind === 'text') texts.push({ where: path, text: found.text })
    // An image is not code, and neither is what is gone.
    else if (found?.kind === 'too_big' || found?.kind === 'refused') unread.push(path)
  }
  if (changes_left_out > 0) unread.push(plural(changes_left_out, 'more changed file'))
  for (const [index, { content }] of fencesOf(asText(output)).entries())
    texts.push({ where: `code block ${index + 1} of the answer`, text: content })
  return { texts, unread }
}
