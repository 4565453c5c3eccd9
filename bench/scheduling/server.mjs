// Answers any POST with the last message, after a while.
import { serveJson } from '../support/json-server.mjs'

serveJson(Number(process.argv[2]), (_, { messages }) => ({ content: messages.at(-1).content }))
