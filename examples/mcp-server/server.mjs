// An MCP server on standard input and output, made with the protocol's own SDK: the books of a small library.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const books = new Map([
  ['Momo', { author: 'Michael Ende', lent_to: null }],
  ['Krabat', { author: 'Otfried Preußler', lent_to: 'Ada' }],
  ['Emil', { author: 'Erich Kästner', lent_to: null }],
])

const text = (description) => ({ type: 'string', minLength: 1, description })
const object = (properties) =>
  fromJsonSchema({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })
const answer = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value })
const refuse = (message) => ({ isError: true, content: [{ type: 'text', text: message }] })

const server = new McpServer({ name: 'library', version: '1.0.0' })

server.registerTool(
  'find_books',
  {
    description: 'Finds books by a word in their title or the name of their author, and says which are lent',
    inputSchema: object({ word: text('A word of the title or of the author') }),
    outputSchema: object({
      books: {
        type: 'array',
        items: {
          type: 'object',
          properties: { title: { type: 'string' }, author: { type: 'string' }, is_lent: { type: 'boolean' } },
          required: ['title', 'author', 'is_lent'],
        },
      },
    }),
    annotations: { readOnlyHint: true },
  },
  ({ word }) => {
    const fits = ([title, { author }]) => `${title} ${author}`.toLowerCase().includes(word.toLowerCase())
    const found = [...books].filter(fits)
    return answer({ books: found.map(([title, { author, lent_to }]) => ({ title, author, is_lent: lent_to !== null })) })
  },
)

server.registerTool(
  'lend_book',
  {
    description: 'Lends a book to a reader, if nobody has it',
    inputSchema: object({ title: text('The title, as find_books gives it'), reader: text('Who takes it') }),
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  ({ title, reader }) => {
    const book = books.get(title)
    if (!book) return refuse(`there is no book called ${title}`)
    if (book.lent_to !== null) return refuse(`${title} is lent to ${book.lent_to}`)
    book.lent_to = reader
    return answer({ title, lent_to: reader })
  },
)

server.registerTool(
  'return_book',
  {
    description: 'Takes a book back from whoever has it',
    inputSchema: object({ title: text('The title, as find_books gives it') }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  ({ title }) => {
    const book = books.get(title)
    if (!book) return refuse(`there is no book called ${title}`)
    book.lent_to = null
    return answer({ title, lent_to: null })
  },
)

await server.connect(new StdioServerTransport())
