// Whether other descriptions (`--descriptions`) are of tools that there are, and change anything: else two variants would
// be the same, and the difference between them chance.
import { descriptionMistake } from '../agents/package/tools/offered.js'
import { badDescriptions } from '../config/read-descriptions.js'
import { isRecord } from '../base/record.js'
import { normalizeTool } from '../model/case-normalize.js'
import type { ToolSpec } from '../model/tool-spec.js'
import type { Tested } from './unit/tested.js'

export interface DescribedTools {
  /** The tools of a case, as written. */
  add(tools: unknown): void
  /** Throws a UserError once all cases have been seen. */
  finish(): Promise<void>
}

export function describedTools(tested: readonly Tested[]): DescribedTools {
  const seen = new Map<string, ToolSpec[]>()
  const described = tested.filter(({ spec }) => spec.described !== undefined)
  const wanted = new Set(described.flatMap(({ spec }) => Object.keys(spec.described ?? {})))
  const names = new Set<string>()
  return {
    add(tools) {
      if (wanted.size === 0 || !Array.isArray(tools)) return
      for (const tool of tools) {
        if (!isRecord(tool) || typeof tool['name'] !== 'string') continue
        names.add(tool['name'])
        if (wanted.has(tool['name'])) seen.set(tool['name'], [...(seen.get(tool['name']) ?? []), normalizeTool(tool)])
      }
    },
    async finish() {
      for (const { spec, agent } of described) {
        const path = spec.descriptions ?? ''
        // A server that cannot be listed is reported by the first case that asks for its tools.
        const own = await agent.offered?.().catch(() => undefined)
        if (agent.offered && !own) continue
        const mistake = own ? descriptionMistake(spec.described, own) : ofCases(spec.described ?? {}, seen, names)
        if (mistake !== undefined) throw badDescriptions(path, mistake)
      }
    },
  }
}

/** Cases may have the same tool in different words: one of them must change. */
function ofCases(
  described: NonNullable<Tested['spec']['described']>,
  seen: ReadonlyMap<string, ToolSpec[]>,
  names: ReadonlySet<string>,
): string | undefined {
  const others = [...names].map((name): ToolSpec => ({ name, input_schema: {} }))
  for (const [name, other] of Object.entries(described)) {
    const tools = seen.get(name) ?? []
    const mistakes = tools.map((tool) => descriptionMistake({ [name]: other }, [tool]))
    if (tools.length === 0) return descriptionMistake({ [name]: other }, others)
    if (mistakes.every((mistake) => mistake !== undefined)) return mistakes[0]
  }
  return undefined
}
