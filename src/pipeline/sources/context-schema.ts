// The shape of the `--ctx` file.
import * as v from 'valibot'
import { isRecord, ownValue } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { anyObject, flag, open, text } from '../../model/case-schema-base.js'
import { readIssues } from './schema-issues.js'

const optional = v.exactOptional

/** What is wrong with it, if anything. */
export function checkContext(value: unknown): Issues {
  return [...readIssues(v.safeParse(contextSchema, value).issues ?? []), ...almostNames(value, contextSchema, [])]
}

type Issues = ReturnType<typeof readIssues>

/** Custom keys are kept; a typo would leave the case with other rights than intended. */
function almostNames(value: unknown, schema: v.GenericSchema, path: string[]): Issues {
  if (!isRecord(value) || !('entries' in schema) || !isRecord(schema.entries)) return []
  const entries = schema.entries as Record<string, { wrapped: v.GenericSchema }>
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = ownValue(entries, key)
    if (known) return almostNames(inner, known.wrapped, [...path, key])
    const near = suggest(key, Object.keys(entries))
    return near === undefined || Object.hasOwn(value, near)
      ? []
      : [{ path: [...path, key], message: `unknown field "${key}"; did you mean "${near}"?` }]
  })
}

const constraints = open({
  owner_only: optional(flag()),
  creator_only: optional(flag()),
  editor_only: optional(flag()),
  team_only: optional(flag()),
  extra: optional(anyObject()),
})

const authorized = open({
  sub: optional(text()),
  client_id: optional(text()),
  scope: optional(text()),
  session_id: optional(text()),
  user_id: optional(text()),
  team_id: optional(text()),
  tenant_id: optional(text()),
  remember_me: optional(flag()),
  constraints: optional(constraints),
})

const contextSchema = open(
  {
    chat_id: optional(text()),
    authorized: optional(authorized),
    metadata: optional(anyObject()),
    client: optional(open({ type: optional(text()), ip: optional(text()), user_agent: optional(text()) })),
    locale: optional(text()),
    referer: optional(text()),
    accept: optional(text()),
    theme: optional(text()),
    route: optional(text()),
  },
  'kept',
  'expected an object, found {found}',
)
