// The text of viva.d.ts, which `viva init` writes so that editors know `testing.T`, `agent.Context` and the globals.
export const VIVA_TYPES = `// Types of the globals that Viva gives to scripts. Written by viva init --types.

declare namespace testing {
  interface T {
    readonly name: string
    readonly failed: boolean
    assert: Assert
  }
  interface Assert {
    True(value: unknown, message?: string): void
  }
}
`
