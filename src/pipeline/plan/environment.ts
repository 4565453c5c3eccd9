// Who is asking: context file > flags > case > defaults. Pure.
import type { AgentContext, AgentOptions } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import { DEFAULT_LOCALE, DEFAULT_TEAM, DEFAULT_USER } from '../../model/default-identity.js'
import type { ContextFile } from '../../model/context-file.js'
import type { Environment } from '../../model/event.js'
import { putOver, type OptionsOver } from '../../model/variant.js'

export interface Identity {
  user?: string
  team?: string
  locale?: string
  file?: ContextFile
}

export function environmentOf(identity: Identity): Environment {
  const context = contextFor(identity, { id: '', assertions: [] }, '', '')
  return { user_id: context.authorized.user_id, team_id: context.authorized.team_id, locale: context.locale }
}

/**
 * `chat_id` of a context file is the prefix of every conversation's id; if a run has only one, it is the whole id. `own`
 * distinguishes cases, runs and attempts.
 */
export function chatIdFor({ file }: Identity, own: string, isOnly: boolean): string {
  if (file?.chat_id === undefined) return own
  return isOnly ? file.chat_id : `${file.chat_id}-${own}`
}

export function contextFor(identity: Identity, testCase: TestCase, chatId: string, assistantId: string): AgentContext {
  const { file } = identity
  const user = file?.authorized?.user_id ?? identity.user ?? testCase.user ?? DEFAULT_USER
  const team = file?.authorized?.team_id ?? identity.team ?? testCase.team ?? DEFAULT_TEAM
  const context: AgentContext = {
    chat_id: chatId,
    assistant_id: assistantId,
    locale: file?.locale ?? identity.locale ?? DEFAULT_LOCALE,
    referer: file?.referer ?? 'test',
    accept: file?.accept ?? 'standard',
    client: { type: 'test', ip: '127.0.0.1' },
    metadata: mergeMetadata(file?.metadata, testCase.metadata, testCase.options?.metadata),
    authorized: { sub: user, tenant_id: team, user_id: user, team_id: team },
  }
  // Assigned, not spread: this runs for every case, and most have no context file.
  if (file) {
    Object.assign(context.client, file.client)
    Object.assign(context.authorized, file.authorized, { user_id: user, team_id: team })
    if (file.theme !== undefined) context.theme = file.theme
    if (file.route !== undefined) context.route = file.route
  }
  return context
}

/** The options an agent gets: the case's, overridden by the turn's, and both by the variant's and the `-c` flag. */
export function optionsFor(testCase: TestCase, over: OptionsOver): AgentOptions {
  const options: AgentOptions = Object.assign({}, testCase.options)
  if (testCase.metadata) options.metadata = mergeMetadata(testCase.metadata, testCase.options?.metadata)
  return putOver(options, over)
}

function mergeMetadata(...parts: Array<Record<string, unknown> | undefined>): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const part of parts) {
    if (!part) continue
    for (const [key, value] of Object.entries(part)) if (key !== '__proto__') merged[key] = value
  }
  return merged
}
