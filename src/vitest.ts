// `import "viva/vitest"`: the assertions of Viva as matchers of vitest.
import 'vitest' // stays in the types, which add to those of vitest
import { expect, onTestFinished } from 'vitest'
import {
  matchers,
  type AgentFunction,
  type CaseOptions,
  type GivenAssertions,
  type Matcher as Value,
  type MatcherResult,
} from './index.js'

type Matcher = (...args: unknown[]) => MatcherResult | Promise<MatcherResult>

const guarded = Object.entries(matchers as unknown as Record<string, Matcher>).map(([name, matcher]) => [
  name,
  function (this: unknown, ...args: unknown[]): MatcherResult | Promise<MatcherResult> {
    const result = matcher.apply(this as never, args)
    if (result instanceof Promise) requireAwaited(name, result)
    return result
  },
])

expect.extend(Object.fromEntries(guarded) as Record<string, Matcher>)

/** A matcher that is not awaited would be green, whatever it finds. */
function requireAwaited(name: string, result: Promise<unknown>): void {
  let isOver = false
  const over = (): void => void (isOver = true)
  result.then(over, over)
  try {
    onTestFinished(() => {
      if (!isOver) throw new Error(`${name} was not awaited: write await expect(…).${name}(…)`)
    })
  } catch {
    // Outside a test, as in a hook: vitest has nothing to wait for it with.
  }
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any, no-unused-vars
  interface Assertion<T = any> {
    /** `await expect({ input: "hi", assert: … }).toPassCase("./agent.ts")` */
    toPassCase(target: string | AgentFunction, options?: CaseOptions): Promise<void>
    /** `await expect(answer).toCallTool("book", { city: "Rome" })`; arguments as in the assertion `tool_called`. */
    toCallTool(name: string, args?: Record<string, Value>): Promise<void>
    /** `await expect(answer).toSatisfy({ type: "contains", value: "Rome" })`; a function works as in vitest itself. */
    toSatisfy: {
      (assertions: GivenAssertions): Promise<void>
      // oxlint-disable-next-line typescript/no-explicit-any
      (matcher: (value: any) => boolean, message?: string): void
    }
  }
}
