// The shape of the `--ctx` file.
import * as v from 'valibot'
import { anyObject, flag, open, text } from '../../model/case-schema-base.js'
import { readIssues } from './schema-issues.js'

const optional = v.exactOptional

/** What is wrong with it, if anything. */
export function checkContext(value: unknown): ReturnType<typeof readIssues> {
  return readIssues(v.safeParse(contextSchema, value).issues ?? [])
}

const contextSchema = open(
  {
    chat_id: optional(text()),
    authorized: optional(
      open({
        sub: optional(text()),
        client_id: optional(text()),
        scope: optional(text()),
        session_id: optional(text()),
        user_id: optional(text()),
        team_id: optional(text()),
        tenant_id: optional(text()),
        remember_me: optional(flag()),
        constraints: optional(
          open({
            owner_only: optional(flag()),
            creator_only: optional(flag()),
            editor_only: optional(flag()),
            team_only: optional(flag()),
            extra: optional(anyObject()),
          }),
        ),
      }),
    ),
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
