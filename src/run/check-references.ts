// Whatever the cases of a file name must exist before the first of them runs: connectors, helpers, scripts, tools.
import { UserError, type Problem } from '../errors.js'
import type { Agent } from '../model/agent.js'
import type { AssertionSpec } from '../model/assertion.js'
import { SHIPPED_PREFIX } from '../model/shipped-check.js'
import { namesOfNoTool, parseToolName } from '../agents/package/tools/tool-names.js'
import { checkAssertion } from '../pipeline/assert/compile.js'
import { settingsFiles } from '../pipeline/assert/shipped-settings.js'
import type { CheckAssertion } from '../pipeline/sources/check-case.js'
import type { CheckOptions } from '../pipeline/sources/check-values.js'
import type { CheckReference } from '../pipeline/sources/references.js'
import { isRecord } from '../base/record.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { listed } from '../base/text.js'
import { packageDir, requireConnector } from './unit/agent-package.js'
import type { Project } from './project.js'
import { requireFunction, requireHelper } from './helpers/require-helper.js'
import type { Settings } from './settings.js'
import type { ToolFile } from '../mock-tools/tool-file.js'
import type { Tested } from './unit/tested.js'

/** Of every agent under test: a case must fit all of them. */
export function referenceChecks(
  tested: readonly Tested[],
  project: Project,
  settings: Pick<Settings, 'appRoot' | 'dir' | 'config'>,
): CheckOptions {
  const different = tested.filter(
    ({ agent, scripted }, at) =>
      tested.findIndex((other) => other.agent === agent && other.scripted === scripted) === at,
  )
  const all = different.map((each) => checksOf(each, project, settings))
  const [only] = all
  return all.length === 1 && only ? only : joined(all)
}

function joined(all: readonly AgentChecks[]): CheckOptions {
  const each =
    (pick: (checks: AgentChecks) => CheckReference | undefined): CheckReference =>
    async (name, field) => {
      for (const checks of all) {
        const problems = (await pick(checks)?.(name, field)) ?? []
        if (problems.length > 0) return problems
      }
      return []
    }
  const ofAll =
    (pick: (checks: AgentChecks) => CheckAssertion): CheckAssertion =>
    (spec, field, doubts) => {
      const found = all.map((checks) => pick(checks)(spec, field, doubts))
      return found.find((checked) => Array.isArray(checked)) ?? found[0] ?? []
    }
  return {
    checkAssertion: ofAll((checks) => checks.checkAssertion),
    checkGivenAssertion: ofAll((checks) => checks.checkGivenAssertion),
    checkHelper: each((checks) => checks.checkHelper),
    checkHook: each((checks) => checks.checkHook),
    checkConnector: each((checks) => checks.checkConnector),
    checkTools: each((checks) => checks.checkTools),
    checkOffer: (tools) => all.flatMap((checks) => checks.checkOffer?.(tools) ?? [])[0],
    checkCall: each((checks) => checks.checkCall),
    checkExpected: each((checks) => checks.checkExpected),
    checkStub: (name) => {
      const found = all.flatMap((checks) => checks.checkStub(name) ?? [])
      return found.find((mistake) => 'problem' in mistake) ?? found[0]
    },
  }
}

type AgentChecks = CheckOptions & Required<Pick<CheckOptions, 'checkAssertion' | 'checkGivenAssertion' | 'checkStub'>>

function checksOf(
  { agent, scripted, testsDir }: Tested,
  project: Project,
  { appRoot, dir, config }: Pick<Settings, 'appRoot' | 'dir' | 'config'>,
): AgentChecks {
  const place = { project, appRoot, dir, agentDir: testsDir }
  const { allTools, tools: named = [] } = agent
  const hasFile = typeof config.testing?.tools === 'string'
  // The script of a mock calls what it likes, unless the package says which tools there are; a bare model has those that
  // the options of a case give it.
  const mayHaveOthers = scripted || packageDir(agent) === undefined
  const tools = allTools === 'before' && (named.length > 0 || !mayHaveOthers) ? named : undefined
  const checkWith =
    (known: readonly string[] | undefined): CheckAssertion =>
    (spec, field, doubts) => {
      expectParts(spec, project)
      return checkAssertion(spec, field, doubts, known)
    }
  return {
    checkAssertion: checkWith(hasFile ? undefined : tools),
    checkGivenAssertion: checkWith(undefined),
    checkHelper: orProblems((use) => requireHelper(use, place)),
    checkHook: orProblems((ref) => requireFunction(ref, place)),
    checkTools: orProblems(async (file) =>
      requireGiven(await (await project.mockTools()).read(file, dir), file, agent),
    ),
    checkOffer: () => offerMistake(agent),
    ...(agent.offered && { checkExpected: async (tool, field) => expectedMistake(tool, field, agent) }),
    checkCall: async (tool, field) => callMistake(tool, field, agent),
    // Those of the configuration's file are its tools, too; the agent says so if one is not.
    checkStub: (name) =>
      hasFile && agent.givenTools === 'called' && named.length === 0 ? undefined : stubMistake(name, agent),
    // Agents of other kinds check their own connectors.
    ...((packageDir(agent) ?? agent.connector) !== undefined && {
      checkConnector: orProblems((id) => requireConnector(agent, id, project)),
    }),
  }
}

/** What decides an assertion, or one of its group. */
function expectParts({ type, use, script, options, file, assertions }: Partial<AssertionSpec>, project: Project): void {
  if (type === 'agent' || type === 'rubric') project.expectJudge(use)
  if (type === 'schema' && typeof file === 'string') project.expectFile(file)
  const ref = use ?? script
  if (type === 'script' && typeof ref === 'string' && ref.startsWith(SHIPPED_PREFIX)) {
    project.expectScript({ ref })
    const settings = isRecord(options) && isRecord(options['metadata']) ? options['metadata'] : {}
    for (const path of settingsFiles(settings)) project.expectFile(path)
  }
  if (Array.isArray(assertions)) for (const member of assertions) if (isRecord(member)) expectParts(member, project)
}

function orProblems(require: (name: string) => Promise<unknown>): CheckReference {
  return async (name, field): Promise<Problem[]> => {
    try {
      await require(name)
      return []
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return [{ field, message: error.message, ...defined({ hint: error.hint }) }]
    }
  }
}

/** Throws if the agent cannot be given these tools, or has its own and not these. */
export function requireGiven({ specs }: ToolFile, file: string, agent: Agent): void {
  const { id, recorded, givenTools, allTools, tools = [] } = agent
  if (recorded !== undefined) return
  if (givenTools === undefined)
    throw badTools(
      `${file}: ${id} cannot be given tools`,
      'packages, models, modules, programs and JSON endpoints can; for others, serve them yourself: viva mock-mcp FILE',
    )
  // Hooks may delegate to an agent that has them.
  if (tools.length === 0 || givenTools === 'served' || allTools === 'never') return
  for (const { name } of specs) {
    const mistake = stubMistake(name, agent)
    if (mistake && 'problem' in mistake) throw badTools(`${file}: ${mistake.problem}`, 'name tools as the agent does')
  }
}

/** What is wrong with calling a tool of the agent directly. */
async function callMistake(tool: string, field: string, { id, callable }: Agent): Promise<Problem[]> {
  if (!callable) {
    const hint = 'test an MCP server: -n "mcp:COMMAND" or -n mcp:https://…'
    return [{ field, message: `${id} is not an MCP server, so a case cannot call its tools`, hint }]
  }
  const known = await callable()
  const isLater = /^turns\[[1-9]/.test(field)
  const names = known?.tools.map(({ name }) => name) ?? []
  if (!known || names.includes(tool) || (isLater && known.mayGrow)) return []
  const near = suggest(tool, names)
  const others = names.length === 0 ? 'it lists none' : `it lists ${listed(names, 20)}`
  return [{ field, message: `${id} has no tool "${tool}"; ${near === undefined ? others : `did you mean "${near}"?`}` }]
}

/** A server that cannot be listed is reported by the first case that asks for its tools. */
async function expectedMistake(tool: string, field: string, { id, offered }: Agent): Promise<Problem[]> {
  const specs = await offered?.().catch(() => undefined)
  if (!specs || specs.some(({ name }) => name === tool)) return []
  const names = specs.map(({ name }) => name)
  const near = suggest(tool, names)
  const others = `it lists ${listed(names, 20)}`
  return [{ field, message: `${id} has no tool "${tool}"; ${near === undefined ? others : `did you mean "${near}"?`}` }]
}

function badTools(message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_TOOLS', message, hint })
}

function offerMistake({ id, offers, recorded, tools = [] }: Agent): string | undefined {
  if (offers || recorded !== undefined) return undefined
  const why = tools.length > 0 ? 'it has tools of its own' : 'it chooses its tools itself'
  return `${id} cannot be offered the tools of a case: ${why}; test a model instead: -n openai:MODEL`
}

/** A tool that is replaced under a wrong name is called for real. */
function stubMistake(
  name: string,
  { id, allTools, tools = [] }: Agent,
): { problem: string } | { doubt: string } | undefined {
  if (allTools === undefined) return { problem: `the tools of ${id} cannot be replaced: it is not an agent package` }
  if (namesOfNoTool([name], tools).length === 0) return undefined
  const bare = tools.map((tool) => parseToolName(tool)?.tool ?? tool)
  const near = suggest(name, [...tools, ...bare])
  const known = tools.length > 0 ? `it has ${tools.join(', ')}` : 'it has none'
  const message = `${id} has no tool "${name}"; ${near === undefined ? known : `did you mean "${near}"?`}`
  if (near !== undefined || allTools === 'before') return { problem: message }
  return allTools === 'never' ? { doubt: `${id} is not known to have a tool "${name}"; ${known}` } : undefined
}
