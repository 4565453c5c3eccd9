// The kinds of agents that `viva init` knows.
import { functionScaffold } from './function-files.js'
import { httpScaffold } from './http-files.js'
import { orchestratorScaffold } from './orchestrator-files.js'
import { packageScaffold } from './package-files.js'
import { pythonScaffold } from './python-files.js'
import type { Scaffold } from './scaffold.js'

export interface InitKind {
  kind: string
  about: string
  scaffold: Scaffold
}

export const INIT_KINDS: readonly InitKind[] = [
  { kind: 'package', about: 'prompts, tools and hooks that Viva runs, with a script test', scaffold: packageScaffold },
  { kind: 'function', about: 'a function in TypeScript or JavaScript', scaffold: functionScaffold },
  { kind: 'python', about: 'a program, here in Python', scaffold: pythonScaffold },
  { kind: 'http', about: 'a server behind a URL', scaffold: httpScaffold },
  { kind: 'orchestrator', about: 'a loop of hats and events', scaffold: orchestratorScaffold },
]
