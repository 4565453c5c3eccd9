// The one door to the standard streams. On a terminal, control characters of whoever wrote the text are spelled out, so that
// it can neither paint there nor set the clipboard; in a pipe it is raw.
import { visibleInColor, visibleJson } from '../base/hidden.js'

export interface Door {
  write(text: string): void
  /** JSON stays JSON. */
  json(text: string): void
}

export function doorTo(stream: NodeJS.WriteStream): Door {
  const put = (text: string, spell: (text: string) => string): void =>
    void stream.write(stream.isTTY ? spell(text) : text)
  return {
    write: (text) => put(text, visibleInColor),
    json: (text) => put(text, visibleJson),
  }
}

// Looked up each time: `viva mcp` keeps standard output for the protocol.
export const stdout: Door = {
  write: (text) => doorTo(process.stdout).write(text),
  json: (text) => doorTo(process.stdout).json(text),
}
export const stderr: Door = {
  write: (text) => doorTo(process.stderr).write(text),
  json: (text) => doorTo(process.stderr).json(text),
}
