// A redactor that outlives a run: secrets that it is told of later are hidden from then on.
import { secretValues } from './exact-values.js'
import { createRedactor, type Redactor, type RedactorInit } from './redactor.js'

export interface GrowingRedactor extends Redactor {
  /** The values of variables that look secret. */
  learn(env: Record<string, string>): void
  /** Hides those, and nothing that the configuration declares. */
  secrets(): Redactor
}

export function createGrowingRedactor(init: RedactorInit): GrowingRedactor {
  const { config: _declared, ...onlySecrets } = init
  const known = new Set(init.extraValues)
  let current = createRedactor(init)
  return {
    text: (text) => current.text(text),
    value: (value) => current.value(value),
    line: (event) => current.line(event),
    record: (event) => current.record(event),
    stream: () => current.stream(),
    hidden: () => current.hidden(),
    secrets: () => createRedactor({ ...onlySecrets, extraValues: [...known] }),
    learn(env) {
      const before = known.size
      for (const value of secretValues(env)) known.add(value)
      if (known.size > before) current = createRedactor({ ...init, extraValues: [...known] })
    },
  }
}
