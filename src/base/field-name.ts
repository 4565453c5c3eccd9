// Names of fields in error messages: `assert[1].path`, and the way back.

/** What is wrong in data that a person wrote, and where. */
export interface FieldProblem {
  /** Steps to the field, e.g. `['checkpoints', 0, 'after']`. */
  path: Array<string | number>
  message: string
  suggestion?: string
}

export function fieldName(path: ReadonlyArray<string | number>): string {
  let name = ''
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`
    else name += name === '' ? step : `.${step}`
  }
  return name
}

export function fieldSteps(field: string): Array<string | number> {
  return [...field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map((match) =>
    match[1] === undefined ? (match[2] ?? '') : Number(match[1]),
  )
}
