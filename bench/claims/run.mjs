// Does `claims` tell what is backed from what is not? Against the runs of a real model, on public data: how many texts of
// good runs it flags, how many writes it misses when they are taken away, how many planted values it finds.
import { resolve } from 'node:path'
import { loadProduct } from '../support/product.mjs'
import { record } from '../support/record.mjs'
import { randomFrom } from '../suite/statistics.mjs'
import { plants } from './plants.mjs'
import { claimsWrite, entriesOf, isWrite, readRuns, textsOf } from './tau-bench.mjs'

const folder = process.argv[2]
const isVerbose = process.argv.includes('--list')
if (folder === undefined) {
  console.error('usage: node bench/claims/run.mjs FOLDER [--list], which holds tau-bench/')
  process.exit(2)
}
const SEEDS = [1, 2, 3, 4, 5]
const EACH = 70
const { claimsOfRecord } = await loadProduct('claims')
const runs = readRuns(resolve(folder))
const good = runs.filter((run) => run.good)
const lines = []
const isFlag = ({ verdict }) => verdict !== 'backed'
const share = (part, whole) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`
/** Nobody's data is kept in the results. */
const quoted = (text) => (isVerbose ? `: "${shown(text)}"` : '')
const shown = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 160)

goodTexts()
dropped()
planted()
if (!isVerbose) record('claims: tau-bench airline', lines.join('\n'))
else console.log(lines.join('\n'))

function goodTexts() {
  const found = good.flatMap((run) =>
    claimsOfRecord({ entries: entriesOf(run.messages) }).map((claims, index) => ({
      run,
      index,
      claims,
      flags: claims.filter(isFlag),
    })),
  )
  const flagged = found.filter(({ flags }) => flags.length > 0)
  const verdicts = found.flatMap(({ claims }) => claims)
  lines.push(
    `**Texts of good runs flagged:** ${share(flagged.length, found.length)}; ${verdicts.length} claims, ${verdicts.filter(isFlag).length} of them not backed.`,
  )
  if (isVerbose)
    for (const { run, index, flags } of flagged)
      lines.push(
        `- ${run.name}, text ${index + 1}: ${flags.map(({ kind, text, verdict, evidence }) => `${verdict} ${kind} "${shown(text)}" (${evidence ?? ''})`).join('; ')}`,
      )
}

/** A write is claimed if a text between it and the next write says that something of its kind was done. */
function dropped() {
  const tries = good.flatMap((run) => {
    const calls = entriesOf(run.messages)
    const writes = calls.filter(({ kind, call }) => kind === 'call' && isWrite(call))
    return writes.map((entry) => ({ run, entries: calls, entry, several: writes.length > 1 }))
  })
  const results = tries.map(({ run, entries, entry, several }) => {
    const at = entries.indexOf(entry)
    const first = textsOf(entries.slice(0, at)).length
    const whole = claimsOfRecord({ entries })
    const without = claimsOfRecord({ entries: entries.filter((each) => each !== entry) })
    const fresh = without.map((claims, index) =>
      index < first
        ? []
        : claims.filter(
            (claim) =>
              isFlag(claim) &&
              !whole[index].some((was) => isFlag(was) && was.start === claim.start && was.kind === claim.kind),
          ),
    )
    const said = textsOf(entries).slice(first)
    const own = said.slice(0, nextWrite(entries, at))
    return {
      run,
      entry,
      several,
      claims: own.some((text) => claimsWrite(text, entry.call)),
      text: own[0] ?? '(no text follows)',
      found: fresh.flat().length > 0,
      byAction: fresh.flat().some(({ kind }) => kind === 'action'),
    }
  })
  const claiming = results.filter(({ claims }) => claims)
  const found = claiming.filter((each) => each.found)
  const several = claiming.filter((each) => each.several)
  lines.push(
    '',
    `**Successful writes dropped with their result:** ${results.length}, of which a text claims ${claiming.length}; flagged ${share(found.length, claiming.length)}, ${claiming.filter(({ byAction }) => byAction).length} of them by what was done. One of several: ${share(several.filter((each) => each.found).length, several.length)}.`,
    ...claiming
      .filter((each) => !each.found)
      .map(({ run, entry, text }) => `- not flagged: ${run.name}, ${entry.call.name}${quoted(text)}`),
    ...results
      .filter(({ claims }) => !claims)
      .map(
        ({ run, entry, text, found: isFound }) =>
          `- not claimed${isFound ? ', flagged' : ''}: ${run.name}, ${entry.call.name}${quoted(text)}`,
      ),
  )
}

/** How many texts follow until the next write. */
function nextWrite(entries, at) {
  const next = entries.findIndex((entry, index) => index > at && entry.kind === 'call' && isWrite(entry.call))
  const texts = textsOf(entries.slice(at, next < 0 ? undefined : next)).length
  return Math.max(1, texts)
}

/** One true value of an answer is changed; it is found if what overlaps it is flagged. */
function planted() {
  const bySeed = SEEDS.map(plantedWith)
  const [rows] = bySeed
  const countOf = (list) => list.filter(({ found }) => found).length
  lines.push(
    '',
    `**Planted**, seed ${SEEDS[0]}, and the shares found over seeds ${SEEDS[0]}–${SEEDS.at(-1)}, lowest to highest:`,
    '',
    '| kind | planted | found | all seeds |',
    '| --- | --: | --: | --: |',
  )
  for (const kind of ['amount', 'id', 'date', undefined]) {
    const ofKind = (list) => list.filter((row) => kind === undefined || row.kind === kind)
    const shares = bySeed.map(ofKind).map((list) => (100 * countOf(list)) / list.length)
    const own = ofKind(rows)
    lines.push(
      `| ${kind ?? 'all'} | ${own.length} | ${share(countOf(own), own.length)} | ${Math.min(...shares).toFixed(1)}–${Math.max(...shares).toFixed(1)}% |`,
    )
  }
  const missed = rows.filter(({ found }) => !found)
  lines.push(
    '',
    `Of the ${missed.length} that were not found, ${missed.filter(({ elsewhere }) => elsewhere).length} are true of something else in the conversation.`,
  )
  if (isVerbose)
    for (const { run, index, was, now, text, start, seen, elsewhere } of missed)
      lines.push(
        `- ${run.name}, text ${index + 1}: ${was} → ${now}${seen ? '' : ' (not seen)'}${elsewhere ? ' (elsewhere)' : ''}: "${shown(text.slice(Math.max(0, start - 60), start + 60))}"`,
      )
}

function plantedWith(seed) {
  return plants(good, EACH, randomFrom(seed)).map((plant) => {
    const { run, index, text, start, end } = plant
    let n = -1
    const entries = entriesOf(run.messages).map((entry) => {
      if (entry.kind === 'answer') n += 1
      return entry.kind === 'answer' && n === index ? { ...entry, text } : entry
    })
    const claims = claimsOfRecord({ entries })[index]
    const own = claims.filter((claim) => claim.kind !== 'action' && claim.start < end && start < claim.end)
    return { ...plant, seen: own.length > 0, found: own.some(isFlag), elsewhere: isElsewhere(entries, index, plant) }
  })
}

function isElsewhere(entries, index, { now }) {
  let n = -1
  const before = []
  for (const entry of entries) {
    if (entry.kind === 'answer') n += 1
    if (n === index) break
    before.push(JSON.stringify(entry))
  }
  const figures = now.replaceAll(/[$,]/g, '')
  return before.some(
    (text) => text.includes(now) || (/^\d+$/.test(figures) && new RegExp(`(?<!\\d)${figures}(?!\\d)`).test(text)),
  )
}
