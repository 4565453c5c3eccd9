// The files around: secrets, links that lead out, what could not be read, evals, and what the loader of packages says.
import { show } from '../../base/text.js'
import { defineRule } from '../rule.js'
import { BY_CONTEXT } from '../text/secrets.js'
import { textField } from './skill-head.js'

export const FOLDER = [
  defineRule({
    id: 'secret',
    on: 'folder',
    severity: 'error',
    summary: 'a key or token, recognised by its format',
    reason: 'Whoever gets the folder, and every model that reads the file, has the secret.',
    fix: 'Remove it, revoke it, and read it from the environment.',
    *find({ secrets }) {
      for (const { kind, ...place } of secrets)
        if (!BY_CONTEXT.has(kind)) yield { ...place, message: `this looks like a secret (${kind})` }
    },
  }),
  defineRule({
    id: 'secret-likely',
    on: 'folder',
    severity: 'warning',
    summary: 'a value beside a name such as password or token, or inside an address',
    reason: 'Whoever gets the folder, and every model that reads the file, has the secret.',
    fix: 'Remove it and read it from the environment; if it is an example, make it look like one: <your-token>.',
    *find({ secrets }) {
      for (const { kind, ...place } of secrets)
        if (BY_CONTEXT.has(kind)) yield { ...place, message: `this may be a secret (${kind})` }
    },
  }),
  defineRule({
    id: 'link-outside',
    on: 'folder',
    severity: 'warning',
    summary: 'a symbolic link that leads out of the folder, or nowhere',
    reason:
      'It breaks when the folder is copied, and may show files that were not meant to be shipped. It was not followed.',
    fix: 'Copy the file into the folder.',
    *find({ links }) {
      for (const { file, leads } of links)
        yield { file, message: leads === 'out' ? 'the link leads out of the folder' : 'the link leads nowhere' }
    },
  }),
  defineRule({
    id: 'unreadable',
    on: 'folder',
    severity: 'error',
    summary: 'something that could not be linted',
    reason: 'Nothing is known about it: no finding does not mean that it is fine.',
    fix: 'Make it readable, smaller or valid, or move it out of the folder.',
    *find({ unread }) {
      for (const { reason, ...place } of unread) yield { ...place, message: reason }
    },
  }),
  defineRule({
    id: 'evals-invalid',
    on: 'skill',
    severity: 'error',
    summary: 'evals or trigger queries that do not load, or name files that are not there',
    reason: 'The skill cannot be tested with it.',
    fix: 'Correct it; viva test -n skill:DIR reads it.',
    *find({ evals }) {
      for (const { file, problems } of evals) for (const problem of problems) yield { file, ...problem }
    },
  }),
  defineRule({
    id: 'evals-name',
    on: 'skill',
    severity: 'warning',
    summary: 'evals of a skill with another name',
    reason: 'They were probably copied, and test another skill.',
    fix: 'Correct skill_name, or replace the evals.',
    *find(skill) {
      const name = textField(skill, 'name')
      for (const { file, skillName } of skill.evals)
        if (name !== undefined && skillName !== undefined && skillName !== name)
          yield { file, message: `skill_name is ${show(skillName, 80)}, the skill is called ${show(name, 80)}` }
    },
  }),
  defineRule({
    id: 'evals-judge-only',
    on: 'skill',
    severity: 'note',
    summary: 'an expectation in prose of which a part could be checked without a judge',
    reason: 'A judge costs a model call and errs; a name that must be in the code is there or it is not.',
    fix: 'Review the check, and add it to a case of your own beside the expectation.',
    *find({ evals }) {
      for (const { file, checkable } of evals)
        for (const { expectation, check, line } of checkable)
          yield {
            file,
            line,
            message: `${show(expectation, 160)} needs no judge for a part of it`,
            fix: `Review this check, and add it to a case of your own: ${JSON.stringify(check)}`,
          }
    },
  }),
  defineRule({
    id: 'package-invalid',
    on: 'package',
    severity: 'error',
    summary: 'a mistake for which the package is refused',
    reason: 'The agent cannot be run.',
    fix: 'Correct it where the message says.',
    *find({ problems }) {
      yield* problems
    },
  }),
  defineRule({
    id: 'package-odd',
    on: 'package',
    severity: 'warning',
    summary: 'something in a package that has no effect',
    reason: 'It was written for a reason, and nothing reads it.',
    fix: 'Correct the name, or remove it.',
    *find({ warnings }) {
      yield* warnings
    },
  }),
]
