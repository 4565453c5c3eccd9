// How users' scripts are bundled: every top-level function can be called, a test file sees its sibling
// module without importing it, each file knows its own place, `@yao/*` means the provided globals, `viva:…` the checks that ship.
import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader, Plugin } from 'esbuild'
import { exportedNames } from './exported-names.js'
import { parseScript, type ScriptSyntax } from './parse.js'
import { EXPORT_PREFIX } from '../protocol.js'
import { shippedModule } from './shipped-check.js'
import { siblingOf } from './sibling.js'

export function scriptPlugin(root: string): Plugin {
  return {
    name: 'viva-scripts',
    setup(builder) {
      const parsed = new Map<string, Promise<ScriptSyntax>>()
      const entries = new Set((builder.initialOptions.entryPoints as string[]) ?? [])
      const siblings = new Set([...entries].map(siblingOf))

      builder.onResolve({ filter: /^@yao\// }, ({ path }) => ({ path, namespace: 'viva-globals' }))
      builder.onLoad({ filter: /.*/, namespace: 'viva-globals' }, () => ({
        contents: 'module.exports = Object.create(globalThis)',
        loader: 'js',
      }))

      builder.onResolve({ filter: /^viva:/ }, ({ path }) => {
        const file = shippedModule(path)
        return file === undefined ? { errors: [{ text: `there is no module ${path}` }] } : { path: file }
      })

      builder.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined
        const source = await readFile(path, 'utf8')
        const syntaxOf = (file: string, text: string): Promise<ScriptSyntax> => {
          const known = parsed.get(file)
          if (known) return known
          const fresh = parseScript(file, text, root)
          parsed.set(file, fresh)
          return fresh
        }
        let contents = placed(path, source)
        if (entries.has(path) || siblings.has(path)) {
          const syntax = await syntaxOf(path, source)
          contents += handedOut(syntax) + (await siblingImports(path, syntax, syntaxOf))
        }
        return contents === source ? undefined : { contents, loader: loaderOf(path), resolveDir: dirname(path) }
      })
    },
  }
}

/** On the first line, so that line numbers stay correct. */
function placed(path: string, source: string): string {
  const names: string[] = []
  if (source.includes('import.meta')) {
    names.push(`__viva_url=${JSON.stringify(pathToFileURL(path).href)}`)
    names.push(`__viva_dirname=${JSON.stringify(dirname(path))}`, `__viva_filename=${JSON.stringify(path)}`)
  }
  if (/\b__dirname\b/.test(source)) names.push(`__dirname=${JSON.stringify(dirname(path))}`)
  if (/\b__filename\b/.test(source)) names.push(`__filename=${JSON.stringify(path)}`)
  if (names.length === 0 || source.startsWith('#!')) return source
  return `var ${names.join()};${source}`
}

/** Bundlers drop what is not imported: a test that is not exported would be gone. */
function handedOut(syntax: ScriptSyntax): string {
  const names = [...syntax.functions.map(({ name }) => name), ...syntax.maybeFunctions]
  if (names.length === 0 || syntax.problem) return ''
  if (syntax.isCommonJs) {
    return `\n;try{Object.assign(module.exports,{${names.map((name) => `${EXPORT_PREFIX}${name}:${name}`).join()}})}catch{}`
  }
  return `\n;export{${names.map((name) => `${name} as ${EXPORT_PREFIX}${name}`).join()}}`
}

/** The sibling's exports and functions, unless the test file has its own with that name. At the end: imports are hoisted. */
async function siblingImports(
  path: string,
  syntax: ScriptSyntax,
  syntaxOf: (file: string, text: string) => Promise<ScriptSyntax>,
): Promise<string> {
  const sibling = siblingOf(path)
  if (sibling === undefined || syntax.problem || syntax.isCommonJs) return ''
  const from = JSON.stringify(`./${basename(sibling)}`)
  const other = await syntaxOf(sibling, await readFile(sibling, 'utf8'))
  // The bundler reports what is wrong with it, with line and column.
  if (other.problem) return `\n;import ${from}`
  const names = new Map<string, string>()
  for (const name of (await exportedNames(sibling, other, syntaxOf)).names) names.set(name, name)
  for (const { name } of other.functions) names.set(name, `${EXPORT_PREFIX}${name}`)
  const specifiers = [...names]
    .filter(([name]) => name !== 'default' && !syntax.bindings.has(name))
    .map(([name, exported]) => (name === exported ? name : `${exported} as ${name}`))
  return specifiers.length === 0 ? '' : `\n;import{${specifiers.join()}}from${from}`
}

function loaderOf(path: string): Loader {
  const end = extname(path).replace(/^\.[cm]/, '.')
  return end === '.ts' || end === '.tsx' || end === '.jsx' ? (end.slice(1) as Loader) : 'js'
}
