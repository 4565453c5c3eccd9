import { expect, test } from 'vitest'
import { AgentError } from '../errors.js'
import { connectionError } from './connection-error.js'

const failed = (code: string): AgentError =>
  connectionError({ url: new URL('https://host.test/x') }, Object.assign(new Error('no'), { code }))

for (const code of [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
]) {
  test(`${code} is not tried again, and says what to set`, () =>
    expect(failed(code)).toMatchObject({
      code: 'connection',
      retry: false,
      message: `cannot reach https://host.test: the certificate is not trusted (${code})`,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    }))
}

test('other failures of a connection may be tried again', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO']) expect(failed(code).retry).toBeUndefined()
})

test('a port that does not speak TLS is not blamed on a certificate', () =>
  expect(failed('ERR_SSL_WRONG_VERSION_NUMBER')).toMatchObject({
    message: expect.stringContaining('TLS handshake failed'),
    hint: expect.stringContaining('http or https'),
  }))
