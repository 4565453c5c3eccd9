// A program that stands in for Claude Code: it lists the skills it finds as Claude does, and uses what its prompt tells it to.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, type Files } from './run-cli.js'

/** What it does follows from its prompt: `use NAME`, `claim NAME`, `fail NAME`, `read NAME`; `say TEXT` is its answer. */
const PROGRAM = `#!${process.execPath}
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs')
const { join } = require('node:path')
if (process.argv.includes('auth')) { console.log('{"loggedIn":true}'); process.exit(0) }
const prompt = readFileSync(0, 'utf8')
const found = [process.cwd(), process.env.HOME].flatMap((root) => {
  const folder = join(root, '.claude', 'skills')
  return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'SKILL.md'))) : []
})
const offered = prompt.includes('hide them') ? [] : found
const say = (event) => console.log(JSON.stringify({ session_id: 's', ...event }))
if (!prompt.includes('list nothing')) say({ type: 'system', subtype: 'init', tools: ['Skill'], skills: ['built-in', ...offered] })
const message = (content) => say({ type: 'assistant', message: { id: 'm' + Math.random(), content } })
const result = (id, content, is_error) => say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...(is_error && { is_error }) }] } })
let count = 0
const call = (name, input, content, is_error) => {
  const id = 'c' + ++count
  message([{ type: 'tool_use', id, name, input }])
  result(id, content, is_error)
}
for (const [, what, skill] of prompt.matchAll(/(use|fail|read|list|run) ([a-z-]+)/g)) {
  if (what === 'use' && (found.includes(skill) || skill === 'built-in')) call('Skill', { skill }, 'Launching skill: ' + skill)
  const file = join(process.cwd(), '.claude/skills', skill, 'SKILL.md')
  if (what === 'fail') call('Bash', { command: 'cat .claude/skills/' + skill + '/SKILL.md' }, 'No such file', true)
  if (what === 'read' && existsSync(file)) call('Bash', { command: 'cat ' + file }, readFileSync(file, 'utf8'))
  if (what === 'run' && existsSync(file)) call('Bash', { command: 'sh .claude/skills/' + skill + '/count.sh' }, String(statSync(join(file, '../count.sh')).mode & 0o111))
}
const words = /say (.*)/.exec(prompt)?.[1] ?? (found.includes('word-count') ? 'three words' : 'no idea')
message([{ type: 'text', text: words.replace('HOME', process.env.HOME).replace('CWD', process.cwd()) }])
say({ type: 'result', subtype: 'success', result: words, usage: { input_tokens: 10, output_tokens: 5 }, total_cost_usd: 0.01 })
`

export const SKILL_MD = `---
name: word-count
description: Counts the words of a file. Use it whenever someone asks how long a text is.
---

# Word count

Run \`sh count.sh FILE\`.
`

/** A folder with the skill word-count, the program \`claude\`, and these files. */
export function makeSkillFolder(files: Files = {}): string {
  const dir = makeFolder({
    'word-count/SKILL.md': SKILL_MD,
    'word-count/count.sh': '#!/bin/sh\nwc -w "$1"\n',
    ...files,
  })
  writeFileSync(join(dir, 'claude'), PROGRAM)
  chmodSync(join(dir, 'claude'), 0o755)
  return dir
}
