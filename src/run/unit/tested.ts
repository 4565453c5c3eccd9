// What is tested: an agent for each variant, and the proof that each of them can do what its variant says.
import { dirname, join, relative, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { findUpward } from '../../agents/resolve-id.js'
import { isEqual } from '../../base/equal.js'
import { isStarted } from '../../agents/resolve-target.js'
import type { Agent } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import type { AgentEntry } from '../../model/config.js'
import type { VariantSpec } from '../../model/variant.js'
import { packageDir, requireConnector } from './agent-package.js'
import { requireEndpoints } from './endpoint-flags.js'
import { identical } from '../../config/read-variants.js'
import type { Project } from '../project.js'
import type { AgentHome, Settings } from '../settings.js'

export interface Tested {
  /** Its name in results; a single one has none. */
  variant: string | undefined
  spec: VariantSpec
  agent: Agent
  /** Its model is a mock, whose script may call tools that the package does not declare. */
  scripted: boolean
  /** The package whose scripts judge it: its own, or where the tests are. */
  testsDir: string | undefined
}

/** Those that the case is for. */
export function testedWith(testCase: TestCase, tested: readonly Tested[]): Tested[] {
  return tested.filter(({ agent }) => agent.leavesOut?.(testCase) === undefined)
}

export async function resolveTested(settings: Settings, project: Project): Promise<Tested[]> {
  const { variants, places } = settings
  requireEndpoints(settings)
  const tested: Tested[] = []
  const dir = variants.some(({ target }) => target === undefined) ? agentFolder(settings) : settings.dir
  for (const spec of variants) {
    const place = places?.get(spec.name)
    const { agent: found, scripted } = await (place
      ? resolveAt(place, spec, { ...settings, dir }, project)
      : resolveHere(spec, { ...settings, dir }, project))
    const agent = spec.skill ? await withSkillOf(found, spec, settings) : found
    if (spec.name !== '') requireHonoured(spec, agent, variants.length > 1, settings)
    const testsDir = packageDir(agent)
    tested.push({ variant: variants.length > 1 ? spec.name : undefined, spec, agent, scripted, testsDir })
  }
  // The tests are those of the last.
  if (places) for (const each of tested) each.testsDir = tested.at(-1)?.testsDir
  for (const [index, one] of tested.entries()) {
    const same = tested.slice(0, index).find((other) => isEqual(effective(other, settings), effective(one, settings)))
    if (same) throw identical(same.spec.name, one.spec.name)
  }
  return tested
}

async function withSkillOf(
  agent: Agent,
  { skill, target = '' }: VariantSpec,
  { cwd, config }: Settings,
): Promise<Agent> {
  if (!skill) return agent
  const { withSkill } = await import('../../agents/skills/with-skill.js')
  return withSkill(agent, skill, { cwd, command: targetOf(config.agents?.[target]) ?? target })
}

function targetOf(entry: AgentEntry | string | undefined): string | undefined {
  return typeof entry === 'string' ? entry : entry?.target
}

/** All of several files must lead to the same agent: none of them is tested with another's. */
function agentFolder({ dir, input: { files }, cwd }: Settings): string {
  if (files.length < 2) return dir
  const folders = new Map(files.map((file) => [dirname(resolve(cwd, file)), file]))
  const agents = new Map([...folders].map(([folder, file]) => [findUpward(folder).found, file]))
  const [one, other] = agents.values()
  if (agents.size < 2) return [...folders.keys()][0] ?? dir
  throw new UserError({
    code: 'SEVERAL_AGENTS',
    message: `${one} and ${other} belong to different agents: ${[...agents.keys()].map((agent) => agent ?? 'none').join(', ')}`,
    hint: 'name the agent with -n, or run the files of each agent separately',
  })
}

async function resolveHere(spec: VariantSpec, { dir, options }: ResolveFrom, project: Project): Promise<Resolved> {
  const agents = await (spec.env ? project.agentsWith(spec.env) : project.agents())
  const agent = await agents.resolve(spec.target, { dir })
  const connector = await requireConnector(agent, spec.connector, project).catch((error: unknown) => {
    // Workers have the keys, and find out for themselves.
    if (options.queue !== undefined && error instanceof UserError) return undefined
    throw error
  })
  return { agent, scripted: connector?.type === 'mock' }
}

async function resolveAt(place: AgentHome, spec: VariantSpec, settings: Settings, project: Project): Promise<Resolved> {
  try {
    const dir = join(place.cwd, relative(settings.cwd, settings.dir))
    return await resolveHere(spec, { ...settings, dir }, project.at(place))
  } catch (error) {
    throw error instanceof UserError ? place.explain(error) : error
  }
}

type Resolved = Pick<Tested, 'agent' | 'scripted'>
type ResolveFrom = Pick<Settings, 'dir' | 'options'>

/** What the variant does to the agent, on top of the agent's own settings. One in its own folder is a different one. */
function effective(
  { spec: { name, target: _target, connector, ...spec }, agent }: Tested,
  { places }: Settings,
): unknown {
  const place = places?.get(name)?.cwd
  return { agent: agent.id, path: agent.path, connector: connector ?? agent.connector, place, ...spec }
}

/** A setting that reaches nothing would turn one variant into two, and the difference between them would be chance. */
function requireHonoured(spec: VariantSpec, agent: Agent, several: boolean, { config, options }: Settings): void {
  const isPackage = packageDir(agent) !== undefined
  const { target = '' } = spec
  const isConfigured = Object.hasOwn(config.agents ?? {}, target)
  const ignored =
    (several &&
      spec.connector !== undefined &&
      spec.connector !== options.connector &&
      agent.sees !== undefined &&
      `connector=${spec.connector}`) ||
    (spec.descriptions !== undefined && agent.offers === undefined && `descriptions=${spec.descriptions}`) ||
    (spec.preset !== undefined && !isPackage && `preset=${spec.preset}`) ||
    (spec.options !== undefined &&
      agent.sees === 'nothing' &&
      `options.${Object.keys(spec.options).join(', options.')}`) ||
    (spec.env !== undefined &&
      (agent.recorded !== undefined || !(isPackage || isConfigured || isStarted(target))) &&
      `env.${Object.keys(spec.env).join(', env.')}`)
  if (ignored === false) return
  throw new UserError({
    code: 'VARIANT_IGNORED',
    subject: { flag: '--variant' },
    message: `variant "${spec.name}": ${ignored} has no effect on ${agent.id}`,
    hint: 'descriptions reach models that are offered tools; connectors, presets and options reach agent packages, and modules and programs that read their options; leave it out, or name another target',
  })
}
