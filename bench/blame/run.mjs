// Who&When: does Viva name the very step that people say was the first mistake? Without a model, beside trivial guesses.
// The rules know nothing of this data; how many variants of them were tried is part of the result.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadProduct } from '../support/product.mjs'
import { record } from '../support/record.mjs'
import { variants } from './variants.mjs'
import { readLogs } from './who-and-when.mjs'

const given = process.argv[2]
if (given === undefined) {
  console.error('usage: node bench/blame/run.mjs FOLDER, which holds who-and-when/ or its .jsonl files')
  process.exit(2)
}
const inner = join(resolve(given), 'who-and-when')
const logs = readLogs(existsSync(inner) ? inner : resolve(given))
const { firstBadStep, STEP_RULES } = await loadProduct('blame')

const isError = ({ kind, failed }) => kind === 'sees' && failed === true
const isCode = ({ by, text }) => by !== 'Computer_terminal' && text.includes('```')
const orFirst = (at) => (at === -1 ? 0 : at)

const GUESSES = {
  'step 0': () => 0,
  'step 1': () => 1,
  'first error': (steps) => orFirst(steps.findIndex(isError)),
  'first error, charged to its author': (steps) => {
    const at = steps.findIndex(isError)
    return at === -1 ? 0 : orFirst(steps.slice(0, at).findLastIndex(({ kind }) => kind === 'acts'))
  },
  'first message with code': (steps) => orFirst(steps.findIndex(isCode)),
}

const viva = (steps) => firstBadStep(steps)?.at ?? 0
const ways = variants(viva)
const share = (right, all) => `${right} of ${all} (${((right / all) * 100).toFixed(1)}%)`
const rightBy = (find, some = logs) => some.filter(({ steps, truth }) => find(steps) === truth)
const agentBy = (find) => logs.filter(({ steps, agent }) => steps[find(steps)]?.by === agent).length

const rows = Object.entries({ ...GUESSES, '**viva**': viva }).map(
  ([name, find]) => `| ${name} | ${share(rightBy(find).length, logs.length)} | ${share(agentBy(find), logs.length)} |`,
)
const decided = STEP_RULES.map(({ id }) => {
  const own = logs.filter(({ steps }) => firstBadStep(steps)?.rule === id)
  return `${id} ${rightBy(viva, own).length} of ${own.length}`
})
const rate = rightBy(viva).length / logs.length
const error = Math.sqrt((rate * (1 - rate)) / logs.length) * 100

record(
  'blame: Who&When, first wrong step',
  [
    `${logs.length} logs of failed multi-agent conversations; right means the very step that people labelled. No model is called.`,
    '',
    '| guess | exact step | its agent |',
    '| --- | --: | --: |',
    ...rows,
    '',
    `One standard error is ${error.toFixed(1)} points. ${ways.length} ways to combine the rules were tried; with the best of them on all other logs, each log left out once, ${share(leaveOneOut(), logs.length)} are right.`,
    `${STEP_RULES.length} rules, by which one decided: ${decided.join(', ')}.`,
  ].join('\n'),
)

/** For each log: the way that is best on all others, put to this one; of several as good, the worst for us. */
function leaveOneOut() {
  const hits = ways.map((way) => logs.map(({ steps, truth }) => (way(steps) ?? 0) === truth))
  const totals = hits.map((list) => list.filter(Boolean).length)
  return logs.filter((_, at) => {
    const others = totals.map((total, way) => total - (hits[way][at] ? 1 : 0))
    const most = Math.max(...others)
    return hits.every((list, way) => others[way] < most || list[at])
  }).length
}
