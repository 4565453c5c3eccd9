// Files that agents and tools act on without being asked: settings, hooks, servers. A workspace is not a sandbox, so a
// warning is due when they are put there.

const FOLDERS = new Set(
  '.claude .codex .cursor .devcontainer .gemini .git .github .husky .idea .kiro .opencode .vscode'.split(' '),
)
const FILES = new Set('.envrc .mcp.json .npmrc .gitconfig .pre-commit-config.yaml opencode.json'.split(' '))

export function activeFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const parts = path.split('/')
    return parts.slice(0, -1).some((part) => FOLDERS.has(part)) || FILES.has(parts.at(-1) ?? '')
  })
}
