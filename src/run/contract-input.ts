// An MCP server that is tested without cases of its own: its contract is the input.
import type { RunOptions } from '../config/options.js'
import type { VivaConfig } from '../model/config.js'
import type { VariantSpec } from '../model/variant.js'
import { detectInputs, type DetectedInput } from '../pipeline/sources/detect.js'

const CONTRACT: DetectedInput = { kind: 'contract', value: 'contract', files: [], params: {} }

/** Without `-i`, or with `-i contract` where there is no such file. A model (`-c`) is asked something, so it needs cases. */
export function contractInput(
  { input }: RunOptions,
  variants: readonly VariantSpec[],
  { agents = {} }: VivaConfig,
  cwd: string,
): DetectedInput | undefined {
  const [only, ...more] = typeof input === 'string' ? [input] : (input ?? [])
  const isMeant = only === undefined || (only === CONTRACT.value && more.length === 0)
  const targetOf = (name: string): string => {
    const entry = Object.hasOwn(agents, name) ? agents[name] : undefined
    return typeof entry === 'object' ? entry.target : (entry ?? name)
  }
  const isServer = ({ target = '', connector }: VariantSpec) =>
    connector === undefined && /^mcp:/i.test(targetOf(target))
  if (!isMeant || variants.length === 0 || !variants.every(isServer)) return undefined
  return only === undefined || detectInputs(only, { cwd }).kind === 'message' ? CONTRACT : undefined
}
