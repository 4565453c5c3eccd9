import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/case-files.js'
import { conformanceRows } from '../../../test/support/conformance.js'
import type { CaseInput } from '../../model/case.js'
import type { ContentPart } from '../../model/message.js'
import { messagesOf, type AttachmentContext } from './attachments.js'
import { audioFormatOf, mediaTypeOf } from './media-types.js'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** An application with a case folder and a picture in each. */
function application(): AttachmentContext & { root: string } {
  const root = join(tempDir(), 'app')
  const dir = join(root, 'assistants', 'expense', 'tests')
  mkdirSync(join(dir, 'fixtures'), { recursive: true })
  writeFileSync(join(dir, 'fixtures', 'receipt.png'), PNG)
  writeFileSync(join(root, 'logo.png'), PNG)
  return { root, dir, appRoot: root, allowOutside: false }
}

const user = (content: unknown) => ({ role: 'user', content }) as CaseInput

async function partOf(part: ContentPart, context: AttachmentContext): Promise<ContentPart | undefined> {
  const [message] = await messagesOf(user([part]), undefined, context)
  return Array.isArray(message?.content) ? message.content[0] : undefined
}

const url = (part: ContentPart | undefined) => (part?.['image_url'] as { url: string } | undefined)?.url
const failure = (source: string, context: AttachmentContext) => partOf({ type: 'image', source }, context)

test('plain text needs no waiting', () => {
  expect(messagesOf('hi', undefined, application())).toEqual([{ role: 'user', content: 'hi' }])
  expect(messagesOf('', [], application())).toEqual([{ role: 'user', content: '' }])
  expect(messagesOf([{ role: 'assistant', content: 'a' }], undefined, application())).toEqual([
    { role: 'assistant', content: 'a' },
  ])
})

test('a file is looked for beside the case file, then from the application root', async () => {
  const context = application()
  const expected = `data:image/png;base64,${PNG.toString('base64')}`
  for (const source of [
    'file://./fixtures/receipt.png',
    'file://fixtures/receipt.png',
    'file://logo.png',
    `file://${context.root}/logo.png`,
  ]) {
    expect(await partOf({ type: 'image', source, detail: 'high' }, context)).toEqual({
      type: 'image_url',
      image_url: { url: expected, detail: 'high' },
    })
  }
  expect(url(await partOf({ type: 'image_url', image_url: { url: 'file://logo.png' } }, context))).toBe(expected)
})

test('percent-encoded names are decoded', async () => {
  const context = application()
  writeFileSync(join(context.dir, 'my receipt é.png'), PNG)
  expect(url(await partOf({ type: 'image', source: 'file://my%20receipt%20%C3%A9.png' }, context))).toContain(
    'data:image/png',
  )
  await expect(failure('file://100%.png', context)).rejects.toThrow('bad percent-encoding')
})

test('each kind of part has its own form', async () => {
  const context = application()
  writeFileSync(join(context.dir, 'a.wav'), 'RIFF')
  writeFileSync(join(context.dir, 'a.pdf'), '%PDF')
  expect(await partOf({ type: 'audio', source: 'file://a.wav' }, context)).toEqual({
    type: 'input_audio',
    input_audio: { data: Buffer.from('RIFF').toString('base64'), format: 'wav' },
  })
  expect(await partOf({ type: 'file', source: 'file://a.pdf', name: 'bill.pdf' }, context)).toEqual({
    type: 'file',
    file: { url: `data:application/pdf;base64,${Buffer.from('%PDF').toString('base64')}`, filename: 'bill.pdf' },
  })
  expect(await partOf({ type: 'data', source: 'file://a.pdf', x: 1 }, context)).toEqual({
    type: 'data',
    source: `data:application/pdf;base64,${Buffer.from('%PDF').toString('base64')}`,
    x: 1,
  })
  for (const part of [
    { type: 'text', text: 'file://a.pdf' },
    { type: 'hologram', source: 'file:///etc/passwd' },
    { type: 'file', file: { file_id: 'f1' } },
    { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
    { type: 'data', data: { rows: [] } },
  ]) {
    expect(await partOf(part, context)).toEqual(part)
  }
})

test('web addresses and data URLs are passed on', async () => {
  const context = application()
  for (const source of [
    'https://example.com/a.jpg',
    'http://169.254.169.254/x',
    'data:image/png;base64,QUJD',
    'data:text/plain,hello',
  ]) {
    expect(url(await partOf({ type: 'image', source }, context))).toBe(source)
  }
})

test('attachments are appended to the last user message', async () => {
  const context = application()
  const image = { type: 'image', source: 'https://example.com/a.png' }
  const sent = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  expect(await messagesOf('look', [image], context)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'look' }, sent] },
  ])
  const history = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
  ]
  expect(await messagesOf(history, [image], context)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }, sent] },
    { role: 'assistant', content: 'two' },
  ])
  expect(await messagesOf([{ role: 'assistant', content: 'two' }], [image], context)).toEqual([
    { role: 'assistant', content: 'two' },
    { role: 'user', content: [sent] },
  ])
})

test('nothing outside the application root, by any way', async () => {
  const context = application()
  const secret = join(tempDir(), 'secret.txt')
  writeFileSync(secret, 'secret')
  symlinkSync(secret, join(context.dir, 'link.txt'))
  mkdirSync(`${context.root}-evil`)
  writeFileSync(join(`${context.root}-evil`, 'x'), 'x')
  for (const source of [
    `file://${secret}`,
    'file://link.txt',
    'file:///etc/passwd',
    'file://../../../../../../../../etc/passwd',
    'file://%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'file://%2e%2e/%2e%2e/%2e%2e/%2e%2e/no-such-folder/x',
    `file://${context.root}-evil/x`,
  ]) {
    await expect(failure(source, context), source).rejects.toThrow('is outside the application root')
  }
  const open = { ...context, allowOutside: true }
  expect(url(await partOf({ type: 'image', source: `file://${secret}` }, open))).toContain('base64')
})

test.each([
  ['file://.', 'is a directory'],
  ['file:///dev/zero', 'is not a regular file'],
  ['file://nowhere.png', 'not found: looked for'],
  ['file://', 'the path is missing'],
  ['file://a%00b', 'NUL character'],
  ['data:image/png;base64,@@@', 'bad base64'],
  ['data:image/png;base64', 'needs a comma'],
  ['\\\\attacker\\share\\x', 'is not a URL'],
  ['C:\\x.png', 'is not a URL'],
  ['receipt.png', 'is not a URL: write file://path'],
  ['ftp://example.com/x', '"ftp:" is not supported'],
  ['javascript:alert(1)', '"javascript:" is not supported'],
  ['https://', 'is not a URL'],
])('%s: %s', async (source, message) => {
  await expect(failure(source, application())).rejects.toThrow(message)
})

test('a pipe does not block, a large file is refused before it is read', async () => {
  const context = application()
  execFileSync('mkfifo', [join(context.dir, 'pipe')])
  await expect(failure('file://pipe', context)).rejects.toThrow('is not a regular file')
  writeFileSync(join(context.dir, 'big.png'), '')
  truncateSync(join(context.dir, 'big.png'), 20 * 1024 * 1024 + 1)
  await expect(failure('file://big.png', context)).rejects.toThrow('larger than 20 MB')
})

test('a part without a source says so', async () => {
  await expect(partOf({ type: 'image' }, application())).rejects.toThrow(
    `content part of type "image" needs 'source' or 'url'`,
  )
})

/** Differences on purpose: `null` is not an input and is refused at load; messages are checked at load as well. */
const AT_LOAD = new Set(['null input', 'array item not an object'])

test.each(conformanceRows('input_parse', 'input_parse').filter(({ name }) => !AT_LOAD.has(name)))(
  'conformance: $name',
  async ({ given, expect: expected }) => {
    const context = application()
    let input = JSON.stringify(given['input'])
    for (const [name, content] of Object.entries((given['files'] ?? {}) as Record<string, string>)) {
      // An absolute path must be inside the application root here; the original reads any.
      writeFileSync(join(context.dir, name.replace('<abs>/', '')), content)
      input = input.replaceAll('<abs>', context.dir)
    }
    const messages = await messagesOf(JSON.parse(input) as CaseInput, undefined, context)
    if (expected['messages']) return expect(messages).toEqual(expected['messages'])
    const part = (messages[0]?.content as ContentPart[] | undefined)?.[Number(expected['part'])]
    expect(part?.type).toBe(expected['type'])
    const file = part?.['file'] as { url: string; filename: string } | undefined
    if (expected['filename']) expect(file?.filename).toBe(expected['filename'])
    if (expected['url_prefix']) expect(file?.url.startsWith(expected['url_prefix'] as string)).toBe(true)
  },
)

test.each(conformanceRows('input_parse', 'attachment_mime'))('conformance: $name', ({ given, expect: expected }) => {
  const type = mediaTypeOf(`x${String(given['ext'])}`)
  if (expected['format']) expect(audioFormatOf(type)).toBe(expected['format'])
  else expect(type).toBe(expected['mime'])
})
