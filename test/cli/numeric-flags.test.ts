// Every flag that takes a number, of every command: what is not one, or out of range, is refused before the command starts.
import { expect, test } from 'vitest'
import type { CommandSpec } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'
import type { Flag } from '../../src/cli/flags.js'
import { runProgram } from '../../src/cli/program.js'
import { makeFolder, viva } from '../support/run-cli.js'

const numeric = COMMANDS.flatMap((command) =>
  command.flags
    .filter(({ kind }) => kind === 'integer' || kind === 'number')
    .map((flag): [string, CommandSpec, Flag] => [`viva ${command.name} ${flag.long}`, command, flag]),
)

function wrongValues({ kind, min, max }: Flag): string[] {
  return [
    'abc',
    '',
    '1x',
    'NaN',
    ...(kind === 'integer' ? [String((min ?? 1) + 0.5)] : []),
    ...(min === undefined ? [] : [String(min - 1)]),
    ...(max === undefined ? [] : [String(max + 1)]),
  ]
}

test('there are such flags', () => {
  expect(numeric.length).toBeGreaterThan(20)
  expect(numeric.map(([name]) => name)).toContain('viva view --port')
})

test.each(numeric)('%s', async (_name, { name, args = [] }, flag) => {
  const needed = args.filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? 'x')
  for (const value of wrongValues(flag))
    await expect(runProgram([name, ...needed, `${flag.long}=${value}`]), value).rejects.toMatchObject({
      code: 'BAD_FLAG',
      exitCode: 2,
      subject: { flag: flag.long },
      message: expect.stringMatching(/: expected a (?:whole )?number .+, found "/) as unknown,
    })
})

test.each([
  ['view', ['--port', 'abc'], 'error: --port: expected a whole number from 0 to 65535, found "abc"'],
  ['history', ['--limit', '0'], 'error: --limit: expected a whole number from 1 to 100000, found "0"'],
  [
    'test',
    ['-i', 'hello', '-n', 'echo', '--parallel', 'x'],
    'error: --parallel: expected a whole number from 1 to 10000, found "x"\n  hint: see viva test --help',
  ],
])('viva %s %j is refused with the range', async (command, args, says) => {
  const { code, stderr } = await viva([command, ...args], { cwd: makeFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain(says)
})
