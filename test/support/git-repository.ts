// A git repository made for one test.
import { execFileSync } from 'node:child_process'
import { makeFolder, writeFiles, type Files } from './run-cli.js'

export interface Repository {
  dir: string
  git(...args: string[]): string
  /** Writes the files and commits everything. Null removes one. */
  commit(files: Files): string
}

export function makeRepository(files: Files, dir: string = makeFolder()): Repository {
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always', ...args],
      {
        cwd: dir,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env['PATH'] ?? '', HOME: dir, GIT_CONFIG_NOSYSTEM: '1' },
      },
    ).trim()
  const commit = (changed: Files): string => {
    writeFiles(dir, changed)
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', 'change')
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q', '-b', 'main')
  commit({ '.gitignore': 'output-*\nevents*\n.env\nnode_modules\n*.log\n.viva\n', ...files })
  return { dir, git, commit }
}
