// Ten MCP servers as published, with exact versions. `needs`: what a machine may lack, and the words by which a server says
// so. `setup`: what its folder must have, made before each start. `browser`: its arguments for a browser at a path.

const BROWSER =
  /chrom(?:e|ium)[^]*(?:not found|could not find|failed to start|failed to launch)|(?:could not find|is not found)[^]*chrom/i
const CLUSTER =
  /connection refused|ECONNREFUSED|no configuration has been provided|current-context|kubectl|kubeconfig|helm/i

const REPOSITORY =
  'git rev-parse -q --verify HEAD >/dev/null || (git init -qb main . && git config user.email jane@example.com && git config user.name Jane && git add -A && git commit -qm Start)'

export const SERVERS = [
  { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', bin: 'mcp-server-filesystem', args: ['.'] },
  { name: '@modelcontextprotocol/server-memory', version: '2026.8.31', bin: 'mcp-server-memory' },
  { name: '@modelcontextprotocol/server-everything', version: '2026.8.31', bin: 'mcp-server-everything' },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    bin: 'mcp-server-sequential-thinking',
  },
  { name: '@cyanheads/git-mcp-server', version: '2.15.3', bin: 'git-mcp-server', setup: REPOSITORY },
  { name: '@bitbonsai/mcpvault', version: '0.16.0', bin: 'mcpvault', args: ['.'] },
  {
    name: '@eslint/mcp',
    version: '0.3.13',
    bin: 'mcp',
    setup: '[ -e eslint.config.js ] || echo "export default [{ rules: { semi: 2 } }]" > eslint.config.js',
  },
  {
    name: '@playwright/mcp',
    version: '0.0.83',
    bin: 'playwright-mcp',
    args: ['--headless'],
    browser: (path) => ['--isolated', '--no-sandbox', '--executable-path', path],
    needs: { what: 'a browser', says: BROWSER },
  },
  {
    name: 'mcp-server-kubernetes',
    version: '4.1.7',
    bin: 'mcp-server-kubernetes',
    needs: { what: 'a cluster', says: CLUSTER },
  },
  {
    name: 'chrome-devtools-mcp',
    version: '1.11.0',
    bin: 'chrome-devtools-mcp',
    args: ['--headless', '--isolated'],
    browser: (path) => ['--executablePath', path, '--chromeArg=--no-sandbox'],
    needs: { what: 'a browser', says: BROWSER },
  },
]
