// Why the call of an agent failed, by the words of its error: our own, those of runtimes, and those of servers.
import type { Facts, Found, Rule } from '../facts.js'

interface Row {
  id: string
  when: RegExp
  certainty: Found['certainty']
  /** `$1`: what the pattern's first group found. */
  cause: string
  try: string
}

/** From the specific to the general: an error that matches two rows has the cause of the first. */
const ROWS: readonly Row[] = [
  {
    id: 'replay-mismatch',
    when: /Replay mismatch/,
    certainty: 'certain',
    cause: 'the request is not the one that was recorded',
    try: 'if the change is meant, record it again: --replay with --record-new',
  },
  {
    id: 'refused-connection',
    when: /cannot reach (\S+): connection refused|ECONNREFUSED/,
    certainty: 'certain',
    cause: 'nothing listens at that address',
    try: 'start the server, or correct its host and port',
  },
  {
    id: 'unknown-host',
    when: /unknown host|ENOTFOUND|getaddrinfo/,
    certainty: 'certain',
    cause: 'the host name does not resolve',
    try: 'check the spelling of the host and the network',
  },
  {
    id: 'tls',
    when: /TLS handshake failed|certificate (?:is not trusted|has expired)|CERT_|self.signed/i,
    certainty: 'certain',
    cause: 'no secure connection could be made',
    try: 'check http or https, the port, and the certificate',
  },
  {
    id: 'unreachable',
    when: /cannot reach |host unreachable|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|socket hang up|UND_ERR_\w*TIMEOUT|ConnectTimeout|ReadTimeout|APITimeoutError|request timed out/i,
    certainty: 'certain',
    cause: 'the server gave no answer',
    try: 'check that it is running, and its log',
  },
  {
    id: 'denied',
    when: /HTTP 40[13]\b|requires authentication|invalid.api.key|api key not valid|Unauthorized|AuthenticationError/i,
    certainty: 'certain',
    cause: 'the server refused the credentials',
    try: 'check the key: missing, expired, or of another provider',
  },
  {
    id: 'no-key',
    when: /(?:missing|no|set|provide|must be set)[^\n]{0,60}(?:api[_ ]?key|credentials|[A-Z]+_API_KEY)|(?:api[_ ]?key|credentials|[A-Z]+_API_KEY)[^\n]{0,60}(?:missing|not set|required|must be)/i,
    certainty: 'likely',
    cause: 'the agent has no API key',
    try: 'set the variable that the error names before running viva',
  },
  {
    id: 'quota',
    when: /exceeded your (?:current )?quota|insufficient_quota|credit balance|billing/i,
    certainty: 'likely',
    cause: 'the account has no credit left',
    try: 'check the account at the provider',
  },
  {
    id: 'limited',
    when: /HTTP 429\b|rate.?limit|too many requests|(?:status(?: code)?|error code)[ :=]*429\b/i,
    certainty: 'certain',
    cause: 'too many requests for the limit of the server',
    try: 'lower --parallel, or set the limit of the connector',
  },
  {
    id: 'not-found',
    when: /HTTP 404\b|(?:status(?: code)?|error code)[ :=]*404\b/i,
    certainty: 'certain',
    cause: 'the server does not know that path or model',
    try: 'check the path of the URL and the name of the model',
  },
  {
    id: 'bad-request',
    when: /HTTP 4\d\d\b/,
    certainty: 'certain',
    cause: 'the server rejected the request',
    try: 'compare what was sent with what the server expects: viva view latest shows the call',
  },
  {
    id: 'server-error',
    when: /HTTP 5\d\d\b|overloaded|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|internal ?server ?error|(?:status(?: code)?|error code)[ :=]*5\d\d\b|\b50[0234] upstream/i,
    certainty: 'certain',
    cause: 'the server failed while answering',
    try: "look at the server's log; --retries repeats a case after such errors",
  },
  {
    id: 'missing-module',
    when: /ModuleNotFoundError: No module named '?([\w.]+)|Cannot find (?:module|package) '?([^'\s]+)|ERR_MODULE_NOT_FOUND|ImportError: /,
    certainty: 'certain',
    cause: 'a module that the agent imports is not installed, or its path is wrong',
    try: 'install it where the agent runs, or correct the import',
  },
  {
    id: 'missing-program',
    when: /command not found|exit code 127|(?:spawn |cannot start |not found: )[^\n]*ENOENT|No such file or directory|can't open file/,
    certainty: 'likely',
    cause: 'the program or file to run is not there',
    try: 'check the command after exec: and the folder it runs in',
  },
  {
    id: 'syntax',
    when: /SyntaxError|IndentationError|Unexpected token/,
    certainty: 'likely',
    cause: "the agent's code, or JSON that it read, cannot be parsed",
    try: 'correct the syntax at the place that the error names',
  },
  {
    id: 'memory',
    when: /out of memory|MemoryError|heap limit|std::bad_alloc/i,
    certainty: 'certain',
    cause: 'it ran out of memory',
    try: 'give it more memory, or less to do',
  },
  {
    id: 'resources',
    when: /ENOSPC|no space left|EMFILE|ENFILE|too many open files/i,
    certainty: 'certain',
    cause: 'the machine has no disk space or no open files left',
    try: 'free disk space, or lower --parallel',
  },
  {
    id: 'killed',
    when: /killed by (SIG\w+)/,
    certainty: 'certain',
    cause: 'something ended the program with $1',
    try: 'look at what it was doing: its output is in the report',
  },
  {
    id: 'no-answer',
    when: /gave no answer|neither text nor tool calls/,
    certainty: 'certain',
    cause: 'the call ended well, but without an answer',
    try: 'make sure that the agent returns what it says: a text, or {content, tool_calls}',
  },
  {
    id: 'cut-off',
    when: /cut off|ended before the answer was complete|in the middle of its answer|finish_reason "?length/,
    certainty: 'certain',
    cause: 'the answer broke off before its end',
    try: 'raise the limit of tokens, or check the connection',
  },
  {
    id: 'unreadable',
    when: /cannot be (?:read|understood|written)|is not (?:valid )?(?:JSON|UTF-8|HTTP)|makes no sense|response_path|tool_calls_path|but is not complete JSON/,
    certainty: 'certain',
    cause: 'the answer does not have the form that was expected',
    try: 'compare the answer with the format in the guide, or set response_path',
  },
  {
    id: 'tool-loop',
    when: /still asks for tools/,
    certainty: 'certain',
    cause: 'the model calls tools again and again without answering',
    try: 'look at the tool results: the model may not get what it needs',
  },
  {
    id: 'tool-server',
    when: /tool server/,
    certainty: 'certain',
    cause: 'a tool server of the agent does not work',
    try: 'start it by hand and look at its output',
  },
  {
    id: 'no-connection',
    when: /fetch failed|APIConnectionError|Connection error/,
    certainty: 'likely',
    cause: 'the agent could not connect to a server that it calls',
    try: 'check the address that the agent calls, and that the server is running',
  },
  {
    id: 'agent-threw',
    when: /\b(?:TypeError|ReferenceError|RangeError|AttributeError|KeyError|IndexError|NameError|ZeroDivisionError|AssertionError)\b/,
    certainty: 'likely',
    cause: "a mistake in the agent's own code",
    try: 'fix the line that the stack names',
  },
]

export const AGENT_RULES: readonly Rule[] = ROWS.map(({ id, when, certainty, cause, try: next }) => ({
  id,
  find: ({ wrong, message, result }: Facts): Found | undefined => {
    if (wrong.kind !== 'agent' && wrong.kind !== 'crashed') return undefined
    const match = when.exec(message) ?? when.exec(causesIn(result.stack)) ?? when.exec(result.stderr ?? '')
    if (!match) return undefined
    return { certainty, cause: cause.replace('$1', match[1] ?? ''), try: [next] }
  },
}))

/** The row that an error's words fit, whoever reports it. */
export function troubleIn(message: string): string | undefined {
  return ROWS.find(({ when }) => when.test(message))?.id
}

/** Frames name files and functions, which say nothing about the cause. */
function causesIn(stack = ''): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+caused by /.test(line))
    .join('\n')
}
