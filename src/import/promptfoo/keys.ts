// The keys of a configuration: which are read, which decide nothing, and which would change a verdict and are not carried over.

/** Of the file. */
export const CONFIG_KEYS = {
  read: [
    'prompts',
    'providers',
    'targets',
    'tests',
    'scenarios',
    'defaultTest',
    'evaluateOptions',
    'commandLineOptions',
    'env',
  ],
  idle: ['description', 'tags', 'metadata', 'outputPath', 'sharing', 'writeLatestResults', 'author'],
  /** They add nothing to what is asked or checked here; where a check or template needs one, that is lost by itself. */
  listed: ['derivedMetrics', 'redteam', 'tracing'],
  lost: ['extensions', 'nunjucksFilters'],
}

/** Of `evaluateOptions` and `commandLineOptions`. */
export const RUN_KEYS = {
  read: ['repeat', 'maxConcurrency', 'timeoutMs'],
  idle: [
    'cache',
    'delay',
    'description',
    'generateSuggestions',
    'interactiveProviders',
    'noShare',
    'output',
    'progressBar',
    'retryErrors',
    'share',
    'showProgressBar',
    'silent',
    'suggestionsCount',
    'table',
    'tableCellMaxLength',
    'tags',
    'verbose',
    'watch',
    'write',
  ],
  /** Which part of the tests run, and for how long. */
  listed: [
    'envPath',
    'filterErrorsOnly',
    'filterFailing',
    'filterFailingOnly',
    'filterFirstN',
    'filterMetadata',
    'filterPattern',
    'filterPrompts',
    'filterProviders',
    'filterRange',
    'filterSample',
    'filterSampleSeed',
    'filterTargets',
    'isRedteam',
    'maxEvalTimeMs',
  ],
  lost: [
    'assertions',
    'config',
    'extension',
    'grader',
    'modelOutputs',
    'promptPrefix',
    'promptSuffix',
    'prompts',
    'providers',
    'tests',
    'var',
    'vars',
  ],
}

/** What authors write beside a test or an assertion; promptfoo reads none of it. */
const REMARKS = ['author', 'id', 'label', 'name', 'reason', 'tags']

export const PROVIDER_KEYS = ['id', 'label', 'config', 'prompts', 'transform', 'delay', 'env']

/** Settings of a provider that change neither what is asked nor what is answered. */
export const IDLE_SETTINGS = [
  'apiKeyRequired',
  'maxRetries',
  'organization',
  'project',
  'service_tier',
  'store',
  'stream',
  'usage_tier',
  'user',
]

export const PROMPT_KEYS = ['id', 'raw', 'label', 'display', 'config', 'function']

export const SCENARIO_KEYS = ['config', 'tests']

/** Of a test; `lost` is the reader's own. */
export const TEST_KEYS = [
  ...REMARKS,
  'vars',
  'provider',
  'providers',
  'prompts',
  'providerOutput',
  'assert',
  'assertScoringFunction',
  'options',
  'threshold',
  'metadata',
  'lost',
]

/** Of `options` of a test; any other goes to the provider with the request. */
export const OPTION_KEYS = [
  'prefix',
  'suffix',
  'transform',
  'postprocess',
  'transformVars',
  'storeOutputAs',
  'provider',
  'rubricPrompt',
  'factuality',
  'disableVarExpansion',
  'disableConversationVar',
  'disableDefaultAsserts',
  'runSerially',
]

export const ASSERTION_KEYS = [
  ...REMARKS,
  'type',
  'value',
  'config',
  'threshold',
  'weight',
  'provider',
  'rubricPrompt',
  'metric',
  'transform',
  'contextTransform',
]

export const SET_KEYS = [...REMARKS, 'type', 'assert', 'weight', 'metric', 'threshold', 'config']
