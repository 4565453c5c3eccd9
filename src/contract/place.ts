// The folder that a server works in while it is tested: a small project, and a HOME of its own.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { StdioServer } from '../mcp-client/server.js'

export interface ServerPlace {
  cwd: string
  home: string
  env: Record<string, string>
}

/** Path → content, of the folder that tools are tried in. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  'example.txt': 'Hello.\nThis is an example.\nIt has three lines.\n',
  'example.md': '# Example\n\nAn example page with a [link](other.md) and a #tag.\n',
  'other.md': '# Other\n\nAnother page.\n',
  'example.json': '{ "name": "example", "values": [1, 2, 3] }\n',
  'example.js': 'const example = 1\nconsole.log(example)\n',
  'example.csv': 'name,value\nexample,1\n',
  'folder/inside.txt': 'A file in a folder.\n',
}

/** An empty repository, as `git init` leaves one. */
const REPOSITORY: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
  '.git/objects/info/exclude': '',
  '.git/refs/heads/.keep': '',
}

export async function preparePlace(cwd: string, server: StdioServer, own: NodeJS.ProcessEnv): Promise<ServerPlace> {
  const home = join(cwd, 'home')
  await mkdir(home, { recursive: true })
  for (const [path, text] of Object.entries({ ...EXAMPLE_FILES, ...REPOSITORY })) {
    const file = join(cwd, path)
    if (existsSync(file)) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return { cwd, home, env: { ...placeEnv(home, own), ...server.env } }
}

/** Package runners look for what they have downloaded in HOME: without it each start would be a download. */
function placeEnv(home: string, own: NodeJS.ProcessEnv): Record<string, string> {
  const users = own['HOME'] ?? homedir()
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    npm_config_cache: own['npm_config_cache'] ?? join(users, '.npm'),
    UV_CACHE_DIR: own['UV_CACHE_DIR'] ?? join(users, '.cache', 'uv'),
    GIT_AUTHOR_NAME: 'Viva',
    GIT_AUTHOR_EMAIL: 'viva@example.com',
    GIT_COMMITTER_NAME: 'Viva',
    GIT_COMMITTER_EMAIL: 'viva@example.com',
  }
}
