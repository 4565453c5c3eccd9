// A tool returns what its output schema says.
import { called, finding, TOOLS, type Rule } from '../rule.js'

export const outputSchema: Rule = {
  id: 'output-schema',
  reason: 'clients validate structured results against the output schema and refuse those that do not fit',
  fix: 'make structuredContent and outputSchema agree; return errors with isError: true, which need no structuredContent',
  on: TOOLS,
  applies: (subject) => subject.kind === 'tool' && subject.item['outputSchema'] !== undefined,
  judge({ probes }) {
    return probes.flatMap((probe) =>
      probe.output
        ? [finding(`the result of ${called(probe)} does not fit the output schema: ${probe.output.join('; ')}`, probe)]
        : [],
    )
  },
}
