// Viva as users have it: packed, and installed into an empty folder.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { WORK } from './paths.mjs'

/** @param {string} given a tarball, a built checkout, or a folder in which Viva is installed already */
export function install(given, name) {
  const path = resolve(given)
  if (existsSync(join(path, 'node_modules/viva/bin/viva.js'))) return installedIn(path)
  const folder = join(WORK, 'installed', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tarball = path.endsWith('.tgz') ? path : join(folder, pack(path, folder))
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder)
  return installedIn(folder)
}

function pack(checkout, folder) {
  if (!existsSync(join(checkout, 'dist/index.js')))
    throw new Error(`neither a tarball nor a built checkout: ${checkout}`)
  return npm(['pack', '--ignore-scripts', '--pack-destination', folder], checkout).trim()
}

function npm(args, cwd) {
  return execFileSync('npm', [...args, '--silent'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function installedIn(folder) {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  return {
    bin: join(modules, 'viva/bin/viva.js'),
    own: sizeOf(join(modules, 'viva')),
    all: sizeOf(modules),
    packages: Object.keys(packages).length,
  }
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { files: files.length, bytes }
}
