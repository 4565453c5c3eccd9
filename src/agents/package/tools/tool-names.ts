// The names of tools as the model sees them: `server__tool`, dots of the server written as `_`.

export interface ToolName {
  server: string
  tool: string
}

/** Empty when either part is. */
export function formatToolName(server: string, tool: string): string {
  return server === '' || tool === '' ? '' : `${server.replaceAll('.', '_')}__${tool}`
}

/** Server ids have no underscores of their own, so those in the name were dots. Undefined if it is not such a name. */
export function parseToolName(name: string): ToolName | undefined {
  const [server, tool, ...rest] = name.split('__')
  if (!server || !tool || rest.length > 0) return undefined
  return { server: server.replaceAll('_', '.'), tool }
}

/** How a test may name a tool: as the model sees it, as `server.tool`, or by the tool's name alone. */
export function namesOfTool(name: string, server: string | undefined): string[] {
  const bare = parseToolName(name)?.tool ?? name
  return [name, ...(server === undefined ? [] : [`${server}.${bare}`, formatToolName(server, bare)]), bare]
}

/** The names among `wanted` that no tool has. */
export function namesOfNoTool(wanted: readonly string[], tools: readonly string[]): string[] {
  const known = new Set(tools.flatMap((tool) => namesOfTool(tool, parseToolName(tool)?.server)))
  return wanted.filter((name) => !known.has(name))
}
