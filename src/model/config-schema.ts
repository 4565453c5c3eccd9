// The schema of viva.config.*: source of its types, the checks, the error messages and `viva schema config`.
import * as v from 'valibot'
import { anyObject, flag, integerBetween, numberBetween, object, text, texts } from './case-schema-base.js'
import { ENDINGS } from './connector.js'
import { about, optional } from './schema-parts.js'
import { testingEntries } from './testing-schema.js'
import { FEATURES } from './without.js'

const textMap = () => v.record(v.string(), text(), '{field} must be an object of strings, found {found}')

export const agentEntry = object({
  target: optional(
    about(
      text(),
      'What is tested: ./agent.ts#run, http(s)://…, exec:command, a2a:url, acp:command, cli:claude, mcp:command, mcp:url.',
    ),
  ),
  url: optional(about(text(), 'The same for an endpoint: https://….')),
  key: optional(about(text(), 'The key of an endpoint, sent as a bearer token: $ENV.NAME.')),
  headers: optional(about(textMap(), 'Sent with every request.')),
  response_path: optional(about(text(), 'JSONPath of the answer in the response of a plain JSON endpoint.')),
  tool_calls_path: optional(about(text(), 'JSONPath of its tool calls.')),
  tool_calls: optional(
    about(
      v.picklist(['complete'], '{field} must be "complete", found {found}'),
      'Declares that its replies report every tool call, so that "not called" can be shown.',
    ),
  ),
  usage_path: optional(about(text(), 'JSONPath of its token usage.')),
  stream: optional(about(flag(), 'Ask for a stream.')),
  model: optional(about(text(), 'Sent as the model of a chat request.')),
  prompt_mode: optional(
    about(
      v.picklist(['stdin', 'arg'], '{field} must be "stdin" or "arg", found {found}'),
      'How a program gets its input: the messages as JSON on stdin (the default), or the last user text as an argument.',
    ),
  ),
  finish_reasons: optional(
    about(
      v.union(
        [texts(), v.record(v.string(), v.picklist(ENDINGS))],
        '{field} must be a list of words, or an object of what each means, found {found}',
      ),
      'Words with which the answers of a chat endpoint or an ACP agent end, beyond those of its protocol: ["done"], or {"done": "stop", "cut": "length"}.',
    ),
  ),
  messages: optional(
    about(
      v.picklist(['viva'], '{field} must be "viva", found {found}'),
      'What a function, a program or a JSON endpoint receives: "viva" for tool calls as {name, args, result}; unless given, messages as in OpenAI\'s chat completions.',
    ),
  ),
  env: optional(about(textMap(), 'Environment variables for a program.')),
  cwd: optional(about(text(), 'The folder a program is started in.')),
  home: optional(
    about(
      textMap(),
      'Files that its home folder begins with: path there → file here, e.g. {".codex/auth.json": "~/.codex/auth.json"}. With it, a case that has a workspace has a home folder of its own, with nothing else in it.',
    ),
  ),
  description: optional(about(text(), 'For people and generators.')),
})

export const price = object({
  input: about(numberBetween(0, 1_000_000), 'Dollars per million input tokens.'),
  cached_input: optional(about(numberBetween(0, 1_000_000), 'Of those read from a cache; default: as other input.')),
  cache_write: optional(about(numberBetween(0, 1_000_000), 'Of those written to a cache; unless given, unknown.')),
  output: about(numberBetween(0, 1_000_000), 'Dollars per million output tokens.'),
})

export const variantEntry = object({
  name: about(text(), 'Appears in every result and report; --variant selects it.'),
  target: optional(about(text(), 'As -n takes it; default: -n, else the agent found from the cases.')),
  connector: optional(about(text(), "Overrides the case's and the agent's connector.")),
  preset: optional(about(text(), "Which preset of an agent package's prompts to use.")),
  locale: optional(about(text(), 'Locale of the conversation.')),
  env: optional(about(textMap(), 'Environment variables for what is tested.')),
  options: optional(about(anyObject(), "Merged over the options of the case, for the agent's own use.")),
  descriptions: optional(
    about(
      text(),
      'A JSON file with other descriptions for the tools that a model is offered, as --descriptions takes it.',
    ),
  ),
})

const patterns = v.record(
  v.string(),
  v.union([text(), flag()], '{field} must be a pattern, or false to switch it off, found {found}'),
  '{field} must be an object, found {found}',
)

export const redactedPaths = () =>
  v.array(
    v.union(
      [
        text(),
        object({
          path: text(),
          watch: optional(
            about(flag(), 'Snapshots keep a hash of it, keyed with VIVA_SNAPSHOT_KEY, so that a change is seen.'),
          ),
        }),
      ],
      '{field} must be a JSONPath or {path, watch}, found {found}',
    ),
    '{field} must be a list of JSONPaths, found {found}',
  )

export const configSchema = object({
  defaults: optional(about(anyObject(), 'Defaults of viva test, by flag name with underscores; a flag beats them.')),
  agents: optional(
    about(
      v.record(v.string(), v.union([text(), agentEntry], '{field} must be a target or {target, …}, found {found}')),
      'Named agents, for -n.',
    ),
  ),
  variants: optional(
    about(
      v.array(variantEntry, '{field} must be a list of {name, target, …}, found {found}'),
      'Ways of reaching what is tested, side by side; the first is the baseline.',
    ),
  ),
  prices: optional(about(v.record(v.string(), price), 'By connector id, model name, or the agent as -n names it.')),
  redactions: optional(
    about(
      object({
        patterns: optional(about(patterns, 'RE2 patterns by name; false switches off a built-in one.')),
        paths: optional(
          about(
            redactedPaths(),
            'JSONPaths of values that are never written; {path, watch: true}: snapshots see a change.',
          ),
        ),
        allow: optional(
          about(
            texts(),
            'Names of environment variables (* for anything) whose values may be written although they look random. Names that say secret are hidden all the same.',
          ),
        ),
      }),
      'What must not be written anywhere, beyond what Viva recognises itself.',
    ),
  ),
  cassette_dir: optional(
    about(text(), 'Where test tools look for and save cassettes, relative to the project; default: cassettes.'),
  ),
  snapshot_dir: optional(
    about(text(), 'Where test tools keep approved snapshots, relative to the project; default: snapshots.'),
  ),
  testing: optional(
    object({
      ...testingEntries,
      without: optional(
        about(
          v.array(
            v.picklist(FEATURES, `{field} must be one of ${FEATURES.join(', ')}, found {found}`),
            '{field} must be a list, found {found}',
          ),
          'What agent packages need and are tested without; every report says so.',
        ),
      ),
    }),
  ),
  keep_runs: optional(
    about(
      v.union(
        [integerBetween(1, 1_000_000, '{field} must be a whole number of at least 1 or "all"'), v.literal('all')],
        '{field} must be a whole number of at least 1 or "all", found {found}',
      ),
      'How many event files .viva/runs keeps per suite; default: 100. Never removed: files named with -o, runs that can be resumed, the newest verdict of a case.',
    ),
  ),
  watch: optional(
    about(
      texts(),
      'With --watch: globs of files read at run time, relative to the application root; a change runs everything.',
    ),
  ),
  awaiting_tools: optional(about(texts(), 'Tools whose call means that the agent awaits input.')),
  judges: optional(
    object({
      require_licence: optional(
        about(
          flag(),
          'The verdict of a judge without a licence for its criterion (viva judge check) is shown and not counted.',
        ),
      ),
    }),
  ),
  lint: optional(object({ disable: optional(about(texts(), 'Rules that viva lint leaves out, by id.')) })),
  surface: optional(
    about(
      object({
        tools: optional(
          v.array(
            v.union(
              [
                text(),
                object({
                  name: text(),
                  description: optional(text()),
                  input_schema: optional(about(anyObject(), 'JSON Schema of its arguments.')),
                }),
              ],
              '{field} must be the name of a tool or {name, description, input_schema}, found {found}',
            ),
            '{field} must be a list of tools, found {found}',
          ),
        ),
        hooks: optional(texts()),
        delegations: optional(about(texts(), 'Ids of agents that it hands conversations over to.')),
        presets: optional(texts()),
        locales: optional(texts()),
        skills: optional(texts()),
        endings: optional(about(texts(), 'Ways to end: answered, asked back, refused, failed, timed out.')),
        hats: optional(texts()),
        topics: optional(texts()),
        transitions: optional(about(texts(), 'As viva coverage writes them: "writer → reviewer by text.written".')),
      }),
      'What the agent has, for viva coverage; a list here counts instead of what is found elsewhere.',
    ),
  ),
  helpers: optional(
    object({ connector: optional(about(text(), 'The connector of viva.judge, viva.user, viva.cases.')) }),
  ),
})

/** `options`: the JSON Schema of what `defaults` may hold. */
export async function configJsonSchema(options: object): Promise<Record<string, unknown>> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const schema = toJsonSchema(configSchema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined,
  })
  const { defaults } = schema.properties as Record<string, object>
  return {
    ...schema,
    title: 'Viva configuration',
    properties: { ...schema.properties, defaults: { ...defaults, ...options } },
  }
}
