// The names of tools as the model sees them: `server__tool`, dots of the server written as `_`.

export interface ToolName {
  server: string
  tool: string
}

/** Empty when either part is. */
export function formatToolName(server: string, tool: string): string {
  return server === '' || tool === '' ? '' : `${server.replaceAll('.', '_')}__${tool}`
}

/** Server ids have no underscores of their own, so those of the name were dots. Undefined when it is no such name. */
export function parseToolName(name: string): ToolName | undefined {
  const [server, tool, ...rest] = name.split('__')
  if (!server || !tool || rest.length > 0) return undefined
  return { server: server.replaceAll('_', '.'), tool }
}
