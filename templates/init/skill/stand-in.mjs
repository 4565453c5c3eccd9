// Stands in for a coding agent, so that the first run needs no key and costs nothing. Test with a real one instead:
// --with cli:claude, cli:codex, cli:gemini or cli:opencode, without --skills-folder.
import { existsSync, readFileSync } from 'node:fs'

const { messages } = JSON.parse(readFileSync(0, 'utf8'))
const question = messages.at(-1).content
const offered = existsSync('.claude/skills/word-count/SKILL.md') ? ['word-count'] : []
const invoked = /words/.test(question) ? offered : []
const count = () => readFileSync('notes.txt', 'utf8').trim().split(/\s+/).length
const content = invoked.length > 0 ? String(count()) : /words/.test(question) ? 'A few.' : 'Paris.'
console.log(JSON.stringify({ content, skills: { offered, invoked } }))
