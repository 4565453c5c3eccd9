// BFCL, simple and multiple: the verdicts of the imported expectations on calls that are right or wrong by rule.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { VIVA } from '../support/viva.mjs'
import { UNDERSCORES, variantsOf, WHOLE_FLOAT } from './bfcl-cases.mjs'
import { isAcceptable } from './bfcl-rules.mjs'
import { readLines, verdictsOf } from './support.mjs'

const CATEGORIES = ['simple_python', 'multiple']

export async function bfcl(folder, every = 1) {
  const dir = join(folder, 'bfcl')
  const files = CATEGORIES.filter((name) => existsSync(join(dir, `${name}.jsonl`)))
  const all = []
  for (const name of files) all.push(...(await questionsOf(dir, name)))
  const questions = all.filter((_, index) => index % every === 0)
  const rows = questions.flatMap((question) =>
    variantsOf(question).map(({ kind, calls }, index) => ({
      id: `${question.id}/${index}`,
      task: question.id,
      kind,
      ...knownDifference(kind, question),
      official: isAcceptable(calls, question),
      reply: { content: 'done', tool_calls: calls },
      assert: { type: 'expect_tool', ...question.expected },
    })),
  )
  return { name: `BFCL ${files.join(', ')}`, unit: 'calls', tasks: questions.length, ...(await verdictsOf(rows)) }
}

function knownDifference(kind, { name }) {
  if (kind === WHOLE_FLOAT) return { known: 'a whole float for an integer: 3 and 3.0 are equal' }
  if (kind === UNDERSCORES && name.includes('.'))
    return {
      known:
        'a dot written as an underscore: where Viva sends the name to a vendor it does that itself, and reports the name as given',
    }
  return {}
}

/** What is expected is what `viva import` makes of the question. */
export async function questionsOf(dir, name) {
  const imported = await importedFrom(join(dir, `${name}.jsonl`))
  const answers = new Map(
    readLines(join(dir, `${name}.answers.jsonl`)).map(({ id, ground_truth }) => [id, ground_truth]),
  )
  return readLines(join(dir, `${name}.jsonl`)).map(({ id, function: tools }) => {
    const [[called, acceptable]] = Object.entries(answers.get(id)[0])
    const tool = tools.find((each) => each.name === called)
    const others = tools.filter((each) => each !== tool).map((each) => each.name)
    const { expect_tool: expected, tools: offered } = imported.get(id)
    return { id, name: called, tool, answers: acceptable, others, expected, offered }
  })
}

async function importedFrom(file) {
  const dir = mkdtempSync(join(WORK, 'bfcl-'))
  try {
    const { code, stderr } = await measure(process.execPath, [VIVA, 'import', file, '-o', 'out'], { cwd: dir })
    if (code !== 0) throw new Error(`viva import ended with ${code}\n${stderr}`)
    return new Map(readLines(join(dir, 'out/tests/cases.jsonl')).map((each) => [each.id, each]))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
