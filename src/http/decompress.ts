// Compressed answers. zstd only where Node has it.
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

export const ACCEPT_ENCODING = `gzip, deflate, br${'createZstdDecompress' in zlib ? ', zstd' : ''}`

export function canDecompress(encoding: string): boolean {
  return Object.hasOwn(DECOMPRESSORS, encoding)
}

/** `first` are the first bytes of the body, which are not consumed. */
export function createDecompressor(encoding: string, first: Uint8Array): Transform {
  const create = DECOMPRESSORS[encoding]
  if (!create) throw new Error(`no decompressor for ${encoding}`)
  return create(first)
}

/** The body is complete, but the compressed data in it is not. */
export function isTruncated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
}

const DECOMPRESSORS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  // With or without the header of zlib: servers disagree about what "deflate" means.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  ...('createZstdDecompress' in zlib && { zstd: zlib.createZstdDecompress as () => Transform }),
}
