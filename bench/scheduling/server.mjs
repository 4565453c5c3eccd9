// Answers any POST with the last message, after a while, and tells when it got the first request and gave the last answer.
import { serveJson } from '../support/json-server.mjs'

let first = 0
let last = 0
serveJson(Number(process.argv[2]), (_, { messages }) => ({ content: messages.at(-1).content }), {
  onRequest: () => (first ||= performance.now()),
  onAnswer: () => (last = performance.now()),
})
process.on('message', () => {
  process.send({ took: (last - first) / 1000 })
  first = 0
})
