// What `viva init` writes for a kind of agent, and the commands that pass immediately.

export interface Scaffold {
  /** Path → content. */
  files: Record<string, string>
  /** What must run beside the tests, e.g. a server; the next command may follow immediately. */
  setup: string[]
  /** Arguments of `viva test`. */
  tests: string[]
  /** In CI: what to wait for before the first test. */
  ready?: string
}
