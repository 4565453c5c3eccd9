// What the parts of this folder pass to each other: a connector file after reading, and how a type turns it into a connector.
import type { Connector } from '../model/connector.js'
import type { Price } from '../model/config.js'
import type { HttpClient } from '../http/types.js'
import type { RetryBudget } from '../http/retry.js'
import type { EnvValues } from './env-values.js'
import type { FinishReasons } from './finish-reason.js'

export type AuthMode = 'bearer' | 'api-key' | 'x-api-key'

export interface ConnectorFile {
  id: string
  type: string
  label?: string
  /** With `$ENV.X` filled in. */
  options: Record<string, unknown>
  price?: Price
  /** How the key is sent, if the file says so. */
  auth_mode?: AuthMode
  limits: { concurrency?: number; per_minute?: number; tokens_per_minute?: number }
  /** Words of this endpoint for how an answer ends, beyond those of its protocol. */
  finish_reasons?: FinishReasons
  /** As the user knows it: relative to the application root. Absent for the built-in ones. */
  file?: string
  /** The folders in which files named by the connector are looked up, in this order. */
  folders: string[]
  /** The options whose value is a variable: option → its name. */
  variables?: Record<string, string>
}

/** Runs one function of a user's script. Passed in: connectors know no scripts. */
export type CallScript = (ref: string, args: unknown[], signal: AbortSignal) => Promise<unknown>

export interface ConnectorTools {
  appRoot: string
  env: EnvValues
  http: HttpClient
  budget: RetryBudget
  callScript?: CallScript
  /** First wait between tries; for tests. */
  retryBaseMs?: number
}

export type CreateConnector = (file: ConnectorFile, tools: ConnectorTools) => Connector | Promise<Connector>
