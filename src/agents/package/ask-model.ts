// The middle of a call: the prompts in front of the conversation, and the model with its tools.
import { modelParameters } from '../../connectors/model-parameters.js'
import { AgentError, UserError } from '../../errors.js'
import type { AgentContext, AgentOptions } from '../../model/agent.js'
import type { CompletionRequest } from '../../model/connector.js'
import type { Message } from '../../model/message.js'
import { defined } from '../../base/defined.js'
import { readString } from '../../base/record.js'
import { describe } from './load/describe.js'
import type { Call } from './call.js'
import { connectorId } from './connector-id.js'
import type { CreateReturn } from './hooks.js'
import { messagesFor } from './locales.js'
import { contextVariables, fillVariables, hasVariables, mayTellTime, type PromptVariables } from './prompt-variables.js'
import { choosePrompts, chosenPreset } from './load/prompts.js'
import { offerTools } from './tools/offered.js'
import { type LoopRecord, runToolLoop } from './tools/tool-loop.js'
import { givenTools, openToolbox, requireTools } from './tools/toolbox.js'
import type { Prompt } from './types.js'

/** For a model that has no tools but those of the test: nothing says how many rounds it may take. */
const GIVEN_ROUNDS = 30

export interface Question {
  create: CreateReturn | null
  context: AgentContext
  messages: Message[]
  /** The prompts among them, independent of the time. */
  timeless?: NonNullable<CompletionRequest['timeless']> | undefined
  /** The agent has prompts of its own, not counting the application's. */
  hasPrompts: boolean
  /** The preset that was chosen. */
  preset?: string | undefined
}

export function buildQuestion(
  call: Call,
  create: CreateReturn | null,
  context: AgentContext,
  messages: Message[],
): Question {
  const { pkg, request } = call
  const { options } = request
  const told = toldByMetadata(context.metadata)
  const preset = create?.prompt_preset ?? readString(options['prompt_preset']) ?? told.preset
  const choice = defined({ preset, mode: options.mode })
  const withoutGlobal =
    create?.disable_global_prompts ??
    options.disable_global_prompts ??
    told.disable_global_prompts ??
    pkg.disableGlobalPrompts
  const prompts = choosePrompts(pkg, { ...choice, withoutGlobal })
  const hasPrompts = choosePrompts(pkg, { ...choice, withoutGlobal: true }).length > 0
  if (pkg.promptsOnly && !hasPrompts) throw noPrompts(pkg.id)
  if (prompts.length === 0) return { create, context, messages, hasPrompts }
  const said = pkg.promptsOnly ? [] : messages
  const { filled, timeless } = fillPrompts(call, prompts, context)
  return { create, context, messages: [...filled, ...said], timeless, hasPrompts, preset: chosenPreset(pkg, choice) }
}

function noPrompts(id: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `the agent ${id} has prompts_only and no prompts: there is nothing to send to the model`,
    hint: 'write its prompts into prompts.yml, or leave prompts_only out',
  })
}

/** `__prompt_preset` and `__disable_global_prompts`: a choice of prompts made by the caller of the agent. */
function toldByMetadata(metadata: Record<string, unknown>): { preset?: string; disable_global_prompts?: boolean } {
  const { __prompt_preset: preset, __disable_global_prompts: disable } = metadata
  if (preset !== undefined && preset !== null && typeof preset !== 'string')
    throw badMetadata('__prompt_preset', 'the name of a preset', preset)
  if (disable !== undefined && disable !== null && typeof disable !== 'boolean')
    throw badMetadata('__disable_global_prompts', 'true or false', disable)
  return defined({ preset: preset || undefined, disable_global_prompts: disable ?? undefined })
}

function badMetadata(name: string, expected: string, found: unknown): AgentError {
  return new AgentError({ code: 'config', message: `metadata.${name} must be ${expected}, found ${describe(found)}` })
}

function fillPrompts(
  { pkg, parts, request }: Call,
  prompts: Prompt[],
  context: AgentContext,
): { filled: Message[]; timeless?: () => Message[] } {
  if (!prompts.some((prompt) => hasVariables(prompt.content)))
    return { filled: prompts.map((prompt): Message => ({ ...prompt })) }
  const variables = {
    ...parts.clock(request.call),
    env: parts.env,
    context: contextVariables(context),
    metadata: context.metadata,
    messages: messagesFor(context.locale, pkg.locales),
  }
  const fill = (own: PromptVariables): Message[] =>
    prompts.map((prompt): Message => ({ ...prompt, content: fillVariables(prompt.content, own) }))
  if (!prompts.some((prompt) => mayTellTime(prompt.content))) return { filled: fill(variables) }
  return { filled: fill(variables), timeless: () => fill({ ...variables, timeless: true }) }
}

/** Fills the record; returns what went wrong, for the Next hook to see. What the user must fix is thrown. */
export async function askModel(call: Call, question: Question, record: LoopRecord): Promise<unknown> {
  const { pkg, parts, request } = call
  const { create, context, messages, timeless, hasPrompts, preset } = question
  const servers = create?.mcp_servers ?? pkg.servers
  // With neither prompts nor tools there is nothing to ask a model: the hooks are the agent.
  if (!hasPrompts && servers.length === 0 && (pkg.hooks || !hasConnector(call, create))) return undefined
  try {
    const connector = await parts.connectors.get(chosenConnector(call, create), { agentDir: pkg.dir })
    const { signal, deadline, onChunk, onWait } = request
    const replacements = request.tools ?? {}
    const { offered } = request
    if (offered && (servers.length > 0 || givenTools(replacements).length > 0)) throw hasOwnTools(pkg.id)
    const onLog = (line: string): void => call.logs.add(line)
    const toolbox = offered
      ? offerTools(offered, request.descriptions)
      : await openToolbox(parts, {
          pkg,
          servers,
          replacements,
          context,
          call: request.call,
          signal,
          onLog,
          onSpent: (spent) => call.spent.push(spent),
          ...defined({ onWait }),
        })
    // Hooks may delegate to an agent that has them, or call other servers.
    if (request.ownTools && !pkg.hooks) requireTools(toolbox, request.ownTools, pkg)
    const completion = {
      messages,
      options: { ...pkg.options, ...ownParameters(request.options), ...create?.model },
      conversation: `${context.chat_id}:${pkg.id}`,
      metadata: context.metadata,
      call: request.call,
      signal,
      ...defined({ signed: request.signed, timeless, deadline, onChunk, onWait, workspace: request.workspace }),
    }
    const hasOnlyGiven = servers.length === 0 && givenTools(replacements).length > 0
    const rounds = hasOnlyGiven ? { loop: true, maxTurn: GIVEN_ROUNDS } : { loop: pkg.toolLoop, maxTurn: pkg.maxTurn }
    const isOffer = offered !== undefined
    await runToolLoop({ connector, request: completion, toolbox, isOffer, ...rounds, ...defined({ preset }) }, record)
    return undefined
  } catch (error) {
    if (error instanceof UserError || (error instanceof AgentError && error.code === 'config')) throw error
    return error
  }
}

function hasOwnTools(id: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `the agent ${id} has tools of its own, so it cannot be offered those of the case`,
    hint: 'leave "tools" out of the case, or test a model without tools: -n openai:MODEL',
  })
}

function ownParameters(options: AgentOptions): Record<string, unknown> {
  const { prompt_preset: _preset, ...rest } = modelParameters(options)
  return rest
}

function hasConnector({ pkg, request }: Call, create: CreateReturn | null): boolean {
  return (request.options.connector ?? create?.connector ?? pkg.connector) !== undefined
}

function chosenConnector({ pkg, parts, request }: Call, create: CreateReturn | null): string {
  const chosen = request.options.connector ?? create?.connector
  if (chosen !== undefined) return chosen
  if (pkg.connector !== undefined) return connectorId(pkg, parts.env)
  throw new AgentError({
    code: 'config',
    message: `the agent ${pkg.id} has no connector`,
    hint: 'set "connector" in its package.yao, or give one with -c',
  })
}
