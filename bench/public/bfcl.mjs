// BFCL, simple and multiple: the verdicts of one assertion on calls that are right or wrong by rule.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertionOf, variantsOf, WHOLE_FLOAT } from './bfcl-cases.mjs'
import { isAcceptable } from './bfcl-rules.mjs'
import { readLines, verdictsOf } from './support.mjs'

const CATEGORIES = ['simple_python', 'multiple']

export async function bfcl(folder, every = 1) {
  const dir = join(folder, 'bfcl')
  const files = CATEGORIES.filter((name) => existsSync(join(dir, `${name}.jsonl`)))
  const questions = files.flatMap((name) => questionsOf(dir, name)).filter((_, index) => index % every === 0)
  const rows = questions.flatMap((question) =>
    variantsOf(question).map(({ kind, calls }, index) => ({
      id: `${question.id}/${index}`,
      task: question.id,
      kind,
      ...(kind === WHOLE_FLOAT && { known: 'a whole float for an integer: 3 and 3.0 are equal' }),
      official: isAcceptable(calls, question),
      reply: { content: 'done', tool_calls: calls },
      assert: assertionOf(question),
    })),
  )
  return { name: `BFCL ${files.join(', ')}`, unit: 'calls', tasks: questions.length, ...(await verdictsOf(rows)) }
}

function questionsOf(dir, name) {
  const answers = new Map(
    readLines(join(dir, `${name}.answers.jsonl`)).map(({ id, ground_truth }) => [id, ground_truth]),
  )
  return readLines(join(dir, `${name}.jsonl`)).map(({ id, function: tools }) => {
    const [[called, acceptable]] = Object.entries(answers.get(id)[0])
    const tool = tools.find((each) => each.name === called)
    const others = tools.filter((each) => each !== tool).map((each) => each.name)
    return { id, name: called, tool, answers: acceptable, others }
  })
}
