// `source` or `url` of an attachment → what is sent: a data URL, or a web address that is passed on unread.
import { constants } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { basename, isAbsolute, resolve, sep } from 'node:path'
import { isInside } from '../../files/inside.js'
import { show } from '../../base/text.js'
import { messageOf } from '../../base/message-of.js'
import { mediaTypeOf } from './media-types.js'

export interface AttachmentContext {
  /** Folder of the case file: searched first. */
  dir: string
  appRoot: string
  /** `--allow-outside` */
  allowOutside: boolean
}

export interface AttachmentData {
  url: string
  /** Base64, if the bytes are available. */
  data?: string
  media_type?: string
  filename?: string
}

const MAX_BYTES = 20 * 1024 * 1024

/** Throws an Error that names the attachment and what is wrong with it. */
export async function readAttachment(source: string, context: AttachmentContext): Promise<AttachmentData> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(source)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'file':
      return readFileUrl(source, context)
    case 'data':
      return readDataUrl(source)
    case 'http':
    case 'https':
      return webAddress(source)
    default:
      throw scheme === undefined || scheme.length === 1
        ? new Error(`attachment ${show(source, 80)} is not a URL: write file://path, data: or https://`)
        : new Error(`attachment ${show(source, 80)}: "${scheme}:" is not supported, use file://, data: or http(s)://`)
  }
}

function webAddress(source: string): AttachmentData {
  if (!URL.canParse(source)) throw new Error(`attachment ${show(source, 80)} is not a URL`)
  const name = basename(new URL(source).pathname)
  return { url: source, media_type: mediaTypeOf(name), ...(name !== '' && { filename: name }) }
}

const DATA_URL = /^data:([^,]*?)(;base64)?,(.*)$/is
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function readDataUrl(source: string): AttachmentData {
  const [, mediaType = '', base64, data = ''] = DATA_URL.exec(source) ?? []
  if (!source.includes(',')) throw new Error(`attachment ${show(source, 60)}: a data URL needs a comma before its data`)
  if (data.length > MAX_BYTES * 2) throw tooLarge(show(source, 60))
  if (base64 === undefined) return { url: source, media_type: mediaType === '' ? 'text/plain' : mediaType }
  if (!BASE64.test(data)) throw new Error(`attachment ${show(source, 60)}: bad base64`)
  if (data.length * 0.75 > MAX_BYTES) throw tooLarge(show(source, 60))
  return { url: source, data, media_type: mediaType === '' ? 'text/plain' : mediaType }
}

async function readFileUrl(source: string, context: AttachmentContext): Promise<AttachmentData> {
  const path = filePath(source)
  const candidates = isAbsolute(path)
    ? [path]
    : [...new Set([resolve(context.dir, path), resolve(context.appRoot, path)])]
  const root = await realpath(context.appRoot)
  for (const candidate of candidates) {
    const file = await realpath(candidate).catch(() => undefined)
    if (file === undefined) continue
    // What it is comes first: "not a regular file" helps more than "outside".
    await requireRegular(file, source)
    if (!context.allowOutside && !isInside(root, file)) throw outside(source, root)
    const data = (await readLimited(file, source)).toString('base64')
    const mediaType = mediaTypeOf(file)
    return { url: `data:${mediaType};base64,${data}`, data, media_type: mediaType, filename: basename(path) }
  }
  const escapes = candidates.every((candidate) => !isInside(root, candidate))
  if (escapes && !context.allowOutside) throw outside(source, root)
  throw new Error(`attachment ${show(source, 120)} not found: looked for ${candidates.join(' and ')}`)
}

function filePath(source: string): string {
  let path = source.slice('file:'.length)
  if (path.startsWith('//')) path = path.slice(2)
  try {
    path = decodeURIComponent(path)
  } catch {
    throw new Error(`attachment ${show(source, 120)}: bad percent-encoding (write % as %25)`)
  }
  if (path.includes('\0')) throw new Error(`attachment ${show(source, 120)}: NUL character in the path`)
  if (path.startsWith('\\\\') || (path.startsWith('//') && sep === '\\')) {
    throw new Error(`attachment ${show(source, 120)} is not a URL of a local file`)
  }
  if (path === '') throw new Error(`attachment ${show(source, 120)}: the path is missing`)
  // file:///C:/x
  return /^\/[A-Za-z]:[\\/]/.test(path) && sep === '\\' ? path.slice(1) : path
}

async function requireRegular(file: string, source: string): Promise<void> {
  const stats = await stat(file)
  if (stats.isDirectory()) throw new Error(`attachment ${show(source, 120)} is a directory`)
  if (!stats.isFile()) throw new Error(`attachment ${show(source, 120)} is not a regular file`)
  if (stats.size > MAX_BYTES) throw tooLarge(show(source, 120))
}

/** The file may have been swapped since it was checked: a pipe must not block, nor a growing file go on forever. */
async function readLimited(file: string, source: string): Promise<Buffer> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  let handle: FileHandle | undefined
  try {
    handle = await open(file, flags)
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const buffer = Buffer.allocUnsafe(Math.min(stats.size, MAX_BYTES) + 1)
    let filled = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled)
      filled += bytesRead
      if (bytesRead === 0) return buffer.subarray(0, filled)
      if (filled === buffer.length) throw new Error('it changed while it was read')
    }
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`attachment ${show(source, 120)} cannot be read: ${reason}`, { cause: error })
  } finally {
    await handle?.close()
  }
}

function outside(source: string, root: string): Error {
  return new Error(
    `attachment ${show(source, 120)} is outside the application root ${root}: move it there, or allow it with --allow-outside`,
  )
}

function tooLarge(source: string): Error {
  return new Error(`attachment ${source} is larger than ${MAX_BYTES / 1024 / 1024} MB`)
}
