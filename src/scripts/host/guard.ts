// Makes sure that no script's process outlives Viva, even when Viva is killed: one small shell per run holds a pipe from
// us and knows every group; when the pipe ends, it ends them. A script gets no work before the guard knows its group.
import { spawn, type ChildProcess } from 'node:child_process'

export const GUARD_NAME = 'viva-guard'

export interface Guard {
  add(pid: number): void
  remove(pid: number): void
  /** Settles when it is gone itself. */
  close(): Promise<void>
}

// Ids are kept as ` 12 34 `; a removed one is cut out.
const PROGRAM = `p=" "
while read -r o n; do
  case $o in
    +) p="$p$n " ;;
    -) case $p in *" $n "*) p="\${p%% $n *} \${p#* $n }" ;; esac ;;
  esac
done
for n in $p; do kill -9 -"$n" 2>/dev/null; done`

export function startGuard(env: Record<string, string>): Guard {
  if (process.platform === 'win32') return { add() {}, remove() {}, async close() {} }
  const shell: ChildProcess = spawn('/bin/sh', ['-c', PROGRAM, GUARD_NAME], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
  })
  shell.on('error', () => {})
  shell.stdin?.on('error', () => {})
  // It must not keep Viva alive.
  shell.unref()
  ;(shell.stdin as (NodeJS.WritableStream & { unref?(): void }) | null)?.unref?.()
  return {
    add: (pid) => shell.stdin?.write(`+ ${pid}\n`),
    remove: (pid) => shell.stdin?.write(`- ${pid}\n`),
    close() {
      const gone = new Promise<void>((resolve) => {
        shell.once('exit', () => resolve())
        if (shell.exitCode !== null || shell.pid === undefined) resolve()
      })
      shell.ref()
      shell.stdin?.end()
      return gone
    },
  }
}
