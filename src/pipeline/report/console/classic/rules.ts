// The rules that divide the console output: 63 columns for agents, 79 for scripts, as in the documents.

export const AGENT_WIDTH = 63
export const SCRIPT_WIDTH = 79

export function double(width: number): string {
  return '═'.repeat(width)
}

export function single(width: number): string {
  return '─'.repeat(width)
}
