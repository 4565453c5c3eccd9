// Where the parts of a request are configured, so that an error can say what to change.

export interface Places {
  /** The address: `options.host in connectors/a.conn.yao`, `the variable MODEL_URL`, `the target given with -n`. */
  url?: string
  key?: string
  model?: string
}

/** ` (options.key in connectors/a.conn.yao)`, or nothing. */
export function inBrackets(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`
}
