// `run_cases`: viva test on a case file of the project.
import * as v from 'valibot'
import { pathSeenFrom } from '../../files/inside.js'
import { defined } from '../../base/defined.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { duration, integerBetween, object, text, texts } from '../../model/case-schema-base.js'
import type { RunEvent } from '../../model/event.js'
import type { RunOptions } from '../../config/options.js'
import { about, optional } from '../../model/schema-parts.js'
import { notShownText } from '../../model/not-shown.js'
import { isNotShown } from '../../model/status.js'
import { runTests } from '../../library/run-tests.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import { asTool } from './as-tool.js'
import { insideProject, projectFile } from './find-run.js'

const MOST_FAILURES = 20

export const runCases = asTool(
  defineTool({
    name: 'run_cases',
    title: 'Run cases',
    description:
      'Runs cases of the project; explain_failure gives details. Without --allow-live, only scripted and recorded agents (mock connectors, replay, recorded:).',
    input: object({
      input: about(nonEmpty(), 'A case file; script tests: scripts.a.b; contract, if agent is an MCP server.'),
      agent: optional(
        about(
          nonEmpty(),
          'Its id or name in viva.config, ./agent.ts#run, skill:DIR, orchestrator:hats.yml, recorded:run.jsonl. Default: the package of the cases.',
        ),
      ),
      with: optional(about(nonEmpty(), 'Who uses skill:DIR.')),
      skills_folder: optional(about(nonEmpty(), 'Where it looks for skills.')),
      connector: optional(about(nonEmpty(), 'Its model, e.g. openai:MODEL.')),
      replay: optional(about(nonEmpty(), 'A cassette that answers instead.')),
      run: optional(about(text(), 'Only cases whose id matches.')),
      tags: optional(about(texts(), 'Only cases with these tags.')),
      runs: optional(about(integerBetween(1, 1_000), 'Per case; default: 1.')),
      parallel: optional(about(integerBetween(1, 64), 'Cases at a time.')),
      timeout: optional(about(duration(), 'Per case, e.g. 30s.')),
    }),
    output: v.object({
      exit_code: about(v.number(), '0: all passed; 1: some did not.'),
      run_id: v.string(),
      total: v.number(),
      passed: v.number(),
      failed: v.number(),
      skipped: v.number(),
      not_shown: optional(about(v.number(), 'Of the skipped cases, those that nobody chose to skip: exit_code is 1.')),
      duration_ms: v.number(),
      failures: v.array(v.object({ id: v.string(), error: v.string() })),
      events_file: optional(v.string()),
      warnings: v.array(v.string()),
    }),
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    // What would be started is refused where it would be.
    isLive: () => false,
    handler: async (input, context) => {
      const project = requireProject(context)
      const failures: Array<{ id: string; error: string }> = []
      let done = 0
      const write = (event: RunEvent): void => {
        if (event.type !== 'result') return
        done += 1
        const error = isNotShown(event)
          ? `not shown: ${notShownText(event)}`
          : event.status === 'failed'
            ? event.error
            : undefined
        if (error !== undefined && failures.length < MOST_FAILURES) failures.push({ id: event.id, error })
        context.progress({ progress: done, message: `${event.id}: ${event.status}` })
      }
      const { exit_code, summary, events_file, warnings } = await runTests(
        optionsOf(input, project),
        {
          cwd: project,
          env: { ...context.env },
          sinks: [{ name: 'mcp', write }],
          print: () => {},
          live: context.allow_live,
        },
        context.signal,
      )
      context.signal.throwIfAborted()
      const { run_id, total, passed, failed, skipped, not_shown, duration_ms } = summary
      return {
        exit_code,
        run_id,
        total,
        passed,
        failed,
        skipped,
        ...(not_shown !== undefined && { not_shown }),
        duration_ms,
        failures,
        warnings,
        ...(events_file !== undefined && { events_file: pathSeenFrom(project, events_file) }),
      }
    },
  }),
)

interface Input {
  input: string
  agent?: string
  with?: string
  skills_folder?: string
  connector?: string
  replay?: string
  run?: string
  tags?: string[]
  runs?: number
  parallel?: number
  timeout?: string
}

function optionsOf(
  { input, agent, with: other, connector, replay, tags, ...rest }: Input,
  project: string,
): Partial<RunOptions> {
  return defined({
    ...rest,
    input: inputOf(input, project),
    name: agent === undefined ? undefined : agentOf(agent, project),
    with: other === undefined ? undefined : agentOf(other, project),
    connector: connector === undefined ? undefined : connectorOf(connector),
    tag: tags,
    replay: replay === undefined ? undefined : projectFile(project, replay, 'replay'),
  })
}

function inputOf(input: string, project: string): string {
  if (input === 'contract' || /^scripts\.[\w.-]+$/.test(input)) return input
  return projectFile(project, input, 'input')
}

/** Choosing a command or an address means controlling the machine, so only what the project contains can be named. */
function agentOf(agent: string, project: string): string {
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(agent) || agent === 'builtin:echo') return agent
  const [, kind, path = ''] = /^(orchestrator:|recorded:|skill:)?([^#]*)/.exec(agent) ?? []
  if (kind !== undefined || /^\.?\.?\//.test(path)) {
    insideProject(project, path, 'agent')
    return agent
  }
  throw new UserError({
    code: 'BAD_AGENT',
    message: `agent: ${show(agent, 120)} is not an agent of the project`,
    hint: 'commands and addresses go into the configuration (agents: {name: …}); then give that name',
  })
}

/** An address or a file may not be named: a model by its vendor is called where the project says. */
function connectorOf(connector: string): string {
  if (/^[\w-]+(?:[.:/][\w-]+)*$/.test(connector)) return connector
  throw new UserError({
    code: 'BAD_ARGUMENTS',
    message: `connector: ${show(connector, 120)} is neither the id of a connector nor a model such as openai:MODEL`,
  })
}
