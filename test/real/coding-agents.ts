// The coding agents of the test bed: how each is set up, as a backend and over ACP, so that it calls the model on loopback.

export interface CodingAgent {
  /** The folder of its package, which is the name of its row. */
  folder: string
  command: string
  /** As a backend of the orchestrator. */
  backend?: string
  args: (url: string) => string[]
  env: (url: string) => Record<string, string>
  /** Files of its home: what a user would have set up. */
  home?: Record<string, object>
  /** The tool that writes a file, as the model calls it. */
  write: (path: string) => { name: string; args: object }
  /** The name under which a backend reports it; for ACP, whether it reports one. */
  reported?: string
  /** Whether it says what an answer cost. */
  cost: boolean
}

const CLAUDE_ENV = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'sk-ant-loopback',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
})

const GEMINI_HOME = {
  '.gemini/settings.json': {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false },
  },
}

const GEMINI_ENV = (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'loopback' })

const CODEX_PROVIDER = (url: string) => ({
  name: 'loopback',
  base_url: `${url}/v1`,
  env_key: 'OPENAI_API_KEY',
  wire_api: 'responses',
})

const OPENCODE_ENV = (url: string) => ({
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: 'loopback/m',
    provider: {
      loopback: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'loopback' },
        models: { m: { cost: { input: 1, output: 2 } } },
      },
    },
  }),
})

const CLAUDE_WRITE = (path: string) => ({ name: 'Write', args: { file_path: path, content: 'hello\n' } })
const GEMINI_WRITE = (path: string) => ({ name: 'write_file', args: { file_path: path, content: 'hello\n' } })
const CODEX_WRITE = () => ({ name: 'exec_command', args: { cmd: 'echo hello > hello.txt' } })
const OPENCODE_WRITE = (path: string) => ({ name: 'write', args: { filePath: path, content: 'hello\n' } })

export const BACKENDS: Record<string, CodingAgent & { backend: string; reported: string }> = {
  'claude-code': {
    folder: 'claude-code',
    command: 'claude',
    backend: 'claude',
    args: () => [],
    env: CLAUDE_ENV,
    write: CLAUDE_WRITE,
    reported: 'Write',
    cost: true,
  },
  'gemini-cli': {
    folder: 'gemini-cli',
    command: 'gemini',
    backend: 'gemini',
    args: () => ['--model', 'gemini-2.5-pro'],
    env: GEMINI_ENV,
    home: GEMINI_HOME,
    write: GEMINI_WRITE,
    reported: 'write_file',
    cost: false,
  },
  codex: {
    folder: 'codex',
    command: 'codex',
    backend: 'codex',
    args: (url) => [
      '--model',
      'gpt-5-codex',
      '-c',
      'model_provider="loopback"',
      '-c',
      `model_providers.loopback={name="loopback",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`,
    ],
    env: () => ({ OPENAI_API_KEY: 'loopback' }),
    write: CODEX_WRITE,
    reported: 'command_execution',
    cost: false,
  },
  opencode: {
    folder: 'opencode',
    command: 'opencode',
    backend: 'opencode',
    args: () => ['--model', 'loopback/m'],
    env: OPENCODE_ENV,
    write: OPENCODE_WRITE,
    reported: 'write',
    cost: true,
  },
}

export const ACP: Record<string, CodingAgent> = {
  'claude-acp': {
    folder: 'claude-acp',
    command: 'claude-agent-acp',
    args: () => [],
    env: CLAUDE_ENV,
    write: CLAUDE_WRITE,
    cost: true,
  },
  'gemini-cli (ACP)': {
    folder: 'gemini-cli',
    command: 'gemini',
    args: () => ['--acp', '--skip-trust', '--model', 'gemini-2.5-pro'],
    env: GEMINI_ENV,
    home: GEMINI_HOME,
    write: GEMINI_WRITE,
    cost: false,
  },
  'codex-acp': {
    folder: 'codex-acp',
    command: 'codex-acp',
    args: () => [],
    env: (url) => ({
      OPENAI_API_KEY: 'loopback',
      NO_BROWSER: '1',
      MODEL_PROVIDER: 'loopback',
      INITIAL_AGENT_MODE: 'agent-full-access',
      CODEX_CONFIG: JSON.stringify({
        model: 'gpt-5-codex',
        model_provider: 'loopback',
        model_providers: { loopback: CODEX_PROVIDER(url) },
      }),
    }),
    write: CODEX_WRITE,
    cost: false,
  },
  'opencode (ACP)': {
    folder: 'opencode',
    command: 'opencode',
    args: () => ['acp'],
    env: OPENCODE_ENV,
    write: OPENCODE_WRITE,
    cost: true,
  },
}
