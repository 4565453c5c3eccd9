// `FS("system")`: files inside the application root, and nowhere else.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isInside } from '../../files/inside.js'
import { Exception } from './exception.js'

type Call = (...args: unknown[]) => unknown

const MIME: Record<string, string> = {
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.csv': 'text/csv',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.js': 'text/javascript',
  '.ts': 'text/typescript',
}

export function openFileSystem(root: string, name: unknown): Record<string, Call> {
  if (name !== 'system' && name !== 'app') {
    throw Exception(`there is no file system "${String(name)}": use FS("system")`, 404)
  }
  const at = (given: unknown): string => inside(root, given)
  const shown = (file: string): string => `/${path.relative(root, file).split(path.sep).join('/')}`
  return { ...reading(at, shown), ...writing(at, shown), ...naming(root, at) }
}

function reading(at: (given: unknown) => string, shown: (file: string) => string): Record<string, Call> {
  // These act on a link itself, wherever it leads: its folder must be inside.
  const stat = (given: unknown): fs.Stats | undefined => {
    const name = String(given).replace(/[/\\]+$/, '')
    const file = path.join(at(path.dirname(name)), path.basename(name))
    return fs.lstatSync(file, { throwIfNoEntry: false })
  }
  return {
    ReadFile: (file) => fs.readFileSync(at(file), 'utf8'),
    ReadFileBuffer: (file) => new Uint8Array(fs.readFileSync(at(file))),
    ReadFileBase64: (file) => fs.readFileSync(at(file), 'base64'),
    Exists: (file) => stat(file) !== undefined,
    IsDir: (file) => stat(file)?.isDirectory() ?? false,
    IsFile: (file) => stat(file)?.isFile() ?? false,
    IsLink: (file) => stat(file)?.isSymbolicLink() ?? false,
    Size: (file) => fs.statSync(at(file)).size,
    ModTime: (file) => Math.floor(fs.statSync(at(file)).mtimeMs / 1000),
    Mode: (file) => fs.statSync(at(file)).mode & 0o777,
    ReadDir: (folder, recursive) =>
      fs
        .readdirSync(at(folder), { recursive: Boolean(recursive) })
        .map((entry) => shown(path.join(at(folder), String(entry))))
        .toSorted(),
  }
}

function writing(at: (given: unknown) => string, shown: (file: string) => string): Record<string, Call> {
  const write = (file: unknown, data: string | Uint8Array, flag = 'w'): number => {
    fs.mkdirSync(path.dirname(at(file)), { recursive: true })
    fs.writeFileSync(at(file), data, { flag })
    return data.length
  }
  return {
    WriteFile: (file, data) => write(file, data instanceof Uint8Array ? data : String(data)),
    WriteFileBuffer: (file, data) => write(file, data as Uint8Array),
    WriteFileBase64: (file, data) => write(file, Buffer.from(String(data), 'base64')),
    AppendFile: (file, data) => write(file, data instanceof Uint8Array ? data : String(data), 'a'),
    Mkdir: (folder) => fs.mkdirSync(at(folder)),
    MkdirAll: (folder) => fs.mkdirSync(at(folder), { recursive: true }),
    MkdirTemp: (folder, pattern) => {
      fs.mkdirSync(at(folder ?? ''), { recursive: true })
      return shown(fs.mkdtempSync(path.join(at(folder ?? ''), typeof pattern === 'string' ? pattern : 'tmp')))
    },
    Remove: (file) => fs.rmSync(at(file)),
    RemoveAll: (file) => fs.rmSync(removable(at(file), at('/')), { recursive: true, force: true }),
    Copy: (from, to) => fs.cpSync(at(from), at(to), { recursive: true }),
    Move: (from, to) => fs.renameSync(at(from), at(to)),
    Chmod: (file, mode) => fs.chmodSync(at(file), Number(mode)),
  }
}

function naming(root: string, at: (given: unknown) => string): Record<string, Call> {
  return {
    BaseName: (file) => path.basename(String(file)),
    DirName: (file) => path.dirname(String(file)),
    ExtName: (file) => path.extname(String(file)).slice(1),
    MimeType: (file) => MIME[path.extname(String(file)).toLowerCase()] ?? 'application/octet-stream',
    Abs: (file) => at(file),
    Root: () => root,
  }
}

/** Names are read relative to the root, `/` included; links are followed before the location is checked. */
function inside(root: string, given: unknown): string {
  if (typeof given !== 'string') throw Exception(`expected a path, got ${typeof given}`, 400)
  if (given.includes('\0')) throw Exception('a path cannot hold a NUL character', 400)
  const wanted = path.resolve(root, given.replace(/^[/\\]+/, ''))
  if (!isInside(root, wanted)) throw Exception(`"${given}" is outside the application root`, 403)
  return wanted
}

function removable(file: string, root: string): string {
  if (file === root) throw Exception('the application root itself cannot be removed', 403)
  return file
}
