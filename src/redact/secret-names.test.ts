import { expect, test } from 'vitest'
import { createRedactor } from './redactor.js'
import { hintOf } from './apply-rule.js'
import { SECRET_RULES } from './rules.js'
import {
  isPasswordField,
  isSecretEnvName,
  isSecretField,
  isSecretSetting,
  isSecretVariable,
  NAME_ANCHORS,
} from './secret-names.js'

const NAMED_VALUES = SECRET_RULES.findIndex((rule) => rule.id === 'named-value')

// Name; is it a secret as an environment variable, as a field, a password, a header or setting?
test.each([
  ['password', 'yes yes yes yes'],
  ['db_password', 'yes yes yes yes'],
  ['dbPassword', 'yes yes yes yes'],
  ['passwd', 'yes yes yes yes'],
  ['pwd', '-   yes yes yes'],
  ['PWD', '-   yes yes yes'],
  ['passphrase', 'yes yes yes yes'],
  ['SSH_PASSPHRASE', 'yes yes yes yes'],
  ['secret', 'yes yes -   yes'],
  ['clientSecret', 'yes yes -   yes'],
  ['SECRET_KEY_BASE', 'yes yes -   yes'],
  ['secrets', '-   -   -   yes'],
  ['AWS_SECRET_ACCESS_KEY', 'yes yes -   yes'],
  ['token', 'yes yes -   yes'],
  ['TOKEN_LIMIT', '-   -   -   yes'],
  ['TOKEN_TYPE', '-   -   -   yes'],
  ['max_tokens', '-   -   -   yes'],
  ['input_tokens', '-   -   -   yes'],
  ['tokenizer', '-   -   -   -'],
  ['accessToken', 'yes yes -   yes'],
  ['accesstoken', '-   yes -   yes'],
  ['session-token', '-   yes -   yes'],
  ['apiKey', 'yes yes -   yes'],
  ['apikey', 'yes yes -   yes'],
  ['X-Api-Key', '-   yes -   yes'],
  ['x-goog-api-key', '-   yes -   yes'],
  ['Ocp-Apim-Subscription-Key', '-   -   -   yes'],
  ['key', '-   -   -   yes'],
  ['primary_key', '-   -   -   yes'],
  ['keyboard', '-   -   -   -'],
  ['Authorization', '-   yes -   yes'],
  ['Proxy-Authorization', '-   yes -   yes'],
  ['auth', 'yes -   -   yes'],
  ['AUTH_URL', '-   -   -   yes'],
  ['x-authz', '-   -   -   yes'],
  ['author', '-   -   -   -'],
  ['authority', '-   -   -   -'],
  ['Set-Cookie', '-   yes -   yes'],
  ['COOKIE_JAR', 'yes yes -   yes'],
  ['credentials', 'yes yes -   yes'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '-   -   -   yes'],
  ['SSH_AUTH_SOCK', '-   -   -   yes'],
  ['signature', '-   yes -   yes'],
  ['name', '-   -   -   -'],
  ['host', '-   -   -   -'],
  ['model', '-   -   -   -'],
])('%s', (name, answers) => {
  const seen = [isSecretEnvName, isSecretField, isPasswordField, isSecretSetting].map((is) => (is(name) ? 'yes' : '-'))
  expect(seen).toEqual(answers.split(/ +/))
})

test.each([
  ['STRIPE_KEY', true],
  ['ENCRYPTION_KEY', true],
  ['VIVA_QUEUE_KEY', true],
  ['stripeKey', true],
  ['KEY', true],
  ['DB_PASS', true],
  ['PGPASSWORD', true],
  ['MYSQL_ROOT_PASSWORD', true],
  ['PASSWORD_1', true],
  ['SENTRY_DSN', true],
  ['GITHUB_TOKEN', true],
  ['CLIENT_SECRET', true],
  ['AWS_SECRET_ACCESS_KEY', true],
  ['PASSWORD_FILE', false],
  ['SSH_KEY_PATH', false],
  ['SSH_PUBLIC_KEY', false],
  ['STRIPE_PUBLISHABLE_KEY', false],
  ['SONAR_PROJECT_KEY', false],
  ['KEYBOARD', false],
  ['MONKEY', false],
  ['COMPASS', false],
  ['PATH', false],
  ['PWD', false],
  ['MAX_TOKENS', false],
])('the variable %s is a secret: %s', (name, expected) => {
  expect(isSecretVariable(name)).toBe(expected)
})

test.each([
  'password',
  'dbPassword',
  'client_secret',
  'accessToken',
  'x-api-key',
  'Set-Cookie',
  'credentials',
  'AUTH_CODE',
  'signature',
  'ssh_passphrase',
])('the first look finds the field %s', (name) => {
  expect(isSecretField(name)).toBe(true)
  for (const json of [JSON.stringify({ [name]: 'x' }), JSON.stringify(JSON.stringify({ [name]: 'x' }))]) {
    expect(NAME_ANCHORS.some((anchor) => json.toLowerCase().includes(anchor))).toBe(true)
    expect(json).toMatch(hintOf(NAMED_VALUES))
  }
})

test.each([
  ['MY_TOKEN=abcdefgh1', 'MY_TOKEN=[SECRET]'],
  ['TOKEN_TYPE=access-token-v2', 'TOKEN_TYPE=access-token-v2'],
  ['SECRET_STORE_URL=https://vault.internal', 'SECRET_STORE_URL=https://vault.internal'],
  ['then {"passphrase": "correct horse" …', 'then {"passphrase": "[SECRET]" …'],
  ['GET /x?private_key=abcd1234', 'GET /x?private_key=[SECRET]'],
])('in text: %s', (text, shown) => expect(createRedactor({ env: {} }).text(text)).toBe(shown))

test('a variable about a secret is shown, the secret itself is not', () => {
  const redactor = createRedactor({ env: { AUTH_URL: 'https://login.internal', AUTH_TOKEN: 'hush-hush-hush' } })
  expect(redactor.text('https://login.internal hush-hush-hush')).toBe('https://login.internal [SECRET]')
})
