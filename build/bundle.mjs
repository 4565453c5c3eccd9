// Which file of dist/ gets which module. What most runs need is in two files; the rest loads when it is first used.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { parseSync } from 'oxc-parser'
import { rolldown } from 'rolldown'

const ENTRIES = { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' }

/** By file, in this order: the modules with all that they import, unless an earlier file has it. */
const FILES = {
  // A usual `viva test`: opening one file instead of a hundred halves the time to the first case.
  core: [
    'src/cli/program.ts',
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

/** Dependencies that every start of that kind needs, and that are slow to find and read file by file. */
const BUNDLED = {
  commander: 'core',
  picocolors: 'core',
  valibot: 'core',
  'jsonc-parser': 'package',
  yaml: 'package',
  undici: 'http',
}

// What was an ES module stays as strict as one.
const STRICT = `'use strict';`

export async function bundle(root, outdir) {
  const fileOf = await assignModules(root)
  const made = await rolldown({
    input: ENTRIES,
    platform: 'node',
    logLevel: 'warn',
    checks: { ineffectiveDynamicImport: false },
    preserveEntrySignatures: 'allow-extension',
    resolve: { mainFields: ['module', 'main'] },
    transform: { define: { VIVA_VERSION: JSON.stringify(versionOf(root)) } },
    external: (id) => !/^(\.|\/|src\/)/.test(id) && !(id.split('/')[0] in BUNDLED),
  })
  const names = Object.keys(FILES)
  await made.write({
    dir: outdir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: ({ name }) => (names.includes(name) ? 'chunks/[name].cjs' : 'chunks/[name]-[hash].cjs'),
    sourcemap: true,
    comments: false,
    banner: STRICT,
    codeSplitting: {
      groups: names.map((name) => ({ name, test: (id) => fileOf(id) === name })),
      includeDependenciesRecursively: false,
    },
  })
  await made.close()
  for (const name of names) prepareForCache(`${outdir}/chunks/${name}.cjs`)
  writeFileSync(`${outdir}/chunks/import.cjs`, 'module.exports = (name) => import(name)\n')
  writeLibrary(outdir)
}

function versionOf(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
}

/** Which file a module goes into, if into one of ours. */
async function assignModules(root) {
  const entryPoints = Object.values(FILES).flat()
  const options = { bundle: true, metafile: true, packages: 'external', platform: 'node', format: 'esm' }
  const { metafile } = await build({ ...options, entryPoints, outdir: root, write: false, logLevel: 'error' })
  const assigned = new Map()
  const visit = (path, file) => {
    if (assigned.has(path)) return
    assigned.set(path, file)
    for (const { kind, external, path: target } of metafile.inputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) visit(target, file)
    }
  }
  for (const [file, modules] of Object.entries(FILES)) for (const path of modules) visit(path, file)
  const byPath = new Map([...assigned].map(([path, file]) => [join(root, path), file]))
  const packages = Object.entries(BUNDLED).map(([name, file]) => [join(root, 'node_modules', name, '/'), file])
  return (id) => byPath.get(id) ?? packages.find(([folder]) => id.startsWith(folder))?.[1]
}

/** What is read at every start: cheap to read, and loading no more of Node than a command uses. No line moves. */
function prepareForCache(path) {
  const code = withoutImports(path, readFileSync(path, 'utf8'))
  writeFileSync(path, inAscii(withPlainExports(path, withLazyFiles(withLazyBuiltins(code)))))
}

/** An export that never changes needs no getter: making hundreds of them is a tenth of what loading takes. */
function withPlainExports(path, code) {
  const changing = new Set(
    parseSync(path, code, { sourceType: 'script' }).program.body.flatMap((node) =>
      node.type === 'VariableDeclaration' && node.kind !== 'const' ? node.declarations.map(({ id }) => id.name) : [],
    ),
  )
  const getter =
    /Object\.defineProperty\(exports, "(\w+)", \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g
  return code.replace(getter, (text, name, local) => (changing.has(local) ? text : `exports.${name} = ${local};`))
}

/** Compiled code from a cache cannot load ES modules; a file that is loaded the usual way does it for it. */
function withoutImports(path, code) {
  const { module } = parseSync(path, code, { sourceType: 'script' })
  let text = `${STRICT}const vivaImport = require('./import.cjs');`
  let from = 0
  for (const { start } of module.dynamicImports.toSorted((a, b) => a.start - b.start)) {
    text += `${code.slice(from, start)}vivaImport`
    from = start + 'import'.length
  }
  return text + code.slice(from)
}

/** Parts of Node that few commands need, each with a dozen more behind it: loaded when first used. */
const LAZY_BUILTINS = ['child_process', 'net', 'timers/promises', 'v8']

function withLazyBuiltins(code) {
  const loads = new RegExp(String.raw`\b(?:let|const) (\w+) = require\("(node:(?:${LAZY_BUILTINS.join('|')}))"\);`, 'g')
  return [...code.matchAll(loads)].reduce(
    (text, [load, name, builtin]) => whenUsed(text, name, load, `require("${builtin}")`),
    code,
  )
}

/** Files of ours that another needs only now and then: a recording as Viva writes it is read without the YAML library. */
const LAZY_FILES = ['package']

function withLazyFiles(code) {
  const loads = new RegExp(String.raw`\bconst (\w+) = require\("(\./(?:${LAZY_FILES.join('|')})\.cjs)"\);`, 'g')
  return [...code.matchAll(loads)].reduce((text, [load, name, file]) => {
    // A library that is not an ES module is run where it is imported.
    const runs = new RegExp(String.raw`\bvar (\w+) = (${name}\.\w+\(\));`, 'g')
    const later = [...text.matchAll(runs)].reduce(
      (each, [run, library, value]) => whenUsed(each, library, run, value),
      text,
    )
    return whenUsed(later, name, load, `require("${file}")`)
  }, code)
}

/** Makes a constant that is only ever looked into a function; another text is left as it is. */
function whenUsed(text, name, declaration, value) {
  const named = text.match(new RegExp(String.raw`\b${name}\b`, 'g')).length
  const used = text.match(new RegExp(String.raw`\b${name}\.`, 'g'))?.length ?? 0
  if (named !== used + 1) return text
  return text
    .replaceAll(new RegExp(String.raw`\b${name}\.`, 'g'), `(${name}()).`)
    .replace(declaration, `const ${name} = () => ${value};`)
}

/** V8 keeps and reads a text of one byte per character in half the time and room. */
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Whoever imports the library gets the same code as the commands: an error class must be one and the same for both. */
function writeLibrary(outdir) {
  const library = createRequire(import.meta.url)(join(outdir, 'index.cjs'))
  const exported = Object.keys(library).toSorted().join(', ')
  writeFileSync(`${outdir}/index.js`, `import library from './index.cjs'\nexport const { ${exported} } = library\n`)
}
