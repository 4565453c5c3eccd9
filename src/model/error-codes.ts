// Every code of a `UserError`: what it means, and what to do. `viva explain CODE` and docs/reference/errors.md are made from
// it, and a code that is missing here does not compile.

/** What happened, then what to do about it. */
type Page = readonly [meaning: string, remedy: string]

export const ERROR_CODES = {
  BAD_LABELS: [
    'A label file has a line that is not a label, or is not JSON.',
    'Correct the line that the message names, or label again with `viva label`.',
  ],
  BAD_LICENCE: [
    'A file in `licences/` is not a licence, or the labels in it do not support one.',
    'Write it again with `viva judge check`, or remove it.',
  ],
  BAD_OPENAPI: [
    'The file given with `--openapi` is not an OpenAPI document.',
    'Give an OpenAPI 3 or Swagger 2 document, as JSON or YAML.',
  ],
  BAD_PENDING: [
    'The file of proposed assertions cannot be read.',
    'Write it again with `viva mine -o FILE` or `viva mutate --write FILE`.',
  ],
  CANNOT_EDIT: [
    'The assertion cannot be written into its case file.',
    'Add it to the case by hand; the message shows it.',
  ],
  CANNOT_RERUN: [
    'A run cannot be repeated from the viewer.',
    'The message says why; run `viva test` with the same flags instead.',
  ],
  CASE_CHANGED: [
    'The cases have changed since they were judged: a check is missing.',
    'Give the cases as they were when the run was made.',
  ],
  JUDGE_CHANGED: [
    'The judge is not the one that was labelled: its model, prompt or criterion has changed.',
    'Run the cases again and label that run, or give the same `--judge` and the same cases.',
  ],
  NOT_A_TERMINAL: [
    'The command asks questions and needs a terminal.',
    'Run it in a terminal, or use the flag that the message names.',
  ],
  NOT_ONE_AGENT: [
    'The event file has the answers of several variants, or is not a run of cases.',
    'Use the event file of a run with one agent.',
  ],
  NO_EVENTS: [
    'No event file was given, or it holds no results.',
    'Name the `.jsonl` file that `viva test` wrote, or `latest`.',
  ],
  NO_SKILLS: [
    'The agent of `--with` cannot be given a skill, or it is not known where it looks for skills.',
    'Use a coding agent such as `cli:claude`, or say where it looks with `--skills-folder`.',
  ],
  NO_TOOL_LIST: [
    'An MCP server could not be started, or did not list its tools.',
    'Start it by hand to see what is wrong; the message has what it wrote.',
  ],
  NOTHING_TO_LINT: [
    'What was given to `viva lint` is neither a folder with a skill or a package, nor an MCP server.',
    'Name a folder that holds `SKILL.md` or `package.yao`, a command in quotes, or a URL.',
  ],
  UNKNOWN_RULE: [
    '`--disable` or `lint.disable` names a rule of `viva lint` that does not exist.',
    'Correct its name; the guide on lint lists the rules.',
  ],
  NO_LABELS: [
    'There are no labels, or none is of an answer in this run.',
    'Label some answers with `viva label`, or name the run with `--events`.',
  ],
  NO_SUCH_CASE: ['The case that an assertion was proposed for is no longer in its file.', 'Run `viva mine` again.'],
  RERUN_RUNNING: ['A run started from the viewer is still in progress.', 'Wait for it, or stop it on its page.'],
  SEVERAL_JUDGES: ['More than one judge or criterion gave verdicts in this run.', 'Name one with `--judge`.'],
  UNKNOWN_OPERATOR: ['`mutations.ignore` names an operator that does not exist.', 'The message lists the operators.'],
  ABSENT_ON_ONE_SIDE: [
    '`viva diff` needs the agent and the cases in both revisions, but one of them is missing something.',
    'Compare with a revision that has it, or name another agent with `-n`.',
  ],
  AGENT_REQUIRED: ['Generated cases need an agent.', 'Name it with `-n`.'],
  APP_OUTSIDE: [
    '`viva diff` checks out a repository, and the application root is outside it.',
    'Name a folder in the repository with `--app`.',
  ],
  BACKEND_FAILED: [
    'The backend of an orchestrator run failed, or a limit ended the run before it was complete.',
    'Read the message of the backend; raise `max_iterations` or the runtime if the limit is too low.',
  ],
  BACKEND_NOT_READY: [
    'A backend is not installed, not logged in, or does not answer.',
    '`viva doctor --backend NAME --try` shows what is missing.',
  ],
  BAD_ADDRESS: ['The address of a provider is not a URL.', 'Begin it with `http://` or `https://`.'],
  BAD_AGENT: [
    'A tool call names an agent that is not part of the project.',
    'Use the id or name of an agent; commands and addresses belong in `viva.config` under `agents`.',
  ],
  BAD_ARGUMENTS: [
    'The arguments of a test tool do not match its schema.',
    '`viva tool NAME --help` lists them; the message names the field.',
  ],
  BAD_ASSERTION: [
    'An assertion has an unknown type, or a field that is missing, misspelled or of the wrong kind.',
    'Correct the field that the message names; the reference lists each type with its fields.',
  ],
  BAD_CASES: [
    'The case file has problems, so nothing was run. Each is listed with its line and field.',
    'Correct them; `viva test -i FILE --dry-run` checks the file without running anything.',
  ],
  BAD_CASE_OUTPUT: [
    'A dry run writes one case file, and `-o` does not name one.',
    'Give `-o` once, with a name that ends in `.jsonl`.',
  ],
  BAD_CASSETTE: [
    'A recording cannot be read, or two files of a folder record the same case.',
    'Remove or correct the file that the message names, or record again.',
  ],
  BAD_CONFIG: [
    '`viva.config` has unknown keys or values of the wrong kind.',
    'Correct what the message names; `viva schema config` prints the schema.',
  ],
  BAD_CONNECTOR: [
    'A `.conn.yao` file is not a connector.',
    'It needs `type` and `options`, e.g. `{"type": "openai", "options": {"model": "…", "key": "$ENV.NAME"}}`.',
  ],
  BAD_CONTEXT: ['The context file of `--ctx` cannot be used.', 'It is a JSON object; the message names the field.'],
  BAD_DESCRIPTIONS: [
    'The file of `--descriptions` cannot be read, describes a tool that does not exist, or changes nothing.',
    'Write `{"tool": "description"}` or `{"tool": {"description": "…", "arguments": {"name": "description"}}}`, with the names that the server or the cases use.',
  ],
  BAD_ENV: [
    'Environment variables are given in a form that cannot be used.',
    'Names are letters, digits and `_`; values are text.',
  ],
  BAD_EVIDENCE: ['The evidence to judge is malformed.', 'Correct the field that the message names.'],
  BAD_FILE_PATH: [
    'A file cannot be written under that path in a workspace.',
    'Name files relative to the workspace, without `..`.',
  ],
  BAD_FIXTURE: [
    'The files that a workspace starts with cannot be used.',
    'Paths are relative to the workspace and stay inside it; contents are text.',
  ],
  BAD_FLAG: [
    'A flag has an invalid value, or conflicts with another one.',
    '`viva COMMAND --help` lists what each takes.',
  ],
  BAD_GENERATOR_COUNT: [
    'The number of cases to generate is not a whole number of at least 1.',
    'For example `-i "agents:workers.test.generator?count=10"`.',
  ],
  BAD_GLOB: [
    'A pattern for files cannot be read.',
    'Use `*` within a folder and `**/` across folders, and quote the pattern.',
  ],
  BAD_HOST: ['The host of a connector is not a URL.', 'Write it with its scheme, e.g. `https://api.example.com`.'],
  BAD_JOURNAL: ['The journal of a recording is damaged.', 'Remove it and record again.'],
  BAD_KEY: [
    'A key has characters that cannot be sent in a header.',
    'Check the variable it comes from: a key has no spaces or line breaks.',
  ],
  BAD_LINK: [
    'A file cannot be linked into a checkout.',
    'Name a file that is inside the repository and not tracked by git.',
  ],
  BAD_LOOP_CONFIG: [
    'The configuration of an orchestrator cannot be run.',
    'Correct what the message names; the guide on orchestrators shows the format.',
  ],
  BAD_MOCK_RESPONSES: [
    'Scripted responses are malformed.',
    'Each is e.g. `{"output": "hello"}`; the message names the one that is wrong.',
  ],
  BAD_NAME: [
    'A name has characters that are not allowed, or is not of the expected kind.',
    'The message shows an example.',
  ],
  BAD_OPTION: [
    'An option given to the library or a tool has an invalid value.',
    'The message names the option and what it takes.',
  ],
  BAD_PACKAGE: [
    'An agent package has problems in its files. Each is listed.',
    'Correct them in the files that the message names.',
  ],
  BAD_PATH: ['A path into an answer is not a JSONPath.', 'Write e.g. `$.choices[0].message.content`.'],
  BAD_PATTERN: [
    'A pattern is not a regular expression.',
    'Correct it; patterns are those of RE2, without look-around and back-references.',
  ],
  BAD_RANGE: [
    'The revisions to compare are not given as a range.',
    '`main..HEAD` compares two revisions, `main...HEAD` takes the merge base on the left.',
  ],
  BAD_REDACTION: [
    'A redaction cannot be applied.',
    'Paths lead into answers; for text that changes use `redactions.patterns`.',
  ],
  BAD_RESULTS: [
    'The results kept in a workspace cannot be read: the file is damaged.',
    'Clean the workspace up and test again.',
  ],
  BAD_RUN_FILE: ['The record of a run is no longer usable.', 'The file has changed since the run: start a new run.'],
  BAD_SESSION: [
    'The session of an orchestrator run is damaged or inconsistent.',
    'Run again: this session cannot be trusted.',
  ],
  BAD_SHARD_PLAN: [
    'The plan that divides cases among shards cannot be used.',
    'Create it again with `viva shard-plan run.jsonl --shards N -o plan.json`.',
  ],
  BAD_SKILL: [
    'The folder of a skill cannot be used: SKILL.md is missing, or has no front matter with a name and a description.',
    'SKILL.md begins with `---`, `name:` (lower-case letters, digits and hyphens), `description:`, `---`. Links may only lead to files of the same skill.',
  ],
  BAD_TOKEN: [
    '`VIVA_MCP_TOKEN` is too short or has characters that cannot be sent.',
    'Leave it out to get a new token, or create one: `openssl rand -hex 24`.',
  ],
  BAD_TOOLS: [
    'The file of mock tools has problems. Each is listed.',
    'Correct what the message names; the guide on state shows the format.',
  ],
  BAD_TOPIC: ['The topic of an event is invalid.', 'A topic is words joined by dots, e.g. `build.done`.'],
  BAD_URL: ['An address is not a URL.', 'Write it with its scheme, e.g. `http://localhost:8080`.'],
  BAD_USAGE: [
    'An unknown command or flag, or too many or too few arguments.',
    '`viva --help` lists the commands, `viva COMMAND --help` their flags.',
  ],
  BAD_VARIANT: ['A variant cannot be read.', 'Write `--variant NAME=AGENT`, or name one from the configuration.'],
  BEFORE_FAILED: ['The hook before the run failed, so no case was run.', 'Fix the function that `--before` names.'],
  BUNDLE_TOO_LARGE: [
    'The files to send to workers are too large.',
    'Put the application on the workers, for example in their image.',
  ],
  CANNOT_IMPORT: [
    'A file of another tool cannot be imported as it is.',
    'The message says why; an import runs nothing, so programs have to be written as YAML or JSON first.',
  ],
  CANNOT_JUDGE: ['A judge gave no usable score.', 'Nothing was decided: check the judge and its model.'],
  CANNOT_LIST_PROCESSES: [
    'Viva cannot list the processes that a program left running.',
    'Run fewer cases at a time (`--parallel`), or raise the limit of open files.',
  ],
  CANNOT_READ: [
    'A file cannot be read.',
    'Check that it exists and may be read, and that it is the kind of file the command takes.',
  ],
  CANNOT_RECORD: [
    'A run of this kind cannot be recorded or replayed.',
    'Use the embedded loop with the backend itself.',
  ],
  CANNOT_RESTORE: [
    'A workspace cannot be put back: only the hash of a changed file was kept.',
    'Set up a new workspace.',
  ],
  CANNOT_RESUME: [
    'This run cannot be continued.',
    'Start a new one; the file can still be reported with `viva report`.',
  ],
  CANNOT_START: [
    'The system could not start a program.',
    'Run fewer cases at a time (`--parallel`), or raise the limits of the system.',
  ],
  CANNOT_WATCH: ['These cases cannot be watched.', 'The message says why.'],
  CANNOT_WRITE: ['A file cannot be written.', 'Check the folder, its permissions and the space on the disk.'],
  COMMAND_NOT_FOUND: [
    'The program to run was not found, or may not be run.',
    'Check the spelling and PATH; relative paths start at the application root.',
  ],
  CORRUPT_EVENT_FILE: [
    'A line of an event file is damaged.',
    'The lines before it are whole: cut the file there and try again, or run again.',
  ],
  COST_UNKNOWN: [
    'A cost limit is set, but the calls do not report their cost.',
    'Set prices in the configuration, or limit runs, iterations or time instead.',
  ],
  DAMAGED_SHARD: ['The event file of a shard does not agree with its own summary.', 'Run the shard again.'],
  DIFFERENT_RUNS: ['The files are not from one run: their cases or options differ.', 'Give the files of one run.'],
  DOUBLED_EVENT: [
    'An event file has two results of the same case and run.',
    'Two files were joined, or a line was copied: remove one of the two lines.',
  ],
  DOUBLED_RESULT: [
    'Two shards have a result of the same case.',
    'They were made from different cases or plans: run them again.',
  ],
  DOUBLED_SHARD: ['The same shard was given twice.', 'Leave one of the two files out.'],
  EMPTY_COMMAND: [
    'A target such as `exec:` names no command.',
    'Write the program after the colon, e.g. `exec:node agent.mjs`.',
  ],
  EMPTY_INPUT: ['`-i` is empty: there is nothing to run.', 'Give a case file or a message; is a shell variable unset?'],
  EVENTS_CHANGED: [
    'Something other than the run changed its event file, so its results prove nothing.',
    'Find out what writes there, and run again.',
  ],
  EVENTS_LOST: [
    'The events that an orchestrated agent published cannot be read.',
    'Programs should only append lines to that file, with `viva emit` or directly.',
  ],
  FILES_EXIST: [
    'Files that would be written exist already; nothing was written.',
    'Choose another folder, or replace them with `--force`.',
  ],
  FILES_NOT_RECORDED: [
    'A file is not in the recording: only small text files are.',
    'Compare all files in a run that is not played back.',
  ],
  FILE_CHANGED: ['A file has changed while it was in use.', 'Start again.'],
  FILE_NOT_FOUND: [
    'No file of that name, or none that matches the pattern.',
    'Check the path; it is relative to the current folder.',
  ],
  FLAG_IGNORED: ['A flag would have no effect here.', 'Leave it out, or write what it says into the case.'],
  FLAG_REPEATED: ['A flag that takes one value was given twice.', 'Give it once.'],
  FUNCTION_NOT_FOUND: [
    'The script or module has no function of that name.',
    'Check the name; the message lists those that exist.',
  ],
  GENERATED_ACTIONS: [
    'Generated cases may not run scripts or read files.',
    'Write them to a file with `--dry-run -o cases.jsonl`, review them, then run that file.',
  ],
  GENERATOR_FAILED: [
    'The agent or script that generates cases failed.',
    'Read its error in the message; nothing was run.',
  ],
  GIT_FAILED: [
    'A git command failed.',
    'Try the same command by hand; `viva diff` needs a repository that can be read.',
  ],
  HELPER_EXISTS: ['The helper is already ejected.', 'Edit it there, or overwrite it with `--force`.'],
  HIDDEN_OPTION: [
    'A run cannot be resumed as it is: the value of a flag contained a secret, which event files do not keep.',
    'Give that flag again with `--resume`.',
  ],
  HISTORY_UNREADABLE: [
    'The history of runs cannot be read.',
    'Give the folder that `viva test --history` writes, `.viva/history`.',
  ],
  IDENTICAL_VARIANTS: ['Two variants are the same.', 'To see how much results vary by chance, use `--runs`.'],
  INPUT_CHANGED: ['The cases have changed since the run began, so it cannot be continued.', 'Start a new run.'],
  LINKED_OUT: [
    'A folder that results would be written to is a link out of the project.',
    'Remove the link, or name the folder it leads to.',
  ],
  LIVE_REFUSED: [
    'Live agents, backends and judges are disabled in this MCP server.',
    'Start it with `--allow-live`, or use mocks or recordings.',
  ],
  MCP_PORT: ['The port of the MCP server cannot be used.', 'Choose another with `--port`.'],
  MISSING_KEY: ['A connector has no key.', 'Add `"key": "$ENV.NAME"` to its options.'],
  MISSING_MODEL: [
    'No model is named.',
    'Write it as the vendor does: `openai:MODEL`, `anthropic:MODEL`, or `--model MODEL`.',
  ],
  MISSING_PACKAGE: ['A connector of the AI SDK names no package.', 'Add `"package": "@ai-sdk/…"` to its options.'],
  MISSING_SHARD: [
    'Shards are missing, so the merged run would not be complete.',
    'Add them, finish them with `--resume`, or merge what there is as the message says.',
  ],
  MISSING_VARIABLE: [
    'An environment variable that the configuration or a connector names is not set.',
    'Set it before running viva.',
  ],
  MOCK_EXHAUSTED: [
    'A scripted agent was asked more often than it has responses.',
    'Add a response, or set `on_exhausted: stop` if the run is meant to end there.',
  ],
  MOCK_MCP_PORT: ['The port of the mock tool server cannot be used.', 'Choose another with `--port`.'],
  MODULE_FAILED: [
    'The module of an agent threw an error while loading.',
    'It must load without errors: try `node` on it.',
  ],
  MODULE_NOT_FOUND: [
    'The file of a module agent does not exist.',
    'Check the path after `-n`; it is relative to the current folder.',
  ],
  MODULE_SYNTAX: [
    'The module of an agent does not compile.',
    'Fix the place that the message names; relative imports must name files that exist.',
  ],
  NOTHING_CHANGED: ['The two sides of a diff are the same.', 'To see how much results vary by chance, use `--runs`.'],
  NOTHING_CHECKED: [
    'Nothing was asserted or judged, so there is nothing to report.',
    'Call `test_assert` or `test_evaluate` first.',
  ],
  NOTHING_RAN: ['No case was run, so there is nothing to conclude.', '`viva test -i … --dry-run` lists the cases.'],
  NOTHING_RUN: [
    'The run to resume was cut off before its first case.',
    'Start it again, with `--force` to replace the file.',
  ],
  NOTHING_TO_IMPORT: [
    'Nothing in the file could be made into a case.',
    '`viva import --help` lists what can be imported.',
  ],
  NOT_A_CALL: [
    'An MCP server is tested, and a case asks it something instead of calling a tool.',
    'Write `"call": {"tool": …, "arguments": {…}}`; for tasks in words give a model with `-c` and say which tool it should choose with `expect_tool`.',
  ],
  NOT_A_CASE_FILE: [
    'The file has no list of cases.',
    'A module must export a list of cases as its default; other files are JSONL, JSON, YAML or CSV.',
  ],
  NOT_A_FILE: ['The path is not a file.', 'Give a case file, or a folder or glob of them.'],
  NOT_A_HELPER: ['That kind of agent cannot judge or simulate.', 'Use an agent that can be called, or a model.'],
  NOT_A_PROVIDER: [
    'The package of a connector exports no provider of language models under that name.',
    'Set `export` to one of the names in the message.',
  ],
  NOT_A_SHARD: ['A file is not the event file of a shard.', 'Give the files that `viva test --shard i/n` wrote.'],
  NOT_A_RUN_FILE: ['The file is not an event file.', 'Give the `.jsonl` file that `viva test` wrote.'],
  NOT_FILES: [
    'With several inputs, each must be a case file, a folder or a glob.',
    'Give the other kind of input alone, or write the case into a file.',
  ],
  NOT_INSTALLED: ['A package that a fleet needs is not installed.', '`npm install bullmq ioredis`.'],
  NOT_ON_THIS_SYSTEM: [
    'This cannot run on this operating system.',
    'Use WSL, or reach the agent as a module or by its URL.',
  ],
  NOT_PORTABLE: [
    'Workers would not find what the run needs.',
    'Keep it inside the application root, and start the run there.',
  ],
  NOT_RESULTS: ['A file holds no results.', 'Give the `.jsonl` file that `viva test` wrote, or a JSON report.'],
  NOT_SCRIPTED: [
    'The run is scripted, and a hat names a backend of its own, which would be started.',
    'Remove it, set it to `mock`, or allow it by name.',
  ],
  NOT_WITH_QUEUE: ['This option does not work with a fleet.', 'Leave the option out, or run without `--queue`.'],
  NO_AGENT: [
    'No agent to test.',
    'Name one with `-n`: `./agent.ts#run`, a URL, `exec:COMMAND`, `openai:MODEL`, or the id of a package.',
  ],
  NO_APP: [
    'The folder of the application does not exist.',
    'Give the folder that matches the one `viva test` is started in.',
  ],
  NO_ASSERTIONS: [
    'There are no assertions, so nothing would be checked.',
    'Give at least one, e.g. `{"type": "contains", "value": "hello"}`.',
  ],
  NO_BACKEND: [
    'No backend is named, and real ones are never called by default.',
    'Name it with `-b`, or script its answers with `--mock`.',
  ],
  NO_CASE: ['The run or the history has no case with that id.', 'The message lists the ids.'],
  NO_CASES: ['The source has no cases.', 'A case is e.g. `{"id": "T001", "input": "hello"}`.'],
  NO_CASE_FILE: [
    'This command needs a case file.',
    'Give one with `-i`; generated cases can be written with `--dry-run -o`.',
  ],
  NO_CASE_FILES: ['The folder has no case files.', 'They end in `.jsonl`, `.json`, `.yaml`, `.yml` or `.csv`.'],
  NO_CASSETTE: ['There is no recording under that path.', 'Give the file or folder that `--record` wrote.'],
  NO_COMMAND: ['The custom backend names no command.', 'Set `cli.command`.'],
  NO_CONFIG: ['The configuration of an orchestrator cannot be read.', 'Give a file such as `viva.yml`.'],
  NO_COUNT: ['The number of shards is missing.', 'For example `viva shard-plan run.jsonl --shards 4 -o plan.json`.'],
  NO_EVENTS_FILE: [
    '`viva emit` was called outside an orchestrator run.',
    'Only agents started by `viva run` can use it.',
  ],
  NO_EVENT_FILE: [
    'No run was found under that name or path.',
    'Give the `.jsonl` file that `viva test` wrote, or `latest`.',
  ],
  NO_FAILED_CASES: [
    'No case failed last time, so `--last-failed` selects none.',
    'Leave it out to run all cases; renamed cases count as new.',
  ],
  NO_FAULT: ['No fault was injected, so the run says nothing about faults.', 'Raise the rate, or use another seed.'],
  NO_FOLDER: ['A folder does not exist.', 'Check the path in the message.'],
  NO_HELPER_CONNECTOR: [
    'A judge, simulator or generator has no model.',
    'Set `helpers.connector` in `viva.config`, or give `--judge` or `--simulator`.',
  ],
  NO_HOST: ['It is not clear which host a key would be sent to.', 'Set `host` in the options of the connector.'],
  NO_INPUT: [
    '`-i` is missing: there is nothing to run.',
    'Give a case file (`-i tests/inputs.jsonl`) or a message (`-i "hello"`).',
  ],
  NO_JUDGE: ['There is no judge.', 'Name one: `--judge`, `judge_backend`, or scripted responses.'],
  NO_MATCHING_CASE: [
    'No case matches the filters.',
    'Check `--run`, `--tag` and the ids: `--dry-run` lists the cases.',
  ],
  NO_MERGE_BASE: [
    'The two revisions have no commit in common.',
    'Compare them as they are, with two dots instead of three.',
  ],
  NO_MOCK_RESPONSES: [
    'The mock connector has nothing to answer with.',
    'Write `mock.yml` beside the package, or name another connector.',
  ],
  NO_MODEL: ['This backend has no choice of model.', 'Use one of the backends in the message.'],
  NO_OTEL_TARGET: [
    '`--otel` does not say where the spans go.',
    'Give a collector or a file: `--otel http://localhost:4318`.',
  ],
  NO_OUTPUT: ['The command needs a file or folder to write to.', 'Give it with `-o`.'],
  NO_PASSTHROUGH: [
    'The recording does not say which backend was recorded, so calls cannot be passed through.',
    'Name the backend, or replay without passing through.',
  ],
  NO_PAST_RUN: ['No earlier run of this input with this agent is known.', 'Run it once without `--last-failed`.'],
  NO_PRESET: ['There is no preset of that name.', 'A preset is a file in `presets/`.'],
  NO_PROJECT: ['The MCP server has no project folder.', 'Start it with `--project DIR`.'],
  NO_QUEUE: ['`--queue` is missing.', 'For example `--queue redis://localhost:6379`.'],
  NO_QUEUE_KEY: [
    'A fleet needs a shared key, and none is set.',
    'Set `VIVA_QUEUE_KEY` to the same random text for `viva test` and every worker.',
  ],
  NO_REPOSITORY: ['The folder is not in a git repository.', 'Run `viva diff` inside one.'],
  NO_RESOURCE: ['There is no MCP resource with that URI.', '`resources/list` lists them.'],
  NO_RESULT: ['The case has no result: the run was stopped.', 'Run it again.'],
  NO_RUN: ['The project has no such run.', 'Run `viva test`, or give a file, a run id or `latest`.'],
  NO_RUN_GROUP: [
    'A shard does not say which run it is part of.',
    'Run the shards with `--run-group NAME`; CI systems set it.',
  ],
  NO_SCRIPT: ['A script cannot run here.', 'Scripts run in case files and script tests.'],
  NO_SESSION: ['There is no session of an orchestrator.', 'Run the orchestrator first: it records `session.jsonl`.'],
  NO_SHARDS: ['There is nothing to merge.', 'Give the event files of all shards.'],
  NO_STDIN: ['`-i -` reads standard input, but there is none.', 'Pass it to the run, or name a case file.'],
  NO_TAGS: ['Script tests have no tags.', 'Select them by name, with `--run`.'],
  NO_TARGET: [
    'There is nothing to judge at that target.',
    'Targets are `scratchpad`, `session`, `output` and `file:PATH`.',
  ],
  NO_TASK: ['`viva run` was given no task.', '`viva run "what to do"`, or set `prompt` in the configuration.'],
  NO_TERMINAL: [
    'The command asks questions and needs a terminal.',
    'Run it in a terminal, or use the flags that answer for you.',
  ],
  NO_TESTS: ['The script has no test functions.', 'A test is a top-level function whose name begins with `Test`.'],
  NO_TOOLS: ['No tools are named to serve.', 'Give the file that defines them.'],
  NO_VARIANTS: ['Script tests have no variants.', 'Run them once for each, or with one `--variant NAME`.'],
  NO_WORKER: ['No worker takes this run.', 'Start one, fix what differs, or send the files along with `--bundle`.'],
  NO_WORKING_DIR: ['The working directory no longer exists.', 'Change to a folder that does.'],
  ONE_VARIANT: [
    'A diff compares two revisions of one agent, and several are given.',
    'Pick one with `--variant NAME` or `-n`.',
  ],
  OPTION_CHANGED: [
    'A run cannot be resumed with a different value of an option that affects verdicts.',
    'Leave the flag out, or start a new run.',
  ],
  OTHER_AGENT: ['The recording is of another agent.', 'Give the agent that was recorded, or record this one.'],
  OTHER_MODEL: [
    'The agent is itself a model, so no other model can be set.',
    'Leave the flag out, or name that model with `-n`.',
  ],
  OTHER_VARIANT: [
    'The recording has no answers of this variant.',
    'Record it, or add what is missing with `--record-new`.',
  ],
  OUTPUT_EXISTS: ['The file exists and would be overwritten.', 'Give another name with `-o`, or `--force`.'],
  OUTPUT_LOCKED: ['Another run is writing to that file.', 'Wait for it, or give another name with `-o`.'],
  OUTPUT_NOT_READABLE: [
    'Events are written to a pipe or device, and something has to read them back.',
    'Name a regular file first: `-o events.jsonl -o PATH`.',
  ],
  OUTPUT_TAKEN: ['That file has another use in this run.', 'Name another file.'],
  OUTSIDE_PROJECT: ['The path is outside the project.', 'Give one inside it.'],
  PACKAGE_NOT_FOUND: ['A package is not installed in the application.', '`npm install` it there.'],
  PROXY_PORT: ['The port of the proxy cannot be used.', 'Choose another with `--port`.'],
  QUEUE_LOST: ['The connection to Redis broke during the run.', 'Results so far are kept: continue with `--resume`.'],
  QUEUE_UNREACHABLE: ['Redis cannot be reached.', 'Check the address, the network and the password.'],
  QUEUE_UNSUITABLE: [
    'This Redis is too old, or set up so that it could lose work.',
    'Use Redis 6.2 or later, or Valkey, with the setting that the message names.',
  ],
  RECORDING_INTERRUPTED: [
    'The file holds what an interrupted run has recorded.',
    'Resume that run, or remove the file and record again.',
  ],
  REPLAY_MISMATCH: [
    'A request is not the one that was recorded.',
    'See what changed; if that is intended, record again with `--record-new`.',
  ],
  RUN_NOT_ENDED: [
    'The last run in the workspace has not ended properly.',
    'Wait for it if it is still running; otherwise run it again.',
  ],
  RUN_REFUSED: ['The workers refused the run.', 'The message says what differs between them and this machine.'],
  RUN_TAKEN_OVER: ['Another `viva test --resume` took the run over.', 'The results are in its event file.'],
  SAME_ON_BOTH_SIDES: [
    'A diff would test the same agent on both sides.',
    'Name an agent whose files are in the repository.',
  ],
  SCRIPT_NOT_FOUND: ['No script matches that reference.', 'The message lists where Viva looked.'],
  SCRIPT_REFERENCE: [
    'The script reference is malformed.',
    'Write `scripts.AGENT.MODULE`, `scripts.AGENT.*` or `scripts.*`.',
  ],
  SCRIPT_UNNAMED: ['`scripts:` names no script.', 'For example `-i "scripts:tests.generator.cases?count=10"`.'],
  SECRET_IN_QUEUE: ['A secret would travel through Redis.', 'Set a variable on the workers, and write `$ENV.NAME`.'],
  SESSION_CHANGED: [
    'The session of a run was changed by its own agents, so it does not show what happened.',
    'Run again, and keep agents from writing there.',
  ],
  SETUP_FAILED: [
    'The `--setup` command failed in one of the checkouts.',
    'It must work in a fresh checkout of both revisions.',
  ],
  SETUP_NEEDED: ['Packages cannot be shared by both sides of a diff.', 'Install them on each side with `--setup`.'],
  SEVERAL_AGENTS: [
    'The case files belong to different agents.',
    'Name the agent with `-n`, or run the files of each agent separately.',
  ],
  SEVERAL_HOSTS: [
    'One key would be sent to several hosts.',
    'Name the endpoints in the configuration, each with its key.',
  ],
  SEVERAL_VARIANTS: [
    'The run has several variants, and one is needed.',
    'Use the event file of a run with one variant.',
  ],
  SHALLOW_CLONE: [
    'The clone is shallow: the other revision may be missing.',
    '`git fetch --unshallow`; on GitHub Actions set `fetch-depth: 0`.',
  ],
  STOPPED: ['The run was stopped before the first case.', 'Start it again.'],
  SUBMODULE_COMMIT_MISSING: ['A submodule lacks the commit that a revision needs.', 'Fetch it: `git -C PATH fetch`.'],
  TOO_LARGE_TO_SEND: ['Something is too large to be sent to workers.', 'Make it smaller, or put it on the workers.'],
  TOO_MANY_CALLS: [
    'Too many tool calls run or wait at the same time.',
    'Wait until some have answered, then call again.',
  ],
  TOO_MANY_FILES: [
    'There are more files than can be looked at.',
    'Name a smaller folder with `--app`, or move what no case needs out of it.',
  ],
  TWO_RUNS: ['The file holds two runs.', 'Two files were joined: take them apart.'],
  TWO_KEYS: ['The URL has a password, and a key is set as well.', 'Give one of them.'],
  UNCLOSED_QUOTE: ['A command has an opening quote without a closing one.', 'Close it, or put a backslash before it.'],
  UNDECIDABLE: ['That few runs could never decide.', 'Raise `--max-runs`, or lower `--threshold`.'],
  UNKNOWN_ACTION: ['The command has no such action.', '`viva COMMAND --help` lists them.'],
  UNKNOWN_AGENT: ['There is no agent of that name.', 'The message lists where Viva looked and which agents exist.'],
  UNKNOWN_BACKEND: ['There is no backend of that name.', 'The message lists the backends.'],
  UNKNOWN_CONNECTOR: [
    'There is no connector of that name.',
    'Connectors are the files in `connectors/`; models are written `openai:MODEL`.',
  ],
  UNKNOWN_EXPORT: [
    'The module does not export what the target names, or exports something that cannot be called.',
    'Export a function: `export const run = (messages) => …`, and name it after `#`.',
  ],
  UNKNOWN_FORMAT: ['The file extension is unknown.', 'Use an extension from the message.'],
  UNKNOWN_FORMAT_VERSION: ['The file was written by a newer version of Viva.', 'Update Viva.'],
  UNKNOWN_HELPER: ['There is no built-in helper of that name.', 'The message lists them.'],
  UNKNOWN_PROMPT: ['There is no MCP prompt of that name.', 'The message lists them.'],
  UNKNOWN_REDACTION: [
    'There is no built-in redaction of that name.',
    'The message lists them; a pattern of your own has a value.',
  ],
  UNKNOWN_REPORTER: [
    'There is no reporter of that name.',
    'Use a built-in one from the message, or the id of an agent.',
  ],
  UNKNOWN_RESULT: ['The MCP server no longer keeps that answer.', 'Ids are in `answer.id`; old ones are dropped.'],
  UNKNOWN_REVISION: ['git does not know that revision.', 'Check the name of the branch, tag or commit.'],
  UNKNOWN_RUN: ['The workspace has no such run.', 'The message lists them.'],
  UNKNOWN_SCHEMA: ['There is no schema of that name.', '`viva schema --help` lists them.'],
  UNKNOWN_SHELL: ['There is no completion for that shell.', 'Use bash, zsh or fish.'],
  UNKNOWN_SNAPSHOT: ['The workspace has no snapshot of that name.', 'The message lists them.'],
  UNKNOWN_TARGET: [
    'The target after `-n` is not a kind of agent that Viva knows.',
    'Use a module (`./agent.ts#run`), a URL, `exec:COMMAND`, or one of the kinds in the message.',
  ],
  UNKNOWN_TOOL: ['There is no test tool of that name.', '`viva tool --help` lists them.'],
  UNKNOWN_VIEW: ['The history has no such view.', '`viva history --help` lists them.'],
  UNKNOWN_WORKSPACE: [
    'There is no workspace of that name.',
    'Call `test_setup` first; the message lists the workspaces.',
  ],
  UNSAFE_TEMPORARY_FOLDER: [
    'Checkouts in this temporary folder would pick up files of another project.',
    'Name another with `TMPDIR`.',
  ],
  UNUSED_MOCK_RESPONSES: [
    'Scripted responses are given, but nothing would use them.',
    'Use the backend `mock`, or leave them out.',
  ],
  VARIANT_CHANGED: ['A variant has changed since the run began.', 'Leave `-n` out, or start a new run.'],
  VARIANT_IGNORED: [
    'Part of a variant would have no effect.',
    'Leave it out of the variant, or out of what overrides it.',
  ],
  VIEWER_EXPOSED: ['The viewer would be reachable from other machines.', 'Leave the host out, or allow it explicitly.'],
  VIEWER_NOT_BUILT: [
    'The browser application of the report is missing.',
    'In a checkout run `npm run build`; otherwise reinstall the package.',
  ],
  VIEWER_PORT: ['The port of the viewer cannot be used.', 'Choose another with `--port`.'],
  WORKER_FAILED: ['A worker could not continue.', "See the worker's log."],
  WORKSPACE_BUSY: ['Something is running in the workspace.', 'Wait for it to end, or use another workspace.'],
  WORKSPACE_CHANGED: ['The folder of the workspace is gone or was replaced.', 'Create a workspace with another id.'],
  WORKSPACE_EXISTS: ['A workspace of that name exists.', 'Clean it up first, or use another name.'],
  WORKSPACE_TOO_LARGE: [
    'The workspace has more or larger files than can be handled.',
    'Let the agent work in a smaller folder.',
  ],
} as const satisfies Record<string, Page>

export type ErrorCode = keyof typeof ERROR_CODES
