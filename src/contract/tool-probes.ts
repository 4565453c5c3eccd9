// A tool, called in every way that its schema suggests.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../base/json/canonical-json.js'
import { messageOf } from '../base/message-of.js'
import { isRecord, readString } from '../base/record.js'
import { compileForeign } from '../json-schema/compile-foreign.js'
import { CANARY } from '../json-schema/values/hostile-texts.js'
import { makeArguments, type MadeArguments, type MakeOptions } from '../json-schema/values/make-arguments.js'
import type { MadeValue } from '../json-schema/values/made-value.js'
import type { Listed, Probe, ProbePurpose, StateChange } from '../model/contract.js'
import { monotonicNow } from '../time/clock.js'
import { compareLists, isSameList, readAgain, readList, type ListReading } from './lists.js'
import { sampleFor } from './sample-here.js'
import { isSuccess } from './probe.js'
import { pause, type Prober } from './prober.js'
import {
  isMeasured,
  readerChanges,
  readersOf,
  readState,
  readTwice,
  type Reader,
  type ReaderChange,
  type Readings,
} from './reader-state.js'
import { describeServer, type ContractContext, type SubjectRun } from './subject-run.js'
import { folderChanges, isSameText, notIn, readFolders, settledFolders, textsIn, type FolderStates } from './watch.js'

export async function probeTool(run: SubjectRun, tool: Listed): Promise<void> {
  const { evidence, prober } = run
  const name = readString(tool['name']) ?? ''
  const made = argumentsFor(tool, run)
  if (typeof made === 'string') {
    evidence.not_called = made
    return
  }
  const session = await describeServer(run)
  if (!session) return
  const listed = await readList(session, 'tools', run.limitMs)
  const isStable = isSameList(listed, await readAgain(listed, run.limitMs), session)
  const watch = await startWatch(run, tool, listed)
  const call = toolCaller(run.prober, tool, name, watch)
  for (const value of made.typical) await call('typical', value)
  const found = await tryOthers(run, tool, call)
  const typical = prober.probes.filter((probe) => probe.purpose === 'typical' && isSuccess(probe))
  // The last one: the state is what it left, and a second call of an earlier one would change it.
  const worked = typical.at(-1)
  if (worked && isReadOnly(tool)) await repeat(run, call, worked)
  await watch.compareReaders()
  if (worked && hints(tool)['idempotentHint'] === true && !isReadOnly(tool)) {
    const cannot = await callAgain(run, watch, worked)
    if (cannot !== undefined) evidence.undecided.push(cannot)
  }
  for (const value of made.wrong) await call('wrong', value)
  if (worked) {
    const from = typical.findLast(({ failed }) => failed === undefined) ?? worked
    const varied = argumentsFor(tool, run, { ...found, worked: prober.paramsOf(from)?.['arguments'] })
    const { boundary, hostile } = typeof varied === 'string' ? made : varied
    for (const value of boundary) await call('boundary', value)
    for (const value of hostile) await call('hostile', value)
    await watch.compareReaders()
  }
  await prober.lastPing()
  // A list that changes by itself is a matter of its own.
  if (isStable) await compareToolList(run, listed)
  await watch.lookLast()
  await confirm(run, watch)
}

function isReadOnly(tool: Listed): boolean {
  return hints(tool)['readOnlyHint'] === true
}

function hints({ annotations }: Listed): Record<string, unknown> {
  return isRecord(annotations) ? annotations : {}
}

const MOST_ROUNDS = 4

/**
 * What is made up may name nothing that exists, and lack what only the description requires: what the errors ask for, and
 * other values, until one of them gets a result. Returns which arguments were tried last.
 */
async function tryOthers({ prober, ...run }: SubjectRun, tool: Listed, call: Call): Promise<Tried> {
  const typical = () => prober.probes.filter(({ purpose }) => purpose === 'typical')
  const seen = new Set(typical().map((probe) => canonicalJson(prober.paramsOf(probe)?.['arguments'])))
  let tried: Tried = {}
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    // Only an error is a reason: a server that is silent or gone stays so.
    if (!typical().every(({ ended, failed }) => ended === 'answered' && failed !== undefined)) break
    tried = { round, asked: askedFor(tool, typical()) }
    const made = argumentsFor(tool, run, tried)
    if (typeof made === 'string') break
    for (const value of made.typical) {
      const key = canonicalJson(value.value)
      if (!seen.has(key)) await call('typical', value)
      seen.add(key)
    }
  }
  return tried
}

type Tried = Pick<MakeOptions, 'round' | 'asked'>

const MOST_ASKED = 4

/** Optional arguments that the errors name: "either text or url must be given". */
function askedFor({ inputSchema }: Listed, probes: readonly Probe[]): string[] {
  const { properties, required } = isRecord(inputSchema) ? inputSchema : {}
  const needed: unknown[] = Array.isArray(required) ? required : []
  const words = new Set(probes.flatMap(({ said = '' }) => said.toLowerCase().match(/[\w$-]+/g) ?? []))
  const names = Object.keys(isRecord(properties) ? properties : {})
  return names.filter((name) => !needed.includes(name) && words.has(name.toLowerCase())).slice(0, MOST_ASKED)
}

const LEAST_READS = 3

/** Some have an effect only after a few calls. */
async function repeat({ prober }: SubjectRun, call: Call, worked: Probe): Promise<void> {
  const value = prober.paramsOf(worked)?.['arguments']
  const made = prober.probes.filter(({ purpose }) => purpose === 'typical').length
  for (let at = made; at < LEAST_READS; at++) await call('typical', { value, why: 'the same again' })
}

/** Why there are none, if there are none. */
function argumentsFor(
  tool: Listed,
  { cwd }: Pick<SubjectRun, 'cwd'>,
  options: Omit<MakeOptions, 'sample'> = {},
): MadeArguments | string {
  const { inputSchema } = tool
  if (!isRecord(inputSchema)) return 'it has no input schema, so there is nothing to make arguments from'
  const sample = sampleFor(tool, cwd)
  try {
    const made = makeArguments(inputSchema, { ...options, sample })
    return made.typical.length > 0 ? made : `no valid arguments could be made: ${made.cannot.join('; ')}`
  } catch (error) {
    return `its input schema cannot be used: ${messageOf(error)}`
  }
}

type Call = (purpose: ProbePurpose, made: MadeValue) => Promise<Probe | undefined>

function toolCaller(prober: Prober, tool: Listed, name: string, watch: Watch): Call {
  const output = outputCheck(tool)
  return async (purpose, { value, why }) => {
    const params = { name, arguments: value as Record<string, unknown> }
    const probe = await prober.send('tools/call', params, { purpose, why, type: 'CallToolResult', output })
    if (probe) watch.look(probe)
    return probe
  }
}

function outputCheck({ outputSchema }: Listed): ((structured: unknown) => string[]) | undefined {
  if (!isRecord(outputSchema)) return undefined
  try {
    return compileForeign(outputSchema)
  } catch {
    // The rule about schemas says so.
    return undefined
  }
}

/** What a tool that should change nothing changes. */
interface Watch {
  isReadOnly: boolean
  readers: Reader[]
  /** Files: after each call. */
  look(probe: Probe): void
  /** What was written a while after the last answer, and when the server ended. */
  lookLast(): Promise<void>
  /** What the readers say: after a group of calls. */
  compareReaders(): Promise<void>
  candidates: StateChange[]
  /** Of the readers: how they were different. */
  said: ReaderChange[]
  began: number
}

async function startWatch(run: SubjectRun, tool: Listed, listed: ListReading): Promise<Watch> {
  const { evidence, folders, prober, cwd, context } = run
  const readOnly = isReadOnly(tool)
  const needsState = readOnly || hints(tool)['idempotentHint'] === true
  // Its own answers would be an effect of itself.
  const others = listed.items.filter(({ name }) => name !== tool['name'])
  const readers = needsState ? readersOf(others, cwd) : []
  // Also for calls that are made twice: a reader that ends the server must not end it between the two.
  const readings = await readTwice(prober, readers, context.distrusted)
  const before = readOnly ? readings : []
  const { generation } = prober
  let files: FolderStates = readOnly ? await settledFolders(folders) : new Map()
  for (const [{ where, path }, state] of files)
    if (state === undefined) evidence.not_watched.push(`${where} (${path}): too many files`)
  if (readOnly && cwd !== undefined && !folders.some(({ where }) => where === 'install'))
    evidence.not_watched.push('the install folder: it is not known, or contains the working folder')
  if (needsState && folders.length === 0 && readings.length === 0)
    evidence.undecided.push('nothing shows its effects: the server is elsewhere, and no other tool reads its state')
  const candidates: StateChange[] = []
  const said: ReaderChange[] = []
  let last: Probe | undefined
  const lookAfter = (probe: Probe): void => {
    const now = readFolders(folders)
    for (const change of folderChanges(files, now))
      if (!candidates.some(({ where, what }) => where === change.where && what === change.what))
        candidates.push({ ...change, probe })
    files = now
  }
  const lookLate = async (waitMs: number): Promise<void> => {
    if (!readOnly || !last || folders.length === 0) return
    await pause(waitMs)
    lookAfter(last)
  }
  return {
    isReadOnly: readOnly,
    readers,
    candidates,
    said,
    began: monotonicNow(),
    look(probe) {
      last = probe
      if (evidence.executed === undefined && folders.some(({ path }) => existsSync(join(path, CANARY))))
        evidence.executed = probe
      if (readOnly) lookAfter(probe)
    },
    async lookLast() {
      await lookLate(LAST_MS)
      await prober.close()
      await lookLate(0)
    },
    async compareReaders() {
      if (before.length === 0 || !last || candidates.some(({ where }) => where === 'reader')) return
      if (prober.generation !== generation) return
      await lookLate(LATE_MS)
      const changes = readerChanges(before, await readState(prober, readers, context.distrusted))
      for (const { reader, before: was, after } of changes)
        candidates.push({ where: 'reader', change: 'changed', what: reader, before: was, after, probe: last })
      said.push(...changes)
      // What the readers themselves have written since is not the tool's.
      files = readFolders(folders)
    },
  }
}

/** The same call once more: nothing may be different from what the first left. Why that cannot be said, if it cannot. */
async function callAgain(run: SubjectRun, { readers }: Watch, worked: Probe): Promise<string | undefined> {
  const { evidence, folders, prober, context } = run
  const params = prober.paramsOf(worked)
  if (!params) return undefined
  const first = prober.generation
  const before = await readTwice(prober, readers, context.distrusted, LEAST_WAIT_MS)
  // Another server has another state.
  if (prober.generation !== first) return RESTARTED
  const files = await settledFolders(folders)
  const texts = textsIn(files)
  const probe = await prober.send('tools/call', params, {
    purpose: 'again',
    why: 'the same call a second time',
    type: 'CallToolResult',
  })
  if (!probe) return `it was not called a second time: ${prober.leftOut.at(-1) ?? ''}`
  // What is wrong with a call that has no answer is said by other rules.
  if (probe.ended !== 'answered') return undefined
  if (prober.generation !== first) return RESTARTED
  await pause(LATE_MS)
  const ofFiles = folderChanges(files, readFolders(folders)).filter((change) => !isSameText(change, texts, folders))
  const seen = readerChanges(before, await readState(prober, readers, context.distrusted))
  const ofReaders = seen.length === 0 ? [] : await confirmAgain(run, readers, seen, params)
  const changes: StateChange[] = [
    ...ofFiles.map((change) => ({ ...change, probe })),
    ...ofReaders.map(({ reader, before: was, after }) => ({
      where: 'reader' as const,
      change: 'changed' as const,
      what: reader,
      before: was,
      after,
      probe,
    })),
  ]
  evidence.changes_again.push(...ownChanges(changes, context))
  return changes.length > evidence.changes_again.length ? NOT_ALONE : undefined
}

/** Another server, called in the same ways, must be different in the same way after the second call. */
async function confirmAgain(
  { context, prober: ofCase, another }: SubjectRun,
  readers: Reader[],
  seen: ReaderChange[],
  params: Record<string, unknown>,
): Promise<ReaderChange[]> {
  const { prober } = await another()
  try {
    await callAlike(prober, ofCase, ofCase.probes.slice(0, -1))
    const before = await readTwice(prober, readers, context.distrusted)
    await prober.send('tools/call', params, { purpose: 'again', type: 'CallToolResult' })
    // What could not be tried a second time stays as it was seen.
    if (prober.leftOut.length > 0 || before.length === 0) return seen
    return seenAgain(readerChanges(before, await readState(prober, readers, context.distrusted)), seen)
  } finally {
    await prober.close()
  }
}

async function callAlike(prober: Prober, ofCase: Prober, probes: readonly Probe[]): Promise<void> {
  for (const probe of probes) {
    const params = ofCase.paramsOf(probe)
    if (params) await prober.send('tools/call', params, { purpose: probe.purpose, type: 'CallToolResult' })
  }
}

/** Without those readers that only measure. */
function seenAgain(changes: readonly ReaderChange[], seen: ReaderChange[]): ReaderChange[] {
  return seen.filter(({ reader, now }) =>
    changes.some((change) => change.reader === reader && !isMeasured(change.places, change.now, now)),
  )
}

/** Without those in what all cases share, if others were under way. */
function ownChanges(changes: StateChange[], context: ContractContext): StateChange[] {
  if (context.isAlone()) return changes
  return changes.filter(({ where }) => where === 'workspace' || where === 'home')
}

const RESTARTED = 'the server had to be started again, so the effect of a second call cannot be compared'
const NOT_ALONE = 'something changed while other cases called the server, too: run it again with --parallel 1'
/** Some write a moment after they have answered. */
const LATE_MS = 250
/** And some collect what they write for a second. */
const LAST_MS = 1100

/** At least a second: what shows the time shows another one then. */
const LEAST_WAIT_MS = 1100
const MOST_WAIT_MS = 3000

/** Another server, left alone for as long: what changes there as well is not the tool's doing. */
async function confirm(run: SubjectRun, watch: Watch): Promise<void> {
  const { evidence, context } = run
  const { readers, began } = watch
  // While others call the server, it changes there without the tool, too: a comparison would excuse everything.
  const candidates = ownChanges(watch.candidates, context)
  if (candidates.length < watch.candidates.length) evidence.undecided.push(NOT_ALONE)
  if (candidates.length === 0) return
  const { prober, folders } = await run.another()
  try {
    const session = await prober.session()
    if (typeof session === 'string') {
      evidence.undecided.push(`something changed, and the server did not start a second time: ${session}`)
      return
    }
    const first = await readState(prober, readers, context.distrusted)
    const files = await settledFolders(folders)
    await pause(Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, monotonicNow() - began)))
    const second = await readState(prober, readers, context.distrusted)
    // What it writes when it ends is not the tool's, either.
    await prober.close()
    const byItself = folderChanges(files, readFolders(folders))
    const ofFiles = notIn(
      candidates.filter(({ where }) => where !== 'reader'),
      byItself,
    )
    const ofReaders = candidates.filter(({ where }) => where === 'reader')
    const confirmed =
      ofReaders.length > 0 ? await confirmReaders(run, prober, watch, { before: [first, second], ofReaders }) : []
    const changed = [...ofFiles, ...confirmed]
    const own = ownChanges(changed, context)
    if (own.length < changed.length) evidence.undecided.push(NOT_ALONE)
    evidence.changes.push(...own)
  } finally {
    await prober.close()
  }
}

/** Called there in the same ways, up to the call after which it was seen, the tool must have the same effect. */
async function confirmReaders(
  { context, evidence, prober: ofCase }: SubjectRun,
  prober: Prober,
  { readers, said }: Watch,
  given: { before: Readings[]; ofReaders: StateChange[] },
): Promise<StateChange[]> {
  const before = [...given.before, ...(await readTwice(prober, readers, context.distrusted))]
  const seenAfter = Math.max(...given.ofReaders.map(({ probe }) => ofCase.probes.indexOf(probe)))
  await callAlike(prober, ofCase, ofCase.probes.slice(0, seenAfter + 1))
  const [notSent] = prober.leftOut
  if (notSent !== undefined) evidence.undecided.push(`something changed, and could not be tried again: ${notSent}`)
  const changes = readerChanges(before, await readState(prober, readers, context.distrusted))
  const confirmed = new Set(seenAgain(changes, said).map(({ reader }) => reader))
  return given.ofReaders.filter(({ what }) => confirmed.has(what))
}

async function compareToolList({ evidence, prober, limitMs }: SubjectRun, before: ListReading): Promise<void> {
  const session = await prober.session()
  if (typeof session === 'string' || before.session !== session) return
  evidence.lists.push(compareLists(before, await readList(session, 'tools', limitMs), session))
}
