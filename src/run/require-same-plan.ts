// `--resume`: the second part of a run has the cases of the first, which ask and check what they did then.
import { UserError } from '../errors.js'
import type { Fingerprint } from '../model/fingerprint.js'
import { caseKey, type CaseKey } from '../model/run-key.js'
import { readEvents } from '../pipeline/record/read-events.js'
import type { Interrupted } from './resume.js'
import type { Settings } from './settings.js'
import type { Work } from './work.js'

/** `warn`: about a file that cannot tell. */
export async function requireSamePlan(
  work: Work,
  { interrupted, options }: Settings,
  warn: (text: string) => void,
): Promise<void> {
  // A generator produces other cases every time.
  if (!interrupted || (work.mode === 'agent' && work.source.kind === 'generator')) return
  const { plan, input_hash } = interrupted.start
  if (!plan) warn(`${interrupted.path} has no fingerprints of its cases: only their file is known to be the same`)
  if (plan ? isSamePlan(plan, work) : options.force || isSameFile(input_hash, work)) return
  const { changed, gone } = plan ? await comparedCases(work, interrupted) : { changed: [], gone: [] }
  // Their verdicts are about something else, whatever one is ready to accept.
  if (options.force && changed.length === 0) return
  throw new UserError({
    code: 'INPUT_CHANGED',
    message: `${work.label} has changed since the run in ${interrupted.path} began${listed([...changed, ...gone])}`,
    hint:
      changed.length > 0
        ? 'start a new run: the verdicts in the file are about what these cases asked and checked before'
        : 'start a new run, or continue anyway with --force (finished ids are not run again)',
  })
}

function isSamePlan(plan: NonNullable<Interrupted['start']['plan']>, { digest }: Work): boolean {
  return plan.count === digest.count && plan.digest === digest.toString()
}

function isSameFile(before: string | undefined, work: Work): boolean {
  const now = work.mode === 'agent' ? work.source.hash : undefined
  return before === undefined || now === undefined || before === now
}

const SHOWN = 5

function listed(changed: readonly string[]): string {
  if (changed.length === 0) return ''
  return `: ${changed.slice(0, SHOWN).join(', ')}${changed.length > SHOWN ? ', …' : ''}`
}

/** Of those that are done; what the others asked is only in the digest. */
async function comparedCases(work: Work, { path }: Interrupted): Promise<{ changed: string[]; gone: string[] }> {
  const before = new Map<CaseKey, Fingerprint & { id: string }>()
  for await (const event of readEvents(path)) {
    if (event.type !== 'result' || event.asked === undefined || event.judged === undefined) continue
    const { id, asked, judged } = event
    before.set(caseKey({ id }), { id, asked, judged })
  }
  const changed: string[] = []
  for await (const batch of work.planned())
    for (const { unit } of batch) {
      if (unit.kind !== 'case') continue
      // Variants have the same cases.
      const key = caseKey({ id: unit.testCase.id })
      const was = before.get(key)
      before.delete(key)
      if (!was || !unit.print) continue
      if (was.asked !== unit.print.asked) changed.push(`${unit.testCase.id} asks something else`)
      else if (was.judged !== unit.print.judged) changed.push(`${unit.testCase.id} is judged differently`)
    }
  return { changed, gone: Array.from(before.values(), ({ id }) => `${id} is gone`) }
}
