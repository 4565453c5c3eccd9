// Prompts and resources, asked for as they are listed.
import { asText } from '../base/text.js'
import { isRecord, readString } from '../base/record.js'
import { sampleByName } from '../json-schema/values/sample.js'
import type { Listed } from '../model/contract.js'
import { describeServer, type SubjectRun } from './subject-run.js'

export async function probePrompt(run: SubjectRun, prompt: Listed): Promise<void> {
  if (!(await describeServer(run))) return
  const { prober } = run
  const name = readString(prompt['name']) ?? ''
  const all = argumentsOf(prompt)
  const needed = all.filter(({ required }) => required)
  const ask = (purpose: 'typical' | 'wrong' | 'hostile', why: string, values: Record<string, string>) =>
    prober.send('prompts/get', { name, arguments: values }, { purpose, why, type: 'GetPromptResult' })
  const value = (argument: string): string => valueFor(argument, run)
  const valuesOf = (list: typeof all) => Object.fromEntries(list.map((each) => [each.name, value(each.name)]))
  await ask('typical', 'only what is required', valuesOf(needed))
  if (all.length > needed.length) await ask('typical', 'every argument', valuesOf(all))
  for (const missing of needed)
    await ask('wrong', `"${missing.name}" is missing`, valuesOf(all.filter((each) => each.name !== missing.name)))
  const [first] = all
  if (first)
    await ask('hostile', `"${first.name}" is very long`, { ...valuesOf(all), [first.name]: 'a'.repeat(100_000) })
  await prober.lastPing()
}

export async function probeResource(run: SubjectRun, { uri }: Listed): Promise<void> {
  if (!(await describeServer(run))) return
  await run.prober.send(
    'resources/read',
    { uri: readString(uri) ?? '' },
    { purpose: 'typical', why: 'as listed', type: 'ReadResourceResult' },
  )
  await run.prober.lastPing()
}

export async function probeTemplate(run: SubjectRun, { uriTemplate }: Listed): Promise<void> {
  if (!(await describeServer(run))) return
  const template = readString(uriTemplate) ?? ''
  for (const uri of new Set([filled(template, (name) => valueFor(name, run)), filled(template, () => '1')]))
    await run.prober.send(
      'resources/read',
      { uri },
      { purpose: 'typical', why: 'the template filled in', type: 'ReadResourceResult' },
    )
  await run.prober.lastPing()
}

/** RFC 6570: each expression by a plain value for each of its names. */
function filled(template: string, value: (name: string) => string): string {
  return template.replaceAll(/\{([+#./;?&]?)([^}]*)\}/g, (_whole, operator: string, names: string) => {
    const list = names.split(',').map((name) => name.replace(/(?::\d+|\*)$/, ''))
    const isNamed = operator === '?' || operator === '&' || operator === ';'
    const values = list.map((name) =>
      isNamed ? `${name}=${encodeURIComponent(value(name))}` : encodeURIComponent(value(name)),
    )
    const joint =
      operator === '?' || operator === '&'
        ? '&'
        : operator === '' || operator === '+' || operator === '#'
          ? ','
          : operator
    return `${operator === '+' ? '' : operator}${values.join(joint)}`
  })
}

function valueFor(name: string, { sample }: SubjectRun): string {
  return asText([...sample({ name }), ...sampleByName({ name })][0] ?? 'example')
}

function argumentsOf({ arguments: given }: Listed): Array<{ name: string; required: boolean }> {
  if (!Array.isArray(given)) return []
  return given.flatMap((each) => {
    const name = isRecord(each) ? readString(each['name']) : undefined
    return name === undefined ? [] : [{ name, required: isRecord(each) && each['required'] === true }]
  })
}
