// Which names of processes call an agent: `agents.shop.Stream`.
import { findAgentDir } from './resolve-id.js'

/** The agent's id; undefined: it is no call of an agent, but perhaps of a script's function that is named alike. */
export function agentOfProcess(name: string, appRoot: string): string | undefined {
  const id = /^(?:agents|assistants)\.(.+)\.(?:Stream|Call|Send)$/i.exec(name)?.[1]
  if (id === undefined || findAgentDir(appRoot, id) !== undefined) return id
  const parts = id.split('.')
  // `agents.shop.orders.Send` is the function Send in src/orders.ts of the agent shop.
  const isFunction = parts
    .slice(1)
    .some((_, at) => findAgentDir(appRoot, parts.slice(0, at + 1).join('.')) !== undefined)
  return isFunction ? undefined : id
}
