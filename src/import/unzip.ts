// The files of a ZIP archive that an import needs, one after another: stored, deflated, or, where Node can, Zstandard.
import * as zlib from 'node:zlib'

const MOST_BYTES = 256 * 1024 * 1024
const [END, ENTRY, STORED, DEFLATED, ZSTD] = [0x06054b50, 0x02014b50, 0, 8, 93]

export function isZip(bytes: Buffer): boolean {
  return bytes.length > 22 && bytes.readUInt32LE(0) === 0x04034b50
}

/** `header.json` and what is in `samples/`. Throws an Error that says what is wrong. */
export function* unzip(bytes: Buffer): Generator<{ name: string; text: string }> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error('the archive is cut off: it has no directory')
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('the directory of the archive is damaged')
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    const entry = {
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      start: bytes.readUInt32LE(at + 42),
    }
    total += bytes.readUInt32LE(at + 24)
    if (total > MOST_BYTES) throw new Error('unpacked it is larger than 256 MB')
    if (name === 'header.json' || /^samples\/[^/]+\.json$/.test(name))
      yield { name, text: inflate(contentOf(bytes, entry), entry.method, name).toString('utf8') }
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
}

function contentOf(bytes: Buffer, { start, size }: { start: number; size: number }): Buffer {
  const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  return bytes.subarray(from, from + size)
}

function inflate(content: Buffer, method: number, name: string): Buffer {
  const limit = { maxOutputLength: MOST_BYTES }
  if (method === STORED) return content
  if (method === DEFLATED) return zlib.inflateRawSync(content, limit)
  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (input: Buffer, options: object) => Buffer }
  if (method === ZSTD && zstdDecompressSync) return zstdDecompressSync(content, limit)
  throw new Error(
    method === ZSTD
      ? `${name} is compressed with Zstandard, which Node ${process.versions.node} cannot read: use Node 22.15 or later`
      : `${name} is compressed in a way that is not known (${method})`,
  )
}
