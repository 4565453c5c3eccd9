// Judges and simulators that no model answers for are found before the first case, not by each of them.
import { builtinHelperFor, isBuiltinHelper } from '../../agents/helpers/built-in-ids.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { UserError } from '../../errors.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { helperId, type HelperRole } from '../../model/helper.js'
import type { Planned } from '../../model/plan.js'
import type { DetectedInput } from '../../pipeline/sources/detect.js'
import type { Project } from '../project.js'
import type { Judges } from './judge-entry.js'
import type { Settings } from '../settings.js'
import { packageDir } from '../unit/agent-package.js'

export type HelperSettings = Pick<Settings, 'options' | 'variants' | 'config'>

/**
 * The connector that built-in helpers use if the configuration names none. Judge, simulator and generator are the same
 * for all variants: if variants bring connectors, none of those is a helper's.
 */
function fallbackConnector({ options, variants }: HelperSettings): string | undefined {
  const [first] = variants
  return variants.length > 1 && variants.some(({ connector }) => connector !== first?.connector)
    ? undefined
    : options.connector
}

/** What a built-in helper asks, unless its package or the assertion says otherwise. */
export function helperConnector(role: HelperRole, settings: HelperSettings): string | undefined {
  const { options, config } = settings
  const own = role === 'validator' ? options.judge : undefined
  return own ?? config.helpers?.connector ?? fallbackConnector(settings)
}

/** `isOffline`: what is asked is replayed, so that no key is needed. */
export async function requireHelperModels(
  planned: AsyncIterable<Planned[]>,
  {
    settings,
    project,
    judges,
    isOffline,
  }: { settings: Settings; project: Project; judges: Judges; isOffline: boolean },
): Promise<void> {
  const known = new Set<string>()
  for await (const batch of planned) {
    for (const { unit } of batch) {
      if (unit.kind !== 'case' || unit.testCase.skip) continue
      for (const asked of askedHelpers(unit.testCase, settings.options)) {
        const key = JSON.stringify(asked)
        if (known.has(key)) continue
        await requireModel(asked, unit.testCase.id, { settings, project, isOffline })
        if (asked.role === 'validator') await judges.settle(asked)
        known.add(key)
      }
    }
  }
}

/** Cases are generated before there are any to look at. */
export function requireGeneratorConnector(settings: Settings, input: DetectedInput): void {
  if (settings.variants.length < 2 || helperConnector('generator', settings) !== undefined) return
  if (input.kind === 'generator_agent' && input.value.startsWith('viva.cases')) throw noModel('generator', settings)
}

interface AskedHelper {
  role: HelperRole
  use: string
  /** `options.connector`. */
  connector?: string
}

/** Those that a case asks for. The built-in user of mere checkpoints may never be asked. */
export function askedHelpers(
  { simulator, turns, assertions, final_assertions, checkpoints }: TestCase,
  { simulator: usual }: Pick<Settings['options'], 'simulator'>,
): AskedHelper[] {
  const isConversation = simulator !== undefined || turns !== undefined || (checkpoints?.length ?? 0) > 0
  const user = simulator ?? (usual !== undefined && isConversation ? {} : undefined)
  const specs = [
    ...assertions,
    ...(turns ?? []).flatMap((turn) => turn.assertions),
    ...(final_assertions ?? []),
    ...(checkpoints ?? []).map(({ assertion }) => assertion),
  ]
  return [...(user ? [asked('simulator', { use: usual, ...user })] : []), ...specs.flatMap(judgesOf)]
}

/** Of an assertion and, if it is a group, of its members. */
function judgesOf(spec: AssertionSpec): AskedHelper[] {
  const { type, assertions } = spec
  if (Array.isArray(assertions))
    return assertions.filter(isRecord).flatMap((member) => judgesOf(member as AssertionSpec))
  return type === 'agent' || type === 'rubric' ? [asked('validator', spec)] : []
}

function asked(role: HelperRole, { use, options }: Record<string, unknown>): AskedHelper {
  const connector = isRecord(options) ? options['connector'] : undefined
  return {
    role,
    use: helperId(typeof use === 'string' ? use : builtinHelperFor(role)),
    ...(typeof connector === 'string' && { connector }),
  }
}

async function requireModel(
  { role, use, connector }: AskedHelper,
  caseId: string,
  { settings, project, isOffline }: { settings: Settings; project: Project; isOffline: boolean },
): Promise<void> {
  const isOurs = isBuiltinHelper(use)
  // Only packages ask models through connectors; whether there is such a helper at all is checked elsewhere.
  if (!isOurs && /^\.|[:/#]|^scripts\./.test(use)) return
  const agent = await (await project.agents()).resolveHelper(use).catch(ignoreMistake)
  if (!agent || packageDir(agent) === undefined) return
  const own = connector ?? agent.connector
  const id = own ?? (isOurs ? helperConnector(role, settings) : undefined)
  if (id === undefined) {
    // A hook may choose one, or be all there is.
    if (!isOurs && agent.reads && agent.reads.scripts.length > 0) return
    throw noModel(role, settings, caseId, isOurs ? undefined : use)
  }
  // The keys of a fleet are with its workers.
  if (isOffline || settings.options.queue !== undefined) return
  try {
    await (await project.connectors()).get(id, defined({ agentDir: agent.path }))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw error.as({ message: `${wordFor(role)} of ${caseId} has no model: ${error.message}` })
  }
}

function ignoreMistake(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error
}

function noModel(role: HelperRole, { variants }: Settings, caseId?: string, use?: string): UserError {
  const whose = caseId === undefined ? '' : ` of ${caseId}`
  const why = variants.length > 1 ? ': with several variants, none of their models is used for it' : ''
  const flag =
    role === 'validator' ? '--judge openai:MODEL or another connector' : '-c openai:MODEL or another connector'
  const hint =
    use === undefined
      ? `give ${flag}, set helpers.connector in viva.config or options.connector${role === 'validator' ? ', pass -c' : ''}, or name an agent of your own in "use"`
      : `set "connector" in the package.yao of ${use}, or options.connector`
  return new UserError({
    code: 'NO_HELPER_CONNECTOR',
    message: `${wordFor(role)}${whose} has no model${why}`,
    hint:
      variants.length > 1 && use === undefined
        ? `${role === 'validator' ? `give ${flag}, or ` : ''}set helpers.connector in viva.config, so that all variants have the same judge and the same user`
        : hint,
  })
}

export function wordFor(role: HelperRole): string {
  return role === 'validator' ? 'the judge' : `the ${role}`
}
