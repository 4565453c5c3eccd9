// What `-n` takes, for someone who named a file or typed a command instead.

const MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/i
const INTERPRETERS: Record<string, string> = { py: 'python3', rb: 'ruby', php: 'php', sh: 'sh', pl: 'perl' }

/** A target for a file with code, or for a command line; undefined for anything else. */
export function likelyTarget(given: string): string | undefined {
  if (MODULE.test(given)) return /^\.{0,2}\//.test(given) ? given : `./${given}`
  const [first = '', ...rest] = given.split(/\s+/)
  if (rest.length > 0) return /^[\w./-]+$/.test(first) ? `exec:${given}` : undefined
  const interpreter = INTERPRETERS[/\.(\w+)$/.exec(given)?.[1]?.toLowerCase() ?? '']
  return interpreter === undefined ? undefined : `exec:${interpreter} ${given}`
}

/** As a flag, ready to be typed. */
export function asFlag(target: string): string {
  return target.includes(' ') ? `-n "${target}"` : `-n ${target}`
}
