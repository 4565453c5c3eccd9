// The columns of docs/trust/real-agents.md, in order: what every agent is put through.
export const SITUATIONS = [
  'one turn',
  'two turns after a tool',
  'streaming',
  'error',
  'refusal',
  'timeout',
  'tokens',
  'cost',
  'recorded and replayed',
  'model calls replayed',
]
