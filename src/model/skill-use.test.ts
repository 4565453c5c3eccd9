import { expect, test } from 'vitest'
import type { ToolCall } from './message.js'
import { addSkillUse, skillsIn } from './skill-use.js'

const FRONT = '---\nname: word-count\ndescription: Counts words.\n---\n\n# Word count\n'

function check(call: Partial<ToolCall>, invoked: string[], unclear: string[] = []): void {
  expect(skillsIn([{ name: 'tool', args: {}, ...call }])).toEqual({
    invoked,
    ...(unclear.length > 0 && { unclear }),
  })
}

const shell = (command: string, outcome: Partial<ToolCall>): Partial<ToolCall> => ({
  name: 'command_execution',
  args: { command },
  ...outcome,
})

test('the tools that load a skill', () => {
  check({ name: 'Skill', args: { skill: 'word-count' }, result: 'Launching skill: word-count' }, ['word-count'])
  check({ name: 'skill', args: { name: 'word-count' }, result: 'ok' }, ['word-count'])
  check({ name: 'activate_skill', args: { name: 'word-count' }, result: 'ok' }, ['word-count'])
  check({ name: 'Skill', args: { skill: '/word-count 3' } }, ['word-count'])
})

test('the tools of SDKs that load a skill', () => {
  check({ name: 'load_skill', args: { skill_name: 'word-count' }, result: 'text' }, ['word-count'])
  check({ name: 'useSkill', args: { name: 'word-count' }, result: 'text' }, ['word-count'])
  check({ name: 'create_skill', args: { name: 'word-count' }, result: 'text' }, [])
})

test('over ACP, where only a title or an id tells the tool', () => {
  check({ name: 'skill', unnamed: true, title: 'skill', args: { name: 'word-count' } }, ['word-count'])
  const id = 'activate_skill__activate_skill_1_0'
  check({ name: '"word-count": Counts', id, title: '"word-count": Counts words.', unnamed: true }, ['word-count'])
  const locations = [{ path: '/w/.agents/skills/word-count/SKILL.md' }]
  check({ name: 'exec_command', kind: 'read', locations, result: { exit_code: 0 } }, ['word-count'])
})

test('a tool that failed to load it has neither used it nor left it alone', () => {
  check({ name: 'skill', args: { name: 'word-count' }, error: 'ripgrep execution failed' }, [], ['word-count'])
  const refused = { isError: true, content: [{ type: 'text', text: 'no such skill' }] }
  check({ name: 'load_skill', args: { name: 'word-count' }, result: refused }, [], ['word-count'])
  check({ name: 'read_file', args: { path: 'skills/word-count/SKILL.md' }, result: refused }, [], ['word-count'])
})

test('a search may print the SKILL.md, as a command may', () => {
  const path = '.claude/skills/word-count/SKILL.md'
  check({ name: 'Grep', args: { pattern: '.', path }, result: FRONT }, ['word-count'])
  check({ name: 'Grep', args: { pattern: '.', path }, result: '5:# Word count' }, [], ['word-count'])
  check({ name: 'Searching', kind: 'search', args: { path }, result: '5:# Word count' }, [], ['word-count'])
  check({ name: 'Glob', args: { pattern: '**/SKILL.md' }, result: path }, [])
  check({ name: 'Grep', args: { pattern: 'words', path: 'src' }, result: 'src/a.ts' }, [])
})

test('a command that printed the SKILL.md has read it', () => {
  check(shell('cat .agents/skills/word-count/SKILL.md', { result: FRONT }), ['word-count'])
  check(shell('cd .agents/skills/word-count && cat SKILL.md', { result: FRONT }), ['word-count'])
  check(shell('cat .agents/skills/word-count/SKILL.md; false', { error: FRONT }), ['word-count'])
  check({ name: 'exec_command', args: { cmd: ['cat', 'a/skills/word-count/SKILL.md'] }, result: FRONT }, ['word-count'])
})

test('also with the numbers of its lines', () => {
  const numbered = (mark: string) =>
    FRONT.split('\n')
      .map((line, at) => `${mark.replace('1', String(at + 1))}${line}`)
      .join('\n')
  const cat = (result: string) => shell('nl -ba .agents/skills/word-count/SKILL.md', { result })
  for (const mark of ['     1\t', '1:', '     1→', '.agents/skills/word-count/SKILL.md:1:'])
    check(cat(numbered(mark)), ['word-count'])
  check(cat(`\uFEFF${FRONT}`), ['word-count'])
  check(cat('     5\t# Word count'), [], ['word-count'])
})

test('a command that only names it shows nothing', () => {
  const named = ['word-count']
  check(shell('cat .agents/skills/word-count/SKILL.md', { error: 'No such file' }), [], named)
  check(shell('ls .agents/skills/word-count/SKILL.md', { result: '.agents/skills/word-count/SKILL.md' }), [], named)
  check(shell('sh .agents/skills/word-count/scripts/count.sh a.txt', { result: '3' }), [], named)
  check(shell('ls .agents/skills', { result: 'word-count' }), [])
  check(shell('echo done', { result: FRONT }), [])
})

test('a name that begins like another is another', () => {
  const front = FRONT.replace('word-count', 'word-count-fast')
  check(shell('cat .agents/skills/word-count-fast/SKILL.md', { result: front }), ['word-count-fast'])
})

test('reading it with a tool for files counts, writing it does not', () => {
  check({ name: 'Read', args: { file_path: '/w/word-count/SKILL.md' }, result: FRONT }, ['word-count'])
  check({ name: 'read_file', args: { path: 'word-count/SKILL.md' }, error: 'missing' }, [], ['word-count'])
  check({ name: 'Write', args: { file_path: '/w/word-count/SKILL.md', content: FRONT }, result: 'ok' }, [])
  check({ name: 'Grep', args: { pattern: 'word-count/SKILL.md' }, result: 'none' }, [])
})

test('several files, a tool that Viva does not know, and other files of the skill', () => {
  const path = '/w/.gemini/skills/word-count/SKILL.md'
  check({ name: 'read_many_files', args: { include: ['a.md', path] }, result: 'text' }, ['word-count'])
  check({ name: 'read_many_files', args: { include: ['.gemini/skills/**/*.md'] }, result: `--- a ---\n${FRONT}` }, [
    'word-count',
  ])
  check({ name: 'read_file', args: { path: 'SKILL.md', cwd: '/w/skills/word-count' }, result: FRONT }, ['word-count'])
  check({ name: 'get_file_contents', args: { path }, result: FRONT }, ['word-count'])
  check({ name: 'get_file_contents', args: { path }, result: 'text' }, [])
  check({ name: 'Read', args: { file_path: '/w/skills/word-count/refs/a.md' }, result: 'text' }, [], ['word-count'])
})

test('what was only claimed, or said, is not used', () => {
  check({ name: 'Skill', args: { skill: 'word-count' }, claimed: true }, [])
  check({ name: 'Skill', args: { skill: 'word-count' }, no_such_tool: true }, [])
  check({ name: 'Write', args: { content: 'I used the skill word-count' } }, [])
})

test('a later turn settles what an earlier one left open', () => {
  const before = { invoked: [], unclear: ['a', 'b'], offered: ['a', 'b'] }
  expect(addSkillUse(before, { invoked: ['a'] })).toEqual({ invoked: ['a'], unclear: ['b'], offered: ['a', 'b'] })
  expect(addSkillUse(undefined, { invoked: ['a'] })).toEqual({ invoked: ['a'] })
})
