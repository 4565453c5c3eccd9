// The shape of a request as a strict schema: what the vendor's types do not name is refused, as the vendor does.
import * as v from 'valibot'

/** What is wrong first, in the vendor's words as far as they are the same for all; undefined if nothing is. */
export function wrongShape(schema: v.GenericSchema, body: unknown): string | undefined {
  const { issues } = v.safeParse(schema, body, { abortEarly: true })
  return issues && describe(deepest(issues[0]))
}

export const text = v.pipe(v.string(), v.minLength(1))
export const object = v.record(v.string(), v.unknown())
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

export function named(pattern: RegExp) {
  return v.pipe(v.string(), v.regex(pattern))
}

type Issue = v.BaseIssue<unknown>

/** Of a union: the alternative that came furthest. The paths of alternatives begin at the union. */
function deepest(issue: Issue): Issue {
  const inner = (issue.issues ?? []).map((each) => {
    const { path = [], ...found } = deepest(each)
    return { ...found, path: [...(issue.path ?? []), ...path] } as Issue
  })
  return [issue, ...inner].reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best))
}

function depthOf({ path }: Issue): number {
  return path?.length ?? 0
}

function describe(issue: Issue): string {
  const path = (issue.path ?? [])
    .map(({ key }, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')
  return issue.expected === 'never' ? `unknown parameter: '${path}'` : `invalid '${path}': ${issue.message}`
}
