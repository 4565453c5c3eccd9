// `viva:promptfoo/own-check`, for the scripts of imported suites: calls a function in a file of the user's as promptfoo does.
import { contextOf, graded } from './code'
import { answerOf, concluded, type CheckScript } from './verdict'

/** By its name, or the one that the file exports. */
export function checkOf(exported: Record<string, unknown>, file: string, name = ''): CheckScript {
  const given = exported['module.exports'] ?? exported
  // What a file exports as default hides its other names.
  const own = member(member(given, 'default'), 'default') ?? member(given, 'default') ?? given
  const picked = name === '' ? own : member(own, name)
  const called = typeof picked === 'function' ? picked : member(picked, 'default')
  return async (output, _input, _expected, { metadata, evidence }) => {
    if (typeof called !== 'function') throw new Error(`${file} exports no function ${name}`.trim())
    const found: unknown = await (called as (...args: unknown[]) => unknown)(
      output,
      contextOf(metadata, evidence, output),
    )
    return answerOf(concluded({ ...metadata, type: 'javascript', value: file }, graded(found, metadata), output))
  }
}

function member(value: unknown, name: string): unknown {
  return value === undefined || value === null ? undefined : (value as Record<string, unknown>)[name]
}
