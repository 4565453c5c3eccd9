// What a `--ctx` file may say: who is asking, from where.
import type { Authorized } from './agent.js'

export interface ContextFile {
  chat_id?: string
  authorized?: Partial<Authorized>
  metadata?: Record<string, unknown>
  client?: { type?: string; ip?: string; user_agent?: string }
  locale?: string
  referer?: string
  accept?: string
  theme?: string
  route?: string
  [key: string]: unknown
}
