// One mistake of every kind, planted in skills, a server and a package, and the same without any.
import type { Files } from '../support/run-cli.js'

const GOOD = 'Rotates, merges and splits PDF files. Use when a task mentions a PDF or its pages.'

export function skillText(head: Record<string, string>, body = '# Steps\n\nRun the script.\n'): string {
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${value}\n`)
  return `---\n${fields.join('')}---\n${body}`
}

/** Put together here, so that no scanner takes this file for a leak. */
export const GITHUB_TOKEN = ['ghp', 'Zk3vQ9xT1bLm7RwY2cNd8FhJ4sGp6AeUqX0o'].join('_')
export const DATABASE_PASSWORD = ['hq8Zr2vW', 'Lk91'].join('')

export const GOOD_SKILL: Files = {
  'pdf-tools/SKILL.md': skillText(
    { name: 'pdf-tools', description: GOOD, license: 'MIT' },
    '# Steps\n\nRead [the forms](references/forms.md), then run `scripts/rotate.py`.\n\n- Always keep the original.\n- Never overwrite the original.\n',
  ),
  'pdf-tools/references/forms.md': '# Forms\n\nBack to [the start](../SKILL.md).\n',
  'pdf-tools/scripts/rotate.py': 'print("rotated")\n',
  'pdf-tools/evals/evals.json': {
    skill_name: 'pdf-tools',
    evals: [{ id: 1, prompt: 'Rotate a.pdf', files: ['evals/a.pdf'], expectations: ['a.pdf is rotated'] }],
  },
  'pdf-tools/evals/a.pdf': '%PDF',
}

/** Each with the rule that finds it, as `rule file:line:column`. */
export const BAD_SKILLS: Array<[files: Files, findings: string[]]> = [
  [{ 'no-head/SKILL.md': '# Only a title\n' }, ['error skill-frontmatter no-head/SKILL.md:1:1']],
  [
    { 'bad-yaml/SKILL.md': '---\nname: bad-yaml\ndescription: Use when: a colon follows\n---\nText\n' },
    ['error skill-frontmatter bad-yaml/SKILL.md:3:14'],
  ],
  [{ 'lower/skill.md': skillText({ name: 'lower', description: GOOD }) }, ['warning skill-file-name lower/skill.md']],
  [
    { 'nameless/SKILL.md': skillText({ description: GOOD.replaceAll('PDF', 'ODT') }) },
    ['error skill-name-missing nameless/SKILL.md:1:1'],
  ],
  [
    {
      'shouting/SKILL.md': skillText({
        description: 'Draws charts of sales. Use when numbers need a picture.',
        name: 'SHOUTING',
      }),
    },
    ['error skill-name-invalid shouting/SKILL.md:3:1'],
  ],
  [
    {
      'here/SKILL.md': skillText({
        name: 'there',
        description: 'Books rooms and desks. Use when people meet at the office.',
      }),
    },
    ['error skill-name-folder here/SKILL.md:2:1'],
  ],
  [
    {
      'odd-fields/SKILL.md': skillText({
        name: 'odd-fields',
        description: 'Translates menus into French. Use when a restaurant asks for it.',
        licence: 'MIT',
        colour: 'red',
        compatibility: 'x'.repeat(501),
      }),
    },
    [
      'warning skill-field-misspelled odd-fields/SKILL.md:4:1',
      'note skill-field-unknown odd-fields/SKILL.md:5:1',
      'warning skill-field-invalid odd-fields/SKILL.md:6:1',
    ],
  ],
  [
    { 'silent/SKILL.md': skillText({ name: 'silent', description: '""' }) },
    ['error skill-description-missing silent/SKILL.md:3:1'],
  ],
  [
    {
      'endless/SKILL.md': skillText({
        name: 'endless',
        description: `Counts sheep when asked, ${'one more, '.repeat(110)}`,
      }),
    },
    ['error skill-description-long endless/SKILL.md:3:1'],
  ],
  [
    { 'helper/SKILL.md': skillText({ name: 'helper', description: 'Helps with various things when used.' }) },
    ['warning skill-description-weak helper/SKILL.md:3:1'],
  ],
  [
    {
      'timeless/SKILL.md': skillText({
        name: 'timeless',
        description: 'Polishes brass instruments with a soft cotton cloth.',
      }),
    },
    ['note skill-description-when timeless/SKILL.md:3:1'],
  ],
  [
    {
      'empty/SKILL.md': skillText(
        { name: 'empty', description: 'Sings lullabies in minor keys. Use when a baby cries.' },
        '\n',
      ),
    },
    ['warning skill-empty empty/SKILL.md:4'],
  ],
  [
    {
      'huge/SKILL.md': skillText(
        { name: 'huge', description: 'Knits scarves from leftover wool. Use when winter comes.' },
        'A line.\n'.repeat(501),
      ),
    },
    ['warning skill-size huge/SKILL.md:4'],
  ],
  [
    {
      'pair/paint-walls/SKILL.md': skillText({
        name: 'paint-walls',
        description: 'Paints the walls of a room in a chosen colour. Use when a room needs new paint.',
      }),
      'pair/paint_walls/SKILL.md': skillText({
        name: 'paint-walls',
        description: 'Paint the walls of rooms in the chosen colour. Use when rooms need new paint.',
      }),
    },
    [
      'error skill-name-duplicate pair/paint_walls/SKILL.md:2:1',
      'error skill-name-folder pair/paint_walls/SKILL.md:2:1',
      'warning skill-description-overlap pair/paint_walls/SKILL.md:3:1',
    ],
  ],
  [
    {
      'torn/SKILL.md': skillText(
        { name: 'torn', description: 'Commits work to git in small steps. Use when a change is complete.' },
        '- Always squash the commits.\n\nText.\n\n- Never squash the commits!\n',
      ),
    },
    ['warning contradiction torn/SKILL.md:9:3'],
  ],
  [
    {
      'ghost/SKILL.md': skillText(
        { name: 'ghost', description: 'Reviews contracts for missing signatures. Use when a contract arrives.' },
        'See [forms](references/forms.md).\nRun `scripts/check.py`.\nAlso [ours](../shared.md) and [gone](../gone.md).\n',
      ),
      'shared.md': 'shared',
    },
    [
      'error link-dead ghost/SKILL.md:5:13',
      'warning reference-dead ghost/SKILL.md:6:6',
      'error link-dead ghost/SKILL.md:7:38',
      'note reference-outside ghost/SKILL.md:7:13',
    ],
  ],
  [
    {
      'invisible/SKILL.md': skillText(
        { name: 'invisible', description: 'Waters plants on a schedule. Use when nobody is at home.' },
        'Water them.\nAnd\u{200b} more.\n',
      ),
    },
    ['warning hidden-characters invisible/SKILL.md:6'],
  ],
  [
    {
      'leaky/SKILL.md': skillText({
        name: 'leaky',
        description: 'Deploys sites to a host. Use when a site has changed.',
      }),
      'leaky/scripts/deploy.sh': `export GITHUB=1\ncurl -H "x: ${GITHUB_TOKEN}"\n`,
      'leaky/scripts/settings.ini': `[db]\npassword = "${DATABASE_PASSWORD}"\n`,
    },
    ['error secret leaky/scripts/deploy.sh:2:13', 'warning secret-likely leaky/scripts/settings.ini:2:13'],
  ],
  [
    {
      'broken-evals/SKILL.md': skillText({
        name: 'broken-evals',
        description: 'Sorts stamps by country. Use when a collection grows.',
      }),
      'broken-evals/evals/evals.json': '{"evals": [\n  {"id": 1,}\n]}',
    },
    ['error evals-invalid broken-evals/evals/evals.json:2:11'],
  ],
  [
    {
      'copied-evals/SKILL.md': skillText({
        name: 'copied-evals',
        description: 'Labels jars of jam. Use when jam has been made.',
      }),
      'copied-evals/evals/evals.json':
        '{"skill_name": "other",\n"evals": [{"id": 1, "prompt": "x",\n"files": ["evals/none.txt"]}]}',
    },
    ['warning evals-name copied-evals/evals/evals.json', 'error evals-invalid copied-evals/evals/evals.json:3:11'],
  ],
  [
    {
      'judged-evals/SKILL.md': skillText({
        name: 'judged-evals',
        description: 'Lays out forms with fields. Use when somebody needs a form.',
      }),
      'judged-evals/evals/evals.json':
        '{"evals": [{"id": 1, "prompt": "x",\n"expectations": ["Looks good",\n"Uses FieldGroup for the layout"]}]}',
    },
    ['note evals-judge-only judged-evals/evals/evals.json:3'],
  ],
]

const description = (text: string): object => ({ type: 'string', description: text })

const CLOSED = { additionalProperties: false }

export const GOOD_TOOLS = [
  {
    name: 'find_order',
    description: 'Finds an order by its number, such as "A-17". Fails if there is none.',
    inputSchema: {
      type: 'object',
      properties: {
        number: description('The number, such as "A-17".'),
        limit: { type: 'integer', description: 'At most.', maximum: 9 },
      },
      required: ['number'],
      ...CLOSED,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_customers',
    description: 'Lists the customers of a country, by name, with their addresses.',
    inputSchema: { type: 'object', properties: {}, ...CLOSED },
    annotations: { readOnlyHint: true },
  },
]

const SCHEMA = { type: 'object', properties: {}, ...CLOSED }
const ANNOTATED = { annotations: { readOnlyHint: true } }

/** Each with the rules that find something in it. */
export const BAD_TOOLS: Array<[tools: object[], rules: string[]]> = [
  [
    [{ name: 'has blank', description: 'Waters the tomatoes behind the house.', inputSchema: SCHEMA, ...ANNOTATED }],
    ['error tool-name-invalid'],
  ],
  [
    [{ name: 'dotted.name', description: 'Feeds the goldfish in the pond.', inputSchema: SCHEMA, ...ANNOTATED }],
    ['warning tool-name-vendor'],
  ],
  [[{ name: 'undescribed', inputSchema: SCHEMA, ...ANNOTATED }], ['error tool-description-missing']],
  [
    [{ name: 'get_weather', description: 'Gets the weather.', inputSchema: SCHEMA, ...ANNOTATED }],
    ['warning tool-description-weak'],
  ],
  [
    [{ name: 'toggle', description: 'Switches lamps.', inputSchema: SCHEMA, ...ANNOTATED }],
    ['note tool-description-short'],
  ],
  [
    [{ name: 'bare', description: 'Opens the garage door for a minute.', inputSchema: SCHEMA }],
    ['warning tool-annotations-missing'],
  ],
  [
    [
      {
        name: 'both',
        description: 'Empties the dishwasher without a sound.',
        inputSchema: SCHEMA,
        annotations: { readOnlyHint: true, destructiveHint: true },
      },
    ],
    ['error tool-annotations-contradict'],
  ],
  [
    [
      {
        name: 'sure',
        description: 'Rings the bell at a given hour, like "7 am".',
        inputSchema: {
          type: 'object',
          properties: { hour: description('Such as "7 am".') },
          required: ['hour'],
          ...CLOSED,
        },
        ...ANNOTATED,
      },
    ],
    ['note tool-errors-unsaid'],
  ],
  [
    [
      {
        name: 'wrong',
        description: 'Bakes bread with rye flour.',
        inputSchema: { type: 'object', properties: { a: { type: 'strin', description: 'x' } }, ...CLOSED },
        ...ANNOTATED,
      },
    ],
    ['error schema-invalid'],
  ],
  [
    [{ name: 'wrong_too', description: 'Bakes cake with wheat flour.', inputSchema: { type: 'array' }, ...ANNOTATED }],
    ['error schema-invalid', 'note schema-open'],
  ],
  [
    [
      {
        name: 'lies',
        description: 'Plays a song from the shelf.',
        inputSchema: {
          type: 'object',
          properties: {
            volume: { type: 'integer', description: 'Loudness.', maximum: 10, default: 11, examples: ['loud', 5] },
          },
          ...CLOSED,
        },
        ...ANNOTATED,
      },
    ],
    ['error schema-refuses-example', 'error schema-refuses-example'],
  ],
  [
    [
      {
        name: 'ghost',
        description: 'Counts sheep, or fails in the dark.',
        inputSchema: { type: 'object', properties: {}, required: ['sheep'], ...CLOSED },
        ...ANNOTATED,
      },
    ],
    ['error schema-required-unknown'],
  ],
  [
    [
      {
        name: 'mute',
        description: 'Paints a fence in the garden.',
        inputSchema: {
          type: 'object',
          properties: { colour: { type: 'string' }, extra: { description: 'Whatever.' } },
          ...CLOSED,
        },
        ...ANNOTATED,
      },
    ],
    ['warning schema-undescribed', 'warning schema-any'],
  ],
  [
    [
      {
        name: 'one',
        description: 'Washes the car with cold water.',
        inputSchema: { type: 'object', properties: { mode: { enum: ['cold'], description: 'How.' } }, ...CLOSED },
        ...ANNOTATED,
      },
    ],
    ['warning schema-enum-one'],
  ],
  [
    [
      {
        name: 'greedy',
        description: 'Reads letters from the mailbox.',
        inputSchema: {
          type: 'object',
          properties: {
            limit: { type: 'integer', description: 'How many.' },
            ids: { type: 'array', items: { type: 'string' }, description: 'Which.' },
          },
          ...CLOSED,
        },
        ...ANNOTATED,
      },
    ],
    ['note schema-unbounded'],
  ],
  [
    [
      {
        name: 'formless',
        description: 'Sends a postcard; an error comes back without a stamp.',
        inputSchema: {
          type: 'object',
          properties: { text: description('The words on it.') },
          required: ['text'],
          ...CLOSED,
        },
        ...ANNOTATED,
      },
    ],
    ['note schema-no-example'],
  ],
  [
    [
      {
        name: 'open',
        description: 'Shuts the windows on the ground floor.',
        inputSchema: { type: 'object', properties: {} },
        ...ANNOTATED,
      },
    ],
    ['note schema-open'],
  ],
  [
    [
      { name: 'sweep', description: 'Sweeps the kitchen floor.', inputSchema: SCHEMA, ...ANNOTATED },
      { name: 'sweep', description: 'Mops the bathroom tiles.', inputSchema: SCHEMA, ...ANNOTATED },
    ],
    ['error tool-name-duplicate'],
  ],
  [
    [
      { name: 'sweepFloor', description: 'Sweeps the kitchen floor.', inputSchema: SCHEMA, ...ANNOTATED },
      { name: 'sweep_floor', description: 'Mops the bathroom tiles.', inputSchema: SCHEMA, ...ANNOTATED },
    ],
    ['warning tool-name-alike'],
  ],
  [
    [
      {
        name: 'find_user',
        description: 'Finds a user by email address in the directory.',
        inputSchema: SCHEMA,
        ...ANNOTATED,
      },
      {
        name: 'search_people',
        description: 'Search users by their email address in the directory.',
        inputSchema: SCHEMA,
        ...ANNOTATED,
      },
    ],
    ['warning tool-description-overlap'],
  ],
  [
    [{ name: 'sly', description: 'Mows the lawn\u{202e} in front of the house.', inputSchema: SCHEMA, ...ANNOTATED }],
    ['warning hidden-in-list'],
  ],
  [
    [
      {
        name: 'plough',
        description: 'Ploughs a field. Call the `hitch_horse` tool first.',
        inputSchema: SCHEMA,
        ...ANNOTATED,
      },
    ],
    ['warning tool-reference-dead'],
  ],
  [
    [
      {
        name: 'wordy',
        description: `Tells a story. ${'And then they went on. '.repeat(300)}`,
        inputSchema: SCHEMA,
        ...ANNOTATED,
      },
    ],
    ['note tool-size'],
  ],
  [
    Array.from({ length: 8 }, (_, index) => ({
      name: `saga_${index}`,
      description: `Part ${index}. ${`Verse of saga${index}, sung aloud. `.repeat(200)}`,
      inputSchema: SCHEMA,
      ...ANNOTATED,
    })),
    ['warning tools-size'],
  ],
  [
    [{ name: 'leak', description: `Logs in. Key: ${GITHUB_TOKEN} for all.`, inputSchema: SCHEMA, ...ANNOTATED }],
    ['error secret'],
  ],
]

/** A server that only lists: `lists` by method, everything else is refused. */
export function serverScript(lists: Record<string, object>): string {
  return `
import { createInterface } from 'node:readline'
const lists = ${JSON.stringify(lists)}
const capabilities = { tools: {}, ...('prompts/list' in lists && { prompts: {} }), ...('resources/list' in lists && { resources: {} }) }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'x', version: '1' } }
    : lists[method]
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
})
`
}

export const GOOD_PACKAGE: Files = {
  'app.yao': { name: 'Shop' },
  'assistants/desk/package.yao': { name: 'Desk', connector: 'mock', mcp: { servers: ['orders'] } },
  'assistants/desk/prompts.yml': '- role: system\n  content: You are the desk. Use orders__find.\n',
  'assistants/desk/src/orders.ts': 'export function Find(number: number) { return { number } }\n',
  'assistants/desk/mcps/orders.mcp.yao': { tools: { find: 'scripts.orders.Find' } },
  'assistants/desk/mcps/mapping/orders/schemes/find.in.yao': {
    type: 'object',
    description: 'Finds an order of a customer by its number.',
    properties: { number: { type: 'integer', description: 'The number.' } },
    'x-process-args': ['$args.number'],
  },
}

export const BAD_PACKAGE: Files = {
  ...GOOD_PACKAGE,
  'assistants/desk/package.yao': '{"name": "Desk",\n"conector": "mock",\n"mcp": {"servers": ["orders"]}}',
  'assistants/desk/prompts.yml':
    '- role: system\n  content: |\n    - Always greet the customer.\n    - Never greet the customer.\n    - Use orders__fnd.\n',
  'assistants/odd/package.yao': '{"name": "Odd", "connector": "mock",\n"company_policy": true}',
  'assistants/odd/prompts.yml': '- role: system\n  content: You are odd.\n',
}
