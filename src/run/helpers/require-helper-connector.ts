// Judge, simulator and generator are the same for all variants: if variants bring connectors, none of those is a helper's.
import { isBuiltinHelper } from '../../agents/helpers/built-in-ids.js'
import { isRecord } from '../../base/record.js'
import { UserError } from '../../errors.js'
import type { Planned } from '../../model/plan.js'
import type { DetectedInput } from '../../pipeline/sources/detect.js'
import type { Settings } from '../settings.js'

/** The connector that built-in helpers use if the configuration names none. */
export function fallbackConnector({ options, variants }: Settings): string | undefined {
  const [first] = variants
  return variants.length > 1 && variants.some(({ connector }) => connector !== first?.connector)
    ? undefined
    : options.connector
}

/** Known before the first case: a judge without a connector must not be discovered by each of them. */
export async function requireHelperConnector(planned: AsyncIterable<Planned[]>, settings: Settings): Promise<void> {
  const { variants, config } = settings
  if (variants.length < 2 || config.helpers?.connector !== undefined || fallbackConnector(settings) !== undefined)
    return
  for await (const batch of planned) {
    for (const { unit } of batch) {
      if (unit.kind !== 'case' || unit.testCase.skip) continue
      const needs = asksBuiltIn(unit.testCase, settings)
      if (needs !== undefined) throw noConnector(needs, unit.testCase.id)
    }
  }
}

/** Cases are generated before there are any to look at. */
export function requireGeneratorConnector(settings: Settings, input: DetectedInput): void {
  const { variants, config } = settings
  if (variants.length < 2 || config.helpers?.connector !== undefined || fallbackConnector(settings) !== undefined)
    return
  if (input.kind === 'generator_agent' && input.value.startsWith('viva.cases')) throw noConnector('generator')
}

function asksBuiltIn(testCase: object, { options }: Settings): string | undefined {
  const { simulator } = testCase as { simulator?: { use?: string; options?: { connector?: string } } }
  if (simulator && isBare({ use: options.simulator, ...simulator })) return 'simulator'
  return hasBareJudge(testCase) ? 'judge' : undefined
}

/** Wherever it is: in a turn, a checkpoint, a group of assertions. */
function hasBareJudge(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasBareJudge)
  if (!isRecord(value)) return false
  const { type } = value
  if ((type === 'agent' || type === 'rubric') && isBare(value)) return true
  return Object.values(value).some(hasBareJudge)
}

function isBare({ use, options }: { use?: unknown; options?: unknown }): boolean {
  const own = isRecord(options) ? options['connector'] : undefined
  const name = typeof use === 'string' ? use.replace(/^agents:/, '') : undefined
  return own === undefined && (name === undefined || isBuiltinHelper(name))
}

function noConnector(role: string, id?: string): UserError {
  return new UserError({
    code: 'NO_HELPER_CONNECTOR',
    message: `the ${role}${id === undefined ? '' : ` of ${id}`} has no connector: with several variants it is never one of theirs`,
    hint: 'set helpers.connector in viva.config, so that all variants have the same judge and the same user',
  })
}
