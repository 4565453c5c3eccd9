// The argument of `viva init --kind mcp`.

/** Whether the argument of `init` is a server; a folder has none of this. */
export function isServer(given: string): boolean {
  return /\s|^mcp:|^https?:\/\//i.test(given.trim())
}
