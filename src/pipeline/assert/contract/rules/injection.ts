// What is in an argument is not run as a command.
import { wordsOf } from '../../../../json-schema/values/sample.js'
import { finding, TOOLS, type Rule } from '../rule.js'

export const injection: Rule = {
  id: 'injection',
  reason: 'arguments come from a model, and so from whatever text it has read',
  fix: 'start programs with a list of arguments instead of a shell command, or quote what is put into one',
  on: TOOLS,
  judge({ executed, subject }) {
    if (!executed || isShell(subject.kind === 'tool' ? subject.item : {})) return []
    return [finding('a part of an argument was run as a command: it created a file', executed)]
  },
}

/** Running commands is what it is for. One that runs a command of its own, `git log`, is none. */
function isShell({ name, description }: Record<string, unknown>): boolean {
  const words = wordsOf(String(name))
  return (
    words.some((word) => SHELLS.has(word)) ||
    /\b(?:run|execute|evaluate)s? (?:an? |any |the (?:given )?)?(?:arbitrary |shell |bash |terminal |system )*(?:commands?|scripts?|code)\b/i.test(
      String(description),
    )
  )
}

const SHELLS = new Set(['shell', 'terminal', 'bash', 'sh', 'cmd', 'command', 'commands', 'exec', 'execute', 'eval'])
