// What is in an argument is not run as a command.
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

/** Running commands is what it is for. */
function isShell({ name, description }: Record<string, unknown>): boolean {
  return /\b(?:shell|terminal|bash|command|exec(?:ute)?|eval|script)/i.test(
    `${String(name)} ${String(description)}`.replaceAll('_', ' '),
  )
}
