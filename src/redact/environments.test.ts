// Environments as they are on machines: what they say about themselves stays readable, every key planted in them is hidden.
import { expect, test } from 'vitest'
import { createRedactor } from './redactor.js'

const SHA = 'ffac537e6cbbf934b08745a378932722df287a53'
const UUID = '3f2b8a1c-9d4e-4f6a-8b7c-1e2d3c4b5a69'

const ENVIRONMENTS: Record<string, Record<string, string>> = {
  GitHub: {
    CI: 'true',
    GITHUB_ACTION: '__octo-org_setup-node_2',
    GITHUB_ACTION_REF: 'v4.2.1',
    GITHUB_ACTION_REPOSITORY: 'actions/checkout',
    GITHUB_ACTOR: 'octocat-with-a-long-name-2024',
    GITHUB_ACTOR_ID: '1234567890',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_ENV: `/home/runner/work/_temp/_runner_file_commands/set_env_${UUID}`,
    GITHUB_EVENT_PATH: '/home/runner/work/_temp/_github_workflow/event.json',
    GITHUB_HEAD_REF: 'dependabot/npm_and_yarn/typescript-eslint-8.3.1',
    GITHUB_JOB: 'test-node-20-ubuntu',
    GITHUB_OUTPUT: `/home/runner/work/_temp/_runner_file_commands/set_output_${UUID}`,
    GITHUB_REF: 'refs/pull/12345/merge',
    GITHUB_REF_NAME: '12345/merge',
    GITHUB_REPOSITORY: 'octo-org/octo-repo',
    GITHUB_RUN_ID: '12345678901',
    GITHUB_SHA: SHA,
    GITHUB_STATE: `/home/runner/work/_temp/_runner_file_commands/save_state_${UUID}`,
    GITHUB_WORKFLOW_REF: 'octo-org/octo-repo/.github/workflows/ci.yml@refs/heads/main',
    GITHUB_WORKFLOW_SHA: SHA,
    GITHUB_WORKSPACE: '/home/runner/work/octo-repo/octo-repo',
    ACTIONS_RESULTS_URL: 'https://results-receiver.actions.githubusercontent.com/',
    ACTIONS_CACHE_URL: `https://acghubeus1.actions.githubusercontent.com/a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0/`,
    ACTIONS_ORCHESTRATION_ID: `${UUID}.test.ubuntu-latest.__default`,
    ImageOS: 'ubuntu22',
    ImageVersion: '20240811.1.0',
    INVOCATION_ID: '8c2f3a1b9d7e4c5fa6b8d0e1f2a3b4c5',
    JAVA_HOME_17_X64: '/usr/lib/jvm/temurin-17-jdk-amd64',
    JOURNAL_STREAM: '8:18712',
    POWERSHELL_DISTRIBUTION_CHANNEL: 'GitHub-Actions-ubuntu22',
    RUNNER_NAME: 'GitHub Actions 12',
    RUNNER_TOOL_CACHE: '/opt/hostedtoolcache',
    RUNNER_TRACKING_ID: `github_${UUID}`,
    npm_config_user_agent: 'npm/10.8.2 node/v20.17.0 linux x64 workspaces/false ci/github-actions',
    npm_package_gitHead: SHA,
    npm_package_integrity: `sha512-${Buffer.from(SHA + SHA).toString('base64')}`,
    npm_package_json: '/home/runner/work/octo-repo/octo-repo/package.json',
  },
  GitLab: {
    CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
    CI_BUILDS_DIR: '/builds',
    CI_COMMIT_AUTHOR: 'Ada Lovelace <ada@example.com>',
    CI_COMMIT_BEFORE_SHA: SHA,
    CI_COMMIT_REF_SLUG: 'renovate-lock-file-maintenance-2024-11-18',
    CI_COMMIT_SHA: SHA,
    CI_COMMIT_SHORT_SHA: SHA.slice(0, 8),
    CI_COMMIT_TIMESTAMP: '2024-11-18T10:00:00+00:00',
    CI_CONCURRENT_ID: '0',
    CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX: 'gitlab.example.com:443/group/dependency_proxy/containers',
    CI_JOB_IMAGE: `registry.gitlab.com/group/app:${SHA}`,
    CI_JOB_NAME_SLUG: 'rspec-unit-pg14-ruby-3-2-17-24',
    CI_JOB_URL: 'https://gitlab.example.com/group/app/-/jobs/4711',
    CI_PROJECT_DIR: '/builds/group/app',
    CI_RUNNER_REVISION: '81ab07f6',
    CI_RUNNER_VERSION: '17.5.0~pre.105.g534da56f',
    CI_SERVER_REVISION: '70606bf',
    CI_SERVER_TLS_CA_FILE: '/builds/group/app.tmp/CI_SERVER_TLS_CA_FILE',
    GITLAB_FEATURES: 'audit_events,blocked_issues,board_iteration_lists,code_owners,multiple_issue_assignees',
    GITLAB_USER_EMAIL: 'ada@example.com',
    FF_USE_NEW_BASH_EVAL_STRATEGY: 'false',
  },
  Jenkins: {
    BUILD_DISPLAY_NAME: '#153',
    BUILD_TAG: 'jenkins-team-folder-app-pipeline-feature-153',
    BUILD_TIMESTAMP: '2024-11-18 10:00:00 UTC',
    BUILD_URL: 'https://jenkins.example.com/job/team/job/app/153/',
    CHANGE_ID: '4711',
    EXECUTOR_NUMBER: '1',
    GIT_BRANCH: 'origin/feature/PAY-12345-currency-conversion',
    GIT_COMMIT: SHA,
    GIT_PREVIOUS_SUCCESSFUL_COMMIT: SHA,
    GIT_URL: 'git@github.com:octo-org/octo-repo.git',
    JENKINS_HOME: '/var/jenkins_home',
    JOB_NAME: 'team/app/feature%2FPAY-12345',
    NODE_LABELS: 'docker linux x86_64 jdk-17.0.12_7',
    RUN_ARTIFACTS_DISPLAY_URL: 'https://jenkins.example.com/job/app/153/display/redirect?page=artifacts',
    STAGE_NAME: 'Integration tests (PostgreSQL 14)',
    WORKSPACE: '/var/jenkins_home/workspace/app_feature_PAY-12345',
    WORKSPACE_TMP: '/var/jenkins_home/workspace/app_feature_PAY-12345@tmp',
  },
  Docker: {
    HOSTNAME: '3f9a8c7d6e5b4a392817deadbeef4a39',
    GPG_KEY: 'A035C8C19219BA821ECEA86B64E628F8D684696D',
    GPG_KEYS: '39B641343D8C104B2B146DC3F9C39DC0B9698544 E60913E4DF209907D8E30D96659A97C9CF2A795A',
    JAVA_VERSION: 'jdk-21.0.4+7',
    LESSOPEN: '| /usr/bin/lesspipe %s',
    LS_COLORS: 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01:*.tar=01;31:*.tgz=01;31',
    NODE_VERSION: '20.17.0',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/opt/node-v20.17.0/bin',
    PHP_ASC_URL: 'https://www.php.net/distributions/php-8.3.11.tar.xz.asc',
    PHPIZE_DEPS: 'autoconf \t\tdpkg-dev \t\tfile \t\tg++ \t\tgcc \t\tlibc-dev \t\tmake',
    PYTHON_GET_PIP_SHA256: 'bc37786ec99618416cc0a0ca32833da447f4d91ab51d2c138dd15b7af21e8e9a',
    PYTHON_GET_PIP_URL: `https://github.com/pypa/get-pip/raw/${SHA}/public/get-pip.py`,
    PYTHON_SHA256: '3e464b0cbb7535e2db34262fd19a0a393d0e62be0f43b1513ed98379b054ead8',
    RUBY_DOWNLOAD_SHA256: 'bc37786ec99618416cc0a0ca32833da447f4d91ab51d2c138dd15b7af21e8e9a',
    APP_IMAGE: `ghcr.io/octo-org/octo-repo@sha256:${SHA}${SHA.slice(0, 24)}`,
    KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
    POD_NAME: 'worker-deployment-7d9c6b5f4-x2x9k',
  },
  'VS Code': {
    COLORTERM: 'truecolor',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus,guid=8c2f3a1b9d7e4c5fa6b8d0e1f2a3b4c5',
    ELECTRON_RUN_AS_NODE: '1',
    GIT_ASKPASS: '/usr/share/code/resources/app/extensions/git/dist/askpass.sh',
    GNOME_TERMINAL_SCREEN: '/org/gnome/Terminal/screen/3f2b8a1c_9d4e_4f6a_8b7c_1e2d3c4b5a69',
    NODE_OPTIONS: '--require /home/ada/.vscode/data/ms-vscode.js-debug/bootloader.js --inspect-publish-uid=http',
    REMOTE_CONTAINERS_IPC: `/tmp/vscode-remote-containers-ipc-${UUID}.sock`,
    TERM_PROGRAM_VERSION: '1.93.0',
    TERM_SESSION_ID: `w0t0p0:${UUID.toUpperCase()}`,
    VSCODE_CODE_CACHE_PATH: `/home/ada/.config/Code/CachedData/${SHA}`,
    VSCODE_CWD: '/home/ada/projects',
    VSCODE_GIT_ASKPASS_NODE: '/usr/share/code/code',
    VSCODE_GIT_IPC_HANDLE: '/run/user/1000/vscode-git-3f9a8c7d6e.sock',
    VSCODE_INSPECTOR_OPTIONS:
      '{"inspectorIpc":"/tmp/node-cdp.12-3f9a8c7d.sock","deferredMode":false,"waitForDebugger":""}',
    VSCODE_IPC_HOOK_CLI: `/run/user/1000/vscode-ipc-${UUID}.sock`,
    VSCODE_NONCE: UUID,
    WSLENV: 'ELECTRON_RUN_AS_NODE/w:WT_SESSION::WT_PROFILE_ID',
    WT_SESSION: UUID,
    XAUTHORITY: '/run/user/1000/.mutter-Xwaylandauth.W9F8T2',
    XDG_DATA_DIRS: '/usr/share/ubuntu:/usr/share/gnome:/usr/local/share/:/usr/share/:/var/lib/snapd/desktop',
  },
}

/** As services hand them out, in pieces so that nothing takes this file for a leak. */
const KEYS: Record<string, string> = {
  base64: ['wJalrXUtnFEMI', 'K7MDENG+bPxRf', 'iCY9zzq8KEY1=='].join('/'),
  hexadecimal: ['9f86d081884c7d65', '9a2feaa0c55ad015'].join(''),
  uuid: ['7c9e6679-7425-40de', '944b-e07fc1f90ae7'].join('-'),
  words: ['Xk29fjq8LLwqT', 'r5vPq0zN3m'].join(''),
}
/** Names that say nothing, and names that an identifier could have but for what they say. */
const NAMES = ['FOO', 'ACME', 'MODEL_ACCESS', 'GITHUB_PAT', 'CI_DEPLOY_KEY', 'RUNNER_TOKEN', 'npm_config_auth_token']

test.each(Object.entries(ENVIRONMENTS))('what %s says about itself stays readable', (_, env) => {
  const redactor = createRedactor({ env })
  for (const [name, value] of Object.entries(env)) expect(redactor.text(value), name).toBe(value)
  expect(redactor.hidden()).toEqual([])
})

test.each(Object.entries(ENVIRONMENTS))('every key planted in the environment of %s is hidden', (_, env) => {
  for (const name of NAMES)
    for (const [kind, key] of Object.entries(KEYS)) {
      const redactor = createRedactor({ env: { ...env, [name]: key } })
      expect(redactor.text(`it is ${key}.`), `${name}, ${kind}`).toBe('it is [SECRET].')
      expect(redactor.hidden().map((variable) => variable.name)).toEqual([name])
    }
})

test.each([
  ['a list of keys', { KEYS_OF_ACME: `${KEYS['words']}, ${KEYS['hexadecimal']}` }, KEYS['hexadecimal']],
  ['a key that begins with a slash', { ACME: `/${KEYS['base64']}` }, `/${KEYS['base64']}`],
  ['a pair in hexadecimal', { ACME: `${KEYS['hexadecimal']}:4f1c2d3e` }, `${KEYS['hexadecimal']}:4f1c2d3e`],
  ['a password in an address', { DATABASE: 'postgres://app:hunt3r@db/app' }, 'hunt3r'],
  ['a key as the user', { FEED: `https://${KEYS['words']}@host/x` }, KEYS['words']],
  ['a key in a query', { HOOK: 'https://host/x?sig=a8Xq2zT0&page=4' }, 'a8Xq2zT0'],
  ['a random value of a name that is usually an id', { CI_THING: KEYS['words'] }, KEYS['words']],
  ['a short password', { PGPASSWORD: 'hunter2' }, 'hunter2'],
  ['a short key', { ACME_KEY: 'k-98' }, 'k-98'],
])('%s is hidden', (_, env, secret = '') => {
  expect(createRedactor({ env }).text(`it is ${secret}`)).not.toContain(secret)
})

test('redactions.allow shows what only looks random, by name or with *', () => {
  const env = { FOO: KEYS['words'], FOO_TOKEN: KEYS['hexadecimal'], ACME_ONE: KEYS['uuid'] }
  const all = Object.values(env).join(' ')
  const { text } = createRedactor({ env, allow: ['FOO*', 'ACME_ONE'] })
  expect(text(all)).toBe(`${KEYS['words']} [SECRET] ${KEYS['uuid']}`)
  expect(createRedactor({ env, allow: ['OO', 'ACME'] }).text(all)).toBe('[SECRET] [SECRET] [SECRET]')
})
