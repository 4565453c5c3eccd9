// Which file of dist/ gets which module. What most runs need is in a few files; the rest loads when it is first used.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ENTRIES = { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' }

/** By file, in this order: the modules with all that they import, unless an earlier file has it. */
const FILES = {
  // What every command needs.
  cli: ['src/cli/ending.ts', 'src/cli/program.ts'],
  // A usual `viva test`: opening one file instead of a hundred halves the time to the first case.
  core: [
    'src/cli/commands/test.ts',
    'src/run/check-references.ts',
    'src/snapshots/file-name.ts',
    'src/pipeline/sources/open-source.ts',
    'src/pipeline/sources/check-case.ts',
    'src/pipeline/assert/compile.ts',
    'src/agents/resolve.ts',
    'src/agents/targets/echo.ts',
    'src/run/helpers/require-helper.ts',
    'src/files/replace-file.ts',
    // Shared by the transport and by whatever starts programs, which must not load it.
    'src/base/output-buffer.ts',
    // Small, and used by several of the files below.
    'src/model/cassette.ts',
    'src/connectors/aborted-call.ts',
  ],
  // Starting programs; scripts and module agents, which run in processes of their own.
  programs: [
    'src/process/start-process.ts',
    'src/process/last-words.ts',
    'src/process/child-entry.ts',
    'src/process/sha256.ts',
  ],
  scripts: ['src/scripts/host/runtime.ts', 'src/scripts/compile/reference.ts'],
  modules: ['src/agents/module-host/modules.ts', 'src/agents/targets/module.ts', 'src/agents/targets/load-module.ts'],
  // Agents and helpers that are asked over HTTP, and conversations with them.
  calls: ['src/agents/targets/http.ts', 'src/agents/helpers/ask.ts', 'src/pipeline/execute/conversation/next-input.ts'],
  // An agent package and its connectors.
  package: [
    'src/agents/package/load/load.ts',
    'src/agents/package/agent.ts',
    'src/agents/package/locales.ts',
    'src/connectors/mock.ts',
    'src/connectors/mock-file.ts',
    'src/connectors/openai.ts',
    // With the library that it is made for.
    'src/files/strict-yaml.ts',
  ],
  // A recording.
  recordings: ['src/interceptors/recording/recording.ts'],
  // Answers of an old run.
  recorded: ['src/agents/targets/recorded.ts', 'src/pipeline/record/event-sequence.ts'],
  // The HTTP transport, with the parts of undici it needs.
  http: ['src/http/transport.ts'],
}

/** Dependencies that most starts need, and that are slow to find and read file by file. */
const BUNDLED = ['commander', 'picocolors', 'valibot', 'jsonc-parser', 'yaml', 'js-yaml', 'undici']

export async function bundle(root, outdir) {
  const made = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    logLevel: 'warn',
    checks: { ineffectiveDynamicImport: false },
    resolve: { mainFields: ['module', 'main'] },
    transform: { define: { VIVA_VERSION: JSON.stringify(versionOf(root)) } },
    external: (id) => !/^(\.|\/|src\/)/.test(id) && !BUNDLED.includes(id.split('/')[0]),
  })
  const names = Object.keys(FILES)
  await made.write({
    dir: outdir,
    format: 'esm',
    chunkFileNames: ({ name }) => (names.includes(name) ? 'chunks/[name].js' : 'chunks/[name]-[hash].js'),
    // The notices of what is bundled.
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups: groupsOf(root) },
  })
  await made.close()
}

function groupsOf(root) {
  return Object.entries(FILES).map(([name, modules], at, { length }) => {
    const paths = new Set(modules.map((path) => join(root, path)))
    for (const path of paths) if (!existsSync(path)) throw new Error(`build/bundle.mjs names ${path}: no such file`)
    return { name, test: (id) => paths.has(id), priority: length - at }
  })
}

function versionOf(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
}
