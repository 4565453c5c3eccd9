// `ctx.trace`: accepted and chained; it is for front ends, and a test has none to show it.

export function makeTrace(): unknown {
  let complete = false
  return {
    ...makeNode('trace'),
    id: 'trace',
    CreateSpace: (option: unknown) => ({ id: 'space', ...(option as object) }),
    GetSpace: () => null,
    MarkComplete() {
      complete = true
    },
    IsComplete: () => complete,
    Release() {},
  }
}

function makeNode(id: string): Record<string, unknown> {
  let children = 0
  const node: Record<string, unknown> = { id }
  const add = (): unknown => makeNode(`${id}.${++children}`)
  node['Add'] = add
  node['Parallel'] = (inputs: unknown) => (Array.isArray(inputs) ? inputs.map(add) : [])
  for (const name of ['Info', 'Debug', 'Warn', 'Error', 'SetOutput', 'SetMetadata', 'Complete', 'Fail']) {
    node[name] = () => node
  }
  return node
}
