// A real MCP server on stdio, made with the official SDK.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const server = new McpServer({ name: 'stock', version: '1.0.0' })
const inputSchema = fromJsonSchema({ type: 'object', properties: { article: { type: 'string' } }, required: ['article'] })

server.registerTool('count', { description: 'Counts an article', inputSchema }, ({ article }) => ({
  content: [{ type: 'text', text: JSON.stringify({ article, count: article === 'tea' ? 3 : 0 }) }],
}))
server.registerTool('burn', { description: 'Not offered to the model', inputSchema }, () => ({
  content: [{ type: 'text', text: 'burnt' }],
}))

await server.connect(new StdioServerTransport())
