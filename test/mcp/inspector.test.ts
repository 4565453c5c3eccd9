// The MCP Inspector's command line. It is not a dependency (it brings along a browser application): name its program in
// MCP_INSPECTOR, e.g. after `npm install --prefix /tmp/inspector @modelcontextprotocol/inspector@1`.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { BIN, makeFolder } from '../support/run-cli.js'

const inspector = process.env['MCP_INSPECTOR']

test.skipIf(inspector === undefined)(
  'the MCP Inspector lists and calls the tools (needs MCP_INSPECTOR)',
  { timeout: 120_000 },
  async () => {
    const [project, temporary] = [makeFolder(), makeFolder()]
    const ask = async (...args: string[]) => {
      const server = [process.execPath, BIN, 'mcp', '--project', project]
      const env = { ...process.env, TMPDIR: temporary }
      const { stdout } = await promisify(execFile)(inspector ?? '', ['--cli', ...server, ...args], { env })
      return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, unknown>
    }
    const call = async (name: string, args: Record<string, unknown>) => {
      const given = Object.entries(args).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      return ask('--method', 'tools/call', '--tool-name', name, ...given.flatMap((each) => ['--tool-arg', each]))
    }
    const { tools } = await ask('--method', 'tools/list')
    expect((tools as Array<{ name: string }>).map(({ name }) => name)).toContain('test_coverage')
    expect(await call('test_setup', { workspace_id: 'w' })).toMatchObject({ structuredContent: { workspace_id: 'w' } })
    await call('test_run', { workspace_id: 'w', task: 'x', mock_responses: ['LOOP_COMPLETE'] })
    const assertions = [{ type: 'exit_code', expected: 0 }]
    expect(await call('test_assert', { workspace_id: 'w', assertions })).toMatchObject({
      structuredContent: { passed: true },
    })
    expect(await ask('--method', 'resources/list')).toMatchObject({ resources: [{ name: 'w/session.jsonl' }] })
    const { prompts } = await ask('--method', 'prompts/list')
    expect(prompts).toHaveLength(5)
  },
)
