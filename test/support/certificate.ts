// A certificate of its own for one host, made by openssl.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

export interface Certificate {
  key: Buffer
  cert: Buffer
  /** For NODE_EXTRA_CA_CERTS. */
  file: string
}

export function makeCertificate(folder: string, host: string): Certificate {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = `-subj /CN=${host} -addext subjectAltName=DNS:${host}`
  const request = `req -x509 -newkey rsa:2048 -nodes -days 1 ${subject}`
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', file], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(file), file }
}
