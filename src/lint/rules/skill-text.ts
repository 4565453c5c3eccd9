// What a skill says about itself, and how much of a model's context it takes.
import { formatCount } from '../../base/format.js'
import { defineRule } from '../rule.js'
import type { Skill } from '../subject.js'
import { estimateTokens, TOKEN_METHOD } from '../text/tokens.js'
import { weaknessOf } from '../text/vague.js'
import { missing, startOf, textField } from './skill-head.js'

const LONGEST_DESCRIPTION = 1024
const FEWEST_WORDS = 3
const MOST_LINES = 500
const MOST_TOKENS = 5000

export const SKILL_TEXT = [
  defineRule({
    id: 'skill-description-missing',
    on: 'skill',
    severity: 'error',
    summary: 'a skill without a description',
    reason: 'The description is all that an agent sees when it decides whether to use the skill.',
    fix: 'Add description: with what the skill does and when to use it.',
    *find(skill) {
      if (!skill.fields || textField(skill, 'description') !== undefined) return
      const message = missing(skill.fields.get('description'), 'description')
      yield { file: skill.file, ...startOf(skill, 'description'), message }
    },
  }),
  defineRule({
    id: 'skill-description-long',
    on: 'skill',
    severity: 'error',
    summary: `a description of more than ${LONGEST_DESCRIPTION} characters`,
    reason: 'Agents cut it off or refuse the skill; every conversation pays for it, whether the skill is used or not.',
    fix: 'Keep what the skill does and when to use it; move the rest into the body.',
    *find(skill) {
      const text = textField(skill, 'description')
      if (text === undefined || text.length <= LONGEST_DESCRIPTION) return
      const message = `the description has ${formatCount(text.length)} characters, at most ${formatCount(LONGEST_DESCRIPTION)} are allowed`
      yield { file: skill.file, ...startOf(skill, 'description'), message }
    },
  }),
  defineRule({
    id: 'skill-description-weak',
    on: 'skill',
    severity: 'warning',
    summary: 'a description that is too short, vague, a placeholder, or only repeats the name',
    reason: 'An agent cannot tell from it when to use the skill, and uses it at the wrong time or never.',
    fix: 'Say what it does and when to use it, in the words that people use when they need it.',
    *find(skill) {
      const text = textField(skill, 'description')
      const weakness = text === undefined ? undefined : weaknessOf(text, textField(skill, 'name') ?? '', FEWEST_WORDS)
      if (!weakness) return
      const message =
        weakness.kind === 'repeats'
          ? 'the description only repeats the name'
          : weakness.kind === 'vague'
            ? 'the description could be that of any skill'
            : weakness.kind === 'placeholder'
              ? 'the description is a placeholder'
              : `the description has ${weakness.words} words that say something, fewer than ${FEWEST_WORDS}`
      yield { file: skill.file, ...startOf(skill, 'description'), message }
    },
  }),
  defineRule({
    id: 'skill-description-when',
    on: 'skill',
    severity: 'note',
    summary: 'a description that does not say when to use the skill',
    reason: 'What a skill does is half of the decision; agents go by the situations that the description names.',
    fix: 'Add a sentence such as "Use when …".',
    *find(skill) {
      const text = textField(skill, 'description')
      if (text === undefined || !/[a-z]/i.test(text) || OCCASION.test(text) || !isChosen(skill)) return
      yield {
        file: skill.file,
        ...startOf(skill, 'description'),
        message: 'the description names no situation to use it in',
      }
    },
  }),
  defineRule({
    id: 'skill-empty',
    on: 'skill',
    severity: 'warning',
    summary: 'a skill without instructions',
    reason: 'An agent that uses it learns nothing.',
    fix: 'Write the instructions below the frontmatter.',
    *find({ file, fields, body }) {
      if (fields && body.text.trim() === '')
        yield { file, line: body.firstLine, message: 'there is nothing below the frontmatter' }
    },
  }),
  defineRule({
    id: 'skill-size',
    on: 'skill',
    severity: 'warning',
    summary: `instructions of more than ${MOST_LINES} lines or ${formatCount(MOST_TOKENS)} tokens`,
    reason: `The whole file is read whenever the skill is used; the convention recommends less. Tokens are ${TOKEN_METHOD}.`,
    fix: 'Move details into files that SKILL.md names, which are read only when they are needed.',
    *find({ file, body }) {
      const lines = body.text.trim() === '' ? 0 : body.text.trimEnd().split('\n').length
      const tokens = estimateTokens(body.text)
      if (lines <= MOST_LINES && tokens <= MOST_TOKENS) return
      const message = `the instructions have ${formatCount(lines)} lines and about ${formatCount(tokens)} tokens`
      yield { file, line: body.firstLine, message }
    },
  }),
]

/** By the model, from the description alone: not if people call it, or another field says when. */
function isChosen({ fields }: Skill): boolean {
  return fields?.get('disable-model-invocation')?.value !== true && fields?.has('when_to_use') !== true
}

const OCCASION =
  /\b(?:when|whenever|if|before|after|while|during|trigger|triggers|triggered|invoke|asks?|asked|asking|mentions?|requests?|use (?:this|it|for|to|with|in|as)|used (?:for|to)|for (?:use|any|all|every|tasks?)|any time|anytime|should be used|must be used)\b/i
