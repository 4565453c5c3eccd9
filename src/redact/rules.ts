// What a secret looks like in text: one row per format. Order matters, the first rows are the most specific.
import { isHeaderSecret, isUrlSecret } from './likely-secret.js'
import { redactNamedValues } from './named-values.js'
import { HEADER_WORDS, NAME_ANCHORS, NAME_WORDS, QUERY_WORDS } from './secret-names.js'

export interface SecretRule {
  id: string
  /** The placeholder that takes the secret's place. */
  to: string
  /** Lower-case strings, at least one of which is in every match, whatever its case: the cheap first check. */
  anchors: readonly string[]
  /** The secret itself, or `(kept)(secret)` when `keep` is set. */
  re: string
  flags?: string
  /** Only at the start of a word; an ANSI colour or a JSON escape before it counts as a start. */
  word?: boolean
  /** The first group stays, the second is replaced. */
  keep?: boolean
  /** Used instead of `re`, in text that is not JSON. */
  replace?(text: string, found: (secret: string) => void): string
  /** What the secret must look like, so that words, references and code are left alone. */
  needs?(secret: string): boolean
  /** A wider pattern for serialised text, where `\s` may be spelled `\n`. Default: `re`. */
  hint?: string
}

const KEY = '[API_KEY]'
const SECRET = '[SECRET]'
/** White space, raw or as a JSON escape. */
const GAP = String.raw`(?:\s|\\[nrtfvu0-9a-f]{1,5})`

/** White space between words, raw or escaped up to four times, which doubles the backslashes each time. */
const BREAK = String.raw`(?:\s|(?<!\\)(?:\\{1,2}|\\{4}|\\{8})[nrt]){1,40}`
const WORD = String.raw`(?:[^\s\\"]|\\(?![nrt"])){1,255}`
const NETRC_USER = `(?:${BREAK}(?:login|account)${BREAK}${WORD})`
/** A `.netrc` entry up to its password: "machine learning" is not one. */
const NETRC = String.raw`machine${BREAK}(?:${WORD}${NETRC_USER}{1,2}|[^\s\\"]{1,200}[.:][^\s\\"]{1,99})|default${NETRC_USER}{1,2}`

/** Our own `min_pass_rate` and `allow_passthrough` are in every `start` event. */
const NAMES = NAME_WORDS.replace('_pass', '_pass(?!(?:_rate|through)":)')

const hasDigit = (secret: string): boolean => /[0-9]/.test(secret)

export const SECRET_RULES: readonly SecretRule[] = [
  {
    id: 'private-key',
    to: '[PRIVATE_KEY]',
    anchors: ['-----begin'],
    // A quote ends a key that was cut off, so that text with JSON in it stays intact.
    re:
      String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-"\\]|\\(?!"))*(?:-{1,4}(?:[^-"\\]|\\(?!"))+)*` +
      String.raw`(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`,
  },
  key('age-key', 'age-secret-key', 'AGE-SECRET-KEY-1[A-Z0-9]{40,70}'),
  key('github-app-jwt', 'ghs_', 'ghs_[0-9]{1,20}_eyJ[A-Za-z0-9_.-]{20,}'),
  key('github', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  key('github-fine', 'github_pat_', 'github_pat_[A-Za-z0-9_]{36,255}'),
  key(
    'gitlab',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    'gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[0-9A-Za-z_.-]{20,}',
  ),
  key('onepassword', 'ops_eyj', 'ops_eyJ[A-Za-z0-9+/=_-]{40,}'),
  {
    id: 'jwt',
    to: '[JWT]',
    anchors: ['.eyj'],
    re: String.raw`eyJ[A-Za-z0-9_-]{8,500}\.eyJ[A-Za-z0-9_-]{8,1000}[A-Za-z0-9_.-]*`,
  },
  key('anthropic', 'sk-ant-', 'sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,}'),
  key(
    'openai',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-', 'sk-none-'],
    'sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,}',
  ),
  key('openrouter', 'sk-or-v1-', 'sk-or-v1-[0-9a-f]{32,}'),
  key('langfuse', 'sk-lf-', 'sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'),
  word('sk-generic', 'sk-', 'sk-[A-Za-z0-9]{32,}'),
  key('google-api', 'aiza', 'AIza[0-9A-Za-z_-]{35}'),
  key('google-oauth', 'ya29.', String.raw`ya29\.[0-9A-Za-z_-]{20,}`),
  key('google-client', 'gocspx-', 'GOCSPX-[0-9A-Za-z_-]{20,}'),
  word('aws-access-id', ['akia', 'asia', 'abia', 'acca'], '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  key('aws-bedrock', 'absk', 'ABSK[A-Za-z0-9+/]{60,}={0,2}'),
  key('aws-bedrock-short', 'bedrock-api-key-', 'bedrock-api-key-[A-Za-z0-9+/=_-]{20,}'),
  word('azure-ad', 'q~', '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}'),
  kept('azure-storage', 'accountkey=', '(AccountKey=)([A-Za-z0-9+/]{40,}={0,2})'),
  word('huggingface', ['hf_', 'api_org_'], '(?:hf_|api_org_)[A-Za-z0-9]{30,}'),
  word('groq', 'gsk_', 'gsk_[A-Za-z0-9]{40,}'),
  word('xai', 'xai-', 'xai-[A-Za-z0-9_]{40,}'),
  key('perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{40,}'),
  word('replicate', 'r8_', 'r8_[A-Za-z0-9_-]{30,}'),
  key('nvidia', 'nvapi-', 'nvapi-[A-Za-z0-9_-]{40,}'),
  word('fireworks', 'fw_', 'fw_[A-Za-z0-9]{20,}'),
  word('cerebras', 'csk-', 'csk-[a-z0-9]{40,}'),
  key('tavily', 'tvly-', 'tvly-[A-Za-z0-9-]{20,}'),
  key('langsmith', 'lsv2_', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  key('pinecone', 'pcsk_', 'pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,}'),
  word('databricks', 'dapi', 'dapi[a-f0-9]{32}(?:-[0-9])?'),
  word('elevenlabs', 'sk_', 'sk_[a-f0-9]{48}'),
  word('stripe', ['sk_', 'rk_'], '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}'),
  key('stripe-webhook', 'whsec_', 'whsec_[A-Za-z0-9+/=]{20,}'),
  key('slack', 'xox', String.raw`xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}`),
  key('slack-app', 'xapp-', 'xapp-[0-9]-[A-Za-z0-9-]{10,}'),
  kept('slack-webhook', 'hooks.slack.com', String.raw`(hooks\.slack\.com/services/)([A-Za-z0-9+/]{20,})`),
  {
    id: 'discord-webhook',
    to: SECRET,
    anchors: ['/api/webhooks/'],
    re: String.raw`discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}`,
  },
  word('telegram', ':aa', '[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}'),
  key('sendgrid', 'sg.', String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`),
  word('npm', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  key('pypi', 'pypi-agei', 'pypi-AgEI[A-Za-z0-9_-]{40,}'),
  key('docker', 'dckr_pat_', 'dckr_pat_[A-Za-z0-9_-]{20,}'),
  key('linear', ['lin_api_', 'lin_oauth_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'),
  word('notion', 'ntn_', 'ntn_[A-Za-z0-9]{40,}'),
  key('figma', 'figd_', 'figd_[A-Za-z0-9_-]{30,}'),
  word('vault', ['hvs.', 'hvb.'], String.raw`hv[sb]\.[A-Za-z0-9_-]{24,}`),
  word('supabase', ['sbp_', 'sb_secret_'], '(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})'),
  key('digitalocean', ['doo_v1_', 'dop_v1_', 'dor_v1_'], 'do[opr]_v1_[a-f0-9]{64}'),
  key('grafana', 'glsa_', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  key('postman', 'pmak-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  key('shopify', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  {
    ...kept(
      'url-password',
      '://',
      String.raw`([a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@"']{0,100}:)([^\s/@"']{1,200})(?=@)`,
    ),
    needs: isUrlSecret,
    hint: String.raw`://[^\s/:@"']{0,100}:[^\s/@"']{1,200}@`,
  },
  {
    ...kept(
      'url-query',
      ['key=', 'token=', 'auth=', 'sig=', 'signature=', 'secret=', 'password=', 'passwd=', 'pwd=', 'passphrase='],
      String.raw`([?&;](?:${QUERY_WORDS})=)([^&\s"'#;<>]{4,})`,
    ),
    flags: 'i',
    needs: isUrlSecret,
  },
  { ...kept('url-key', 'key=', '([?&]key=)([A-Za-z0-9_-]{20,})'), needs: hasDigit },
  {
    ...kept(
      'auth-header',
      'authorization',
      String.raw`((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|apikey|key|digest)\s+)([^\s"',;]{4,})`,
    ),
    flags: 'i',
    needs: isUrlSecret,
    hint: `authorization.{0,40}(?:bearer|basic|token|key|digest)${GAP}`,
  },
  {
    ...kept('bearer', 'bearer', String.raw`(\bbearer\s+)([A-Za-z0-9._~+/=-]{16,})`),
    flags: 'i',
    needs: hasDigit,
    hint: `bearer${GAP}+[A-Za-z0-9._~+/=-]{10}`,
  },
  {
    ...kept(
      'key-header',
      ['api-key', 'subscription-key', 'auth-token', 'access-token', 'security-token', 'subscription-token'],
      String.raw`(\b(?:${HEADER_WORDS})["']?\s*[:=]\s*["']?)([^\s"',;}]{6,})`,
    ),
    flags: 'i',
    needs: isHeaderSecret,
    hint: String.raw`-(?:key|token)[\\"']{0,9}${GAP}*[:=]`,
  },
  {
    ...kept('cookie', 'cookie', String.raw`(\b(?:set-)?cookie["']?\s*:\s*["']?)([^\s"'][^"'\r\n]{3,})`),
    flags: 'i',
    needs: (secret) => secret.includes('='),
    hint: String.raw`cookie[\\"']{0,9}${GAP}*:`,
  },
  {
    ...kept('netrc', 'password', `((?:${NETRC})${BREAK}password${BREAK})(${WORD})`),
    hint: `password${GAP}`,
  },
  {
    id: 'named-value',
    to: SECRET,
    anchors: NAME_ANCHORS,
    re: '',
    replace: redactNamedValues,
    hint: String.raw`(?:${NAMES})[\w-]{0,60}[\\"'\x60\]?!]{0,20}(?:${GAP}{0,40}[:=>]|${GAP}{1,9}(?:is|was|will be|set to)\b)|--?[\w-]{0,60}(?:${NAMES})[\w-]{0,60}${GAP}`,
    flags: 'i',
  },
]

function key(id: string, anchors: string | readonly string[], re: string): SecretRule {
  return { id, to: KEY, anchors: typeof anchors === 'string' ? [anchors] : anchors, re }
}

function word(id: string, anchors: string | readonly string[], re: string): SecretRule {
  return { ...key(id, anchors, re), word: true }
}

function kept(id: string, anchors: string | readonly string[], re: string): SecretRule {
  return { ...key(id, anchors, re), to: SECRET, keep: true }
}
