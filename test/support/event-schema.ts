// Holds events against their schema: each must fit, and none may have a field that the schema does not know.
import * as v from 'valibot'
import { expect } from 'vitest'
import { eventSchema } from '../../src/model/event-schema.js'

export function expectKnownEvent(event: unknown): void {
  const parsed = v.safeParse(eventSchema, event)
  const issues = (parsed.issues ?? []).map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
  expect(issues, JSON.stringify(event).slice(0, 2000)).toEqual([])
  // Parsing leaves out what is not in the schema.
  expect(parsed.output, 'every field is in the schema').toEqual(event)
}
