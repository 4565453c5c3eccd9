// Configurations of the kinds that promptfoo documents, each with what becomes of its cases when every prompt is its own
// answer: p passes, f fails, s is skipped because something was not carried over, e is an error (a judge that is not there, a
// pattern that cannot be read); y and n pass and fail where there is Python, and are errors where there is none.
import type { Files } from '../support/run-cli.js'

export interface Suite {
  verdicts: string
  files: Files & { 'promptfooconfig.yaml': string }
}

/** `yaml` with a prompt and a provider where it says nothing of them. */
function suite(verdicts: string, yaml: string, files: Files = {}): Suite {
  const prompts = /^prompts:/m.test(yaml) ? '' : 'prompts: ["Say: {{text}}"]\n'
  const providers = /^(?:providers|targets):/m.test(yaml) ? '' : 'providers: [openai:gpt-4o-mini]\n'
  return {
    verdicts,
    files: { ...files, 'promptfooconfig.yaml': `${prompts}${providers}${yaml}` },
  }
}

export const SUITES: Record<string, Suite> = {
  variables: suite(
    'pf',
    `tests:
  - {vars: {text: Hello}, assert: [{type: contains, value: Hello}]}
  - {vars: {text: Bye}, assert: [{type: contains, value: Hello}]}`,
  ),
  'variables in assertions': suite(
    'pf',
    `tests:
  - {vars: {text: Hello, want: Hell}, assert: [{type: contains, value: '{{want}}'}]}
  - {vars: {text: Hello, want: x}, assert: [{type: contains, value: '{{want}}y'}]}`,
  ),
  'letters that are composed in another way': suite(
    'pffpfp',
    `tests:
  - {vars: {text: caf\u00e9}, assert: [{type: contains, value: caf\u00e9}]}
  - {vars: {text: cafe\u0301}, assert: [{type: contains, value: caf\u00e9}]}
  - {vars: {text: cafe\u0301}, assert: [{type: contains-any, value: [x, caf\u00e9]}]}
  - {vars: {text: cafe\u0301}, assert: [{type: not-contains, value: caf\u00e9}]}
  - {vars: {text: CAFE\u0301}, assert: [{type: icontains-all, value: [caf, caf\u00e9]}]}
  - {vars: {text: CAF\u00c9}, assert: [{type: icontains, value: caf\u00e9}]}`,
  ),
  'a matrix of values': suite(
    'ppff',
    `prompts: ['{{a}}-{{b}}']
tests:
  - vars: {a: [x, y], b: ['1', '2']}
    assert: [{type: contains, value: x}]`,
  ),
  'lists that are not texts stay lists': suite(
    'p',
    `prompts: ['{% for n in numbers %}{{ n }};{% endfor %}']
tests:
  - vars: {numbers: [1, 2]}
    assert: [{type: equals, value: '1;2;'}]`,
  ),
  'default test': suite(
    'pff',
    `defaultTest:
  vars: {text: Hello}
  assert: [{type: icontains, value: SAY}, {type: not-contains, value: error}]
tests:
  - {}
  - {vars: {text: error}}
  - {assert: [{type: contains, value: nope}]}`,
  ),
  'default test in a file, assertions switched off': suite(
    'fp',
    `defaultTest: file://default.yaml
tests:
  - {vars: {text: a}}
  - {vars: {text: a}, options: {disableDefaultAsserts: true}, assert: [{type: contains, value: a}]}`,
    { 'default.yaml': 'assert:\n  - {type: contains, value: nope}\n' },
  ),
  scenarios: suite(
    'ppff',
    `scenarios:
  - config:
      - {vars: {text: Hello}}
      - {vars: {text: Bye}}
    tests:
      - {assert: [{type: contains, value: 'Say'}, {type: contains, value: Hello}]}
      - {vars: {extra: 1}, assert: [{type: regex, value: 'Hello$'}]}`,
  ),
  'prompts in files': suite(
    'p',
    `prompts: [file://prompts/one.txt, 'prompts/two.json', file://three.md]
tests:
  - {vars: {text: Hello}, assert: [{type: contains, value: Hello}]}`,
    {
      'prompts/one.txt': 'First {{text}}\n---\nSecond {{text}}',
      'prompts/two.json': '[{"role": "system", "content": "Be {{mood}}"}, {"role": "user", "content": "{{text}}"}]',
      'three.md': '# Do\n{{text}}',
    },
  ),
  'a conversation in YAML': suite(
    'p',
    `prompts: [file://chat.yaml]
tests:
  - {vars: {text: Hello}, assert: [{type: equals, value: Hello}]}`,
    { 'chat.yaml': '- role: system\n  content: Be short\n- role: user\n  content: "{{text}}"\n' },
  ),
  'a conversation that templates make': suite(
    'p',
    `prompts: [file://chat.json]
tests:
  - {vars: {items: [{q: One}, {q: Two}]}, assert: [{type: equals, value: Two}]}`,
    {
      'chat.json':
        '[{% for item in items %}{"role": "user", "content": {{ item.q | dump }} }{{ "" if loop.last else "," }}{% endfor %}]',
    },
  ),
  'tests in a table': suite('pfppys', `tests: file://tests.csv`, {
    'tests.csv':
      'text,__expected,__expected2,__description\n' +
      'Hello,contains: Hello,,first\n' +
      'Hello,equals: Hello,,\n' +
      '"a, b","contains-any: ""a, b"", c",starts-with: Say,\n' +
      'x,javascript: output.length > 2,"not-icontains-all: x,q",\n' +
      'x,python: len(output) > 2,,\n' +
      'x,similar(0.8): Say x,,\n',
  }),
  'tests in JSONL, JSON and YAML': suite('pppp', `tests: [file://a.jsonl, file://b.json, 'c/*.yaml']`, {
    'a.jsonl': [
      { vars: { text: 'one' }, assert: [{ type: 'contains', value: 'one' }] },
      { vars: { text: 'two' }, assert: [{ type: 'contains', value: 'two' }] },
    ],
    'b.json': [{ vars: { text: 'three' }, assert: [{ type: 'contains', value: 'three' }] }],
    'c/d.yaml': '- {vars: {text: four}, assert: [{type: contains, value: four}]}\n',
  }),
  'variables in files': suite(
    'p',
    `tests:
  - {vars: {text: file://text.txt}, assert: [{type: contains, value: from a file}]}`,
    { 'text.txt': 'from a file\n' },
  ),
  'variables in files that are not there': suite(
    'sspp',
    `tests:
  - {vars: file://nope.yaml, assert: [{type: contains, value: Say}]}
  - {vars: {text: 'file://nope/*.txt'}, assert: [{type: contains, value: Say}]}
  - {vars: {text: 'file://texts/*.txt'}, assert: [{type: contains, value: one}]}`,
    { 'texts/a.txt': 'one', 'texts/b.txt': 'one more' },
  ),
  javascript: suite(
    'ppfpfs',
    `tests:
  - {vars: {text: Hello}, assert: [{type: javascript, value: output.length > 5}]}
  - vars: {text: Hello}
    assert:
      - type: javascript
        value: |
          const words = output.split(' ')
          return { pass: words.length === 2, score: 0.5, reason: 'words' }
  - {vars: {text: Hello}, assert: [{type: javascript, value: 'output.length / 100', threshold: 0.5}]}
  - {vars: {text: Hello}, assert: [{type: javascript, value: "context.vars.text === 'Hello'"}]}
  - {vars: {text: Hello}, assert: [{type: not-javascript, value: 'output.length > 1'}]}
  - {vars: {text: Hello}, assert: [{type: javascript, value: 'context.logProbs[0] > -1'}]}`,
  ),
  'javascript in files': suite(
    'pfps',
    `tests:
  - {vars: {text: Hello}, assert: [{type: javascript, value: file://check.js}]}
  - {vars: {text: Bye}, assert: [{type: javascript, value: file://check.js}]}
  - {vars: {text: Hello}, assert: [{type: javascript, value: 'file://more.mjs:long'}]}
  - {vars: {text: Hello}, assert: [{type: javascript, value: file://needs.js}]}`,
    {
      'check.js': "module.exports = (output, context) => output.includes('Hello') && context.vars.text === 'Hello'\n",
      'more.mjs': 'export function long(output) { return { pass: output.length > 5, score: 1, reason: "long" } }\n',
      'needs.js': "const x = require('./other')\nmodule.exports = () => x()\n",
    },
  ),
  python: suite(
    'ynynysey',
    `tests:
  - {vars: {text: a}, assert: [{type: python, value: 'len(output) > 1'}]}
  - {vars: {text: a}, assert: [{type: not-python, value: 'len(output) > 1'}]}
  - vars: {text: a}
    assert:
      - type: python
        value: |
          print('noise {"found": true}')
          if context['vars']['text'] == 'a':
            return {'pass_': True, 'score': 0.6, 'reason': 'so'}
          return False
  - {vars: {text: a}, assert: [{type: python, value: "{'pass': True, 'score': 0.4, 'reason': ''}", threshold: 0.5}]}
  - {vars: {text: a}, assert: [{type: python, value: file://check.py}, {type: python, value: 'file://check.py:other'}]}
  - {vars: {text: a}, assert: [{type: python, value: "context.get('prompt') is None"}]}
  - {vars: {text: a}, assert: [{type: not-python, value: '1 / 0'}]}
  - {vars: {text: é}, assert: [{type: python, value: "output == 'Say: é'"}]}`,
    {
      'check.py':
        "import json\ndef get_assert(output, context):\n    return output == 'Say: a'\ndef other(output, context):\n    return 0.5\n",
    },
  ),
  'programs in files of their own are listed': suite(
    'ssss',
    `tests:
  - {vars: {text: a}, assert: [{type: ruby, value: 'true'}]}
  - {vars: {text: a}, assert: [{type: python, value: file://needs.py}]}
  - {vars: {text: a}, assert: [{type: python, value: file://../../outside.py}]}
  - {vars: {text: a}, assert: [{type: javascript, value: file://check.py}]}`,
    { 'needs.py': 'from helpers import good\nget_assert = good\n', 'helpers.py': 'good = 1\n', 'check.py': '' },
  ),
  judges: suite(
    '',
    `tests:
  - {vars: {text: a}, assert: [{type: llm-rubric, value: 'is about {{text}}'}]}
  - {vars: {text: a}, assert: [{type: model-graded-closedqa, value: is short, provider: openai:gpt-4o}]}
  - {vars: {text: a}, assert: [{type: factuality, value: the sky is blue}]}
  - {vars: {text: a}, assert: [{type: g-eval, value: [clear, short], threshold: 0.6}]}`,
  ),
  'judges that are not carried over': suite(
    'sss',
    `tests:
  - {vars: {text: a}, assert: [{type: similar, value: b}, {type: contains, value: a}]}
  - {vars: {text: a}, assert: [{type: answer-relevance, threshold: 0.5}]}
  - {vars: {text: a}, assert: [{type: select-best, value: shortest}]}`,
  ),
  transforms: suite(
    'pfs',
    `tests:
  - vars: {text: '{"a": 1}'}
    options: {transform: "output.replace('Say: ', '')"}
    assert: [{type: is-json}, {type: equals, value: {a: 1}}]
  - {vars: {text: a}, assert: [{type: equals, value: SAY, transform: output.toUpperCase()}]}
  - {vars: {text: a}, assert: [{type: contains, value: a, transform: file://t.js}]}`,
  ),
  'weights and thresholds': suite(
    'pfpsfpfpes',
    `tests:
  - {vars: {text: a}, threshold: 0.5, assert: [{type: contains, value: a}, {type: contains, value: b}]}
  - {vars: {text: a}, threshold: 0.6, assert: [{type: contains, value: a}, {type: contains, value: b}]}
  - {vars: {text: a}, threshold: 0.6, assert: [{type: contains, value: a, weight: 3}, {type: contains, value: b}]}
  - {vars: {text: a}, threshold: 0, assert: [{type: contains, value: b}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: '0.4'}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: '0.4'}, {type: contains, value: a}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: '0.4', weight: 9}, {type: contains, value: a}]}
  - {vars: {text: a}, threshold: 0.7, assert: [{type: contains, value: a}, {type: assert-set, assert: [{type: contains, value: a}, {type: contains, value: b}]}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: output.length}, {type: contains, value: b}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: '0.4'}, {type: llm-rubric, value: nice}]}`,
  ),
  sets: suite(
    'ppffspf',
    `tests:
  - vars: {text: a}
    assert: [{type: assert-set, threshold: 0.5, assert: [{type: contains, value: a}, {type: contains, value: b}]}]
  - vars: {text: a b}
    assert: [{type: assert-set, threshold: 0.6, assert: [{type: contains, value: a}, {type: contains, value: b}, {type: contains, value: c}]}]
  - vars: {text: a}
    assert: [{type: assert-set, threshold: 0.6, assert: [{type: contains, value: Q}, {type: contains, value: b}, {type: contains, value: Say}]}]
  - {vars: {text: a}, assert: [{type: assert-set, assert: [{type: contains, value: a}, {type: contains, value: b}]}]}
  - {vars: {text: a}, assert: [{type: assert-set, assert: [{type: contains, value: a}, {type: is-sql}]}]}
  - {vars: {text: a}, assert: [{type: assert-set, threshold: 0.4, assert: [{type: javascript, value: '0.8'}, {type: contains, value: b}]}]}
  - {vars: {text: a}, assert: [{type: assert-set, threshold: 0.5, assert: [{type: javascript, value: '0.8'}, {type: contains, value: b}]}]}`,
  ),
  negation: suite(
    'pfpfpf',
    `tests:
  - {vars: {text: a}, assert: [{type: not-contains, value: b}]}
  - {vars: {text: b}, assert: [{type: not-contains, value: b}]}
  - {vars: {text: a}, assert: [{type: not-contains-any, value: [x, q]}]}
  - {vars: {text: x}, assert: [{type: not-contains-any, value: 'x, y'}]}
  - {vars: {text: a}, assert: [{type: not-is-json}, {type: not-regex, value: '^a'}]}
  - {vars: {text: a}, assert: [{type: not-equals, value: 'Say: a'}]}`,
  ),
  'all and any': suite(
    'pfpf',
    `tests:
  - {vars: {text: a b}, assert: [{type: contains-all, value: [a, b]}, {type: icontains-any, value: [X, A]}]}
  - {vars: {text: a}, assert: [{type: contains-all, value: [a, b]}]}
  - {vars: {text: a}, assert: [{type: not-contains-all, value: [a, b]}]}
  - {vars: {text: q}, assert: [{type: icontains-any, value: [X, Z]}]}`,
  ),
  'json and schemas': suite(
    'pfpfpfpp',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: '{"a": 1}'}, assert: [{type: is-json, value: {type: object, required: [a]}}]}
  - {vars: {text: 'so: {"a": 1}'}, assert: [{type: is-json}]}
  - {vars: {text: 'so: {"a": 1}'}, assert: [{type: contains-json, value: {required: [a]}}]}
  - {vars: {text: '{"b": 1}'}, assert: [{type: is-json, value: file://schema.json}]}
  - {vars: {text: '{"b": 1}'}, assert: [{type: not-is-json, value: "{required: [a]}"}]}
  - {vars: {text: 'so: {z}'}, assert: [{type: not-contains-json}]}
  - {vars: {text: 'so: [1]'}, assert: [{type: not-contains-json}]}
  - {vars: {text: '{"b": 1}'}, assert: [{type: not-contains-json, value: {required: [a]}}]}`,
    { 'schema.json': { type: 'object', required: ['a'] } },
  ),
  'json that only YAML reads, or that was cut off': suite(
    'ffffpfpffe',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: 'so: {a: 1}'}, assert: [{type: contains-json}]}
  - {vars: {text: '{"a": 1'}, assert: [{type: contains-json}]}
  - {vars: {text: '{"a": 1'}, assert: [{type: contains-json, value: {required: [a]}}]}
  - {vars: {text: "{a: 'x', // why\\n}"}, assert: [{type: contains-json, value: {required: [a]}}]}
  - {vars: {text: '{x: {"a": 1}}'}, assert: [{type: contains-json}]}
  - {vars: {text: '{"a": "}"}'}, assert: [{type: not-contains-json, value: {required: [a]}}]}
  - {vars: {text: 'so: {z'}, assert: [{type: not-contains-json, value: {required: [a]}}]}
  - {vars: {text: '{"a": "}"}'}, assert: [{type: not-contains-json}]}
  - {vars: {text: '{"b": 1} {a: 1}'}, assert: [{type: contains-json, value: {required: [a]}}]}
  - {vars: {text: '{&x a: 1}'}, assert: [{type: contains-json}]}`.replaceAll('\\\\n', '\\n'),
  ),
  'schemas are those of draft 7, with formats': suite(
    'pffppfps',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: '{"day": "2024-02-29"}'}, assert: [{type: is-json, value: {properties: {day: {format: date}}}}]}
  - {vars: {text: '{"day": "2024-02-30"}'}, assert: [{type: is-json, value: {properties: {day: {format: date}}}}]}
  - {vars: {text: '{"mail": "a@b"}'}, assert: [{type: is-json, value: {properties: {mail: {format: email}}}}]}
  - {vars: {text: '"Paris"'}, assert: [{type: is-json, value: {type: string, maxLength: 5}}]}
  - {vars: {text: '{"b": 1} then {"a": 1}'}, assert: [{type: contains-json, value: {required: [a]}}]}
  - {vars: {text: '{"b": 1} then {"a": 1}'}, assert: [{type: not-contains-json, value: {required: [a]}}]}
  - {vars: {text: '{"a": 1}'}, threshold: 0.5, assert: [{type: javascript, value: '0.2'}, {type: is-json, value: {required: [a]}, transform: output}]}
  - {vars: {text: '{"a": 1}'}, assert: [{type: is-json, value: {properties: {a: {format: uri}}}}]}`,
  ),
  'what promptfoo refuses is not green': suite(
    'sssssfeess',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: 'true'}, assert: [{type: contains, value: true}]}
  - {vars: {text: '42'}, assert: [{type: starts-with, value: 4}]}
  - {vars: {text: '42'}, assert: [{type: regex, value: 42}]}
  - {vars: {text: '42'}, assert: [{type: levenshtein, value: 42}]}
  - {vars: {text: a b c}, assert: [{type: not-word-count, value: {min: 5, max: 2}}]}
  - {vars: {text: a}, threshold: 0.8, assert: [{type: contains, value: a, weight: 0.7}, {type: contains, value: a, weight: 0.1}, {type: contains, value: b, weight: 0.2}]}
  - {vars: {text: a}, assert: [{type: javascript, value: '({pass: true})'}]}
  - {vars: {text: a}, assert: [{type: not-gleu, value: b, transform: "''"}]}
  - {vars: {text: '{"a": 1}'}, assert: [{type: not-is-json, value: {type: object, nosuch: 1}}]}
  - {vars: {text: '{"a": 1}'}, assert: [{type: not-is-json, value: {$schema: 'https://json-schema.org/draft/2020-12/schema'}}]}`,
  ),
  'what shows nothing': suite(
    'eeffss',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: a}, assert: [{type: not-javascript, value: NaN}]}
  - {vars: {text: a}, threshold: 0.5, assert: [{type: javascript, value: output.length + 4}, {type: contains, value: b}]}
  - {vars: {text: a}, assert: [{type: javascript, value: "({pass: false, score: 0, reason: ''})"}]}
  - {vars: {text: '{a'}, assert: [{type: contains-json}]}
  - {vars: {text: a}, threshold: 0, assert: [{type: contains, value: b}]}
  - {vars: {text: a}, assert: [{type: assert-set, threshold: 0, assert: [{type: contains, value: b}]}]}`,
  ),
  patterns: suite(
    'pfpee',
    `tests:
  - {vars: {text: a1}, assert: [{type: regex, value: '[a-z]\\d'}, {type: regex, value: '(?<=Say: )a'}]}
  - {vars: {text: A1}, assert: [{type: regex, value: '[a-z]\\d'}]}
  - {vars: {text: 'a.b(c)'}, assert: [{type: starts-with, value: 'Say: a.b('}]}
  - {vars: {text: A}, assert: [{type: regex, value: '(?i)say'}]}
  - {vars: {text: A}, assert: [{type: not-regex, value: '['}]}`,
  ),
  numbers: suite(
    'pfpfp',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: one two}, assert: [{type: word-count, value: 2}]}
  - {vars: {text: one two}, assert: [{type: word-count, value: {min: 3}}]}
  - {vars: {text: kitten}, assert: [{type: levenshtein, value: sitting, threshold: 3}]}
  - {vars: {text: kitten}, assert: [{type: levenshtein, value: sitting, threshold: 2}]}
  - {vars: {text: a}, assert: [{type: latency, threshold: 60000}, {type: finish-reason, value: STOP}]}`,
  ),
  xml: suite(
    'pppfffffffpppfpfpfp',
    `prompts: ['{{text}}']
tests:
  - {vars: {text: '<?xml version="1.0"?><!-- c --><a x="1"><b>&lt;é</b><c/></a>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a><b/></a>'}, assert: [{type: is-xml, value: a.b}]}
  - {vars: {text: '<a><![CDATA[<]]></a>'}, assert: [{type: is-xml, value: {requiredElements: [a]}}]}
  - {vars: {text: '<a><b></a></b>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a>'}, assert: [{type: is-xml}]}
  - {vars: {text: 'so: <a/>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a/><b/>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a x=1/>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a>&nbsp;</a>'}, assert: [{type: is-xml}]}
  - {vars: {text: '<a><b/></a>'}, assert: [{type: is-xml, value: 'a.b, a.c'}]}
  - {vars: {text: 'the cat sat on the mat'}, assert: [{type: bleu, value: the cat sat on a mat, threshold: 0.5}, {type: gleu, value: [nothing, the cat sat on the mat.]}, {type: not-gleu, value: nothing}]}
  - {vars: {text: a}, assert: [{type: not-is-xml}]}
  - {vars: {text: ' <a>'}, assert: [{type: not-is-xml}]}
  - {vars: {text: '<a/>'}, assert: [{type: not-is-xml}]}
  - {vars: {text: '<a/>'}, assert: [{type: not-is-xml, value: a.b}]}
  - {vars: {text: '<a/>'}, assert: [{type: is-xml, value: 'a.0.b'}]}
  - {vars: {text: '<a><b/><b><c/></b></a>'}, assert: [{type: is-xml, value: 'a.b.1.c'}]}
  - {vars: {text: '<a><b><c/></b><b><c/></b></a>'}, assert: [{type: is-xml, value: 'a.b.c'}]}
  - {vars: {text: '<a><x:b/></a>'}, assert: [{type: not-is-xml}]}`,
  ),
  'parsers are listed': suite(
    'ssss',
    `tests:
  - {vars: {text: a}, assert: [{type: is-html}]}
  - {vars: {text: a}, assert: [{type: is-refusal}]}
  - {vars: {text: a}, assert: [{type: no-such-thing, value: x}]}
  - {vars: {text: a}, assert: [just a text]}`,
  ),
  templates: suite(
    'ppps',
    `prompts: ['{% if loud %}{{ text | upper }}{% else %}{{ text }}{% endif %}{# never seen #}']
tests:
  - {vars: {text: hello, loud: true}, assert: [{type: equals, value: HELLO}]}
  - {vars: {text: hello}, assert: [{type: equals, value: hello}]}
  - {vars: {text: hello, other: '{{ text }}!'}, assert: [{type: equals, value: "{{ other | replace('!', '') }}"}]}
  - {vars: {text: hello}, assert: [{type: equals, value: '{{ text | nosuch }}'}]}`,
  ),
  'variables with names that are taken': suite(
    'pfs',
    `prompts: ['{{text}} {{import}} {{rendered}}']
tests:
  - {vars: {text: a, import: b, rendered: c}, assert: [{type: equals, value: a b c}]}
  - {vars: {text: a, import: b, rendered: c}, assert: [{type: not-contains, value: b}]}
  - {vars: {text: a, import: b}, assert: [{type: not-javascript, value: "context.vars.import === 'b'"}]}`,
  ),
  'prefix and suffix': suite(
    'p',
    `tests:
  - {vars: {text: a}, options: {prefix: '<', suffix: '>'}, assert: [{type: equals, value: '<Say: a>'}]}`,
  ),
  'providers and parameters': suite(
    'p',
    `providers:
  - openai:chat:gpt-4o
  - {id: anthropic:messages:claude-sonnet-4-5, label: Claude, config: {temperature: 0, max_tokens: 100, apiKey: sk-ant-secret-1234567890}}
  - google:gemini-2.5-flash
  - openrouter:meta-llama/llama-3.1-8b-instruct
  - ollama:chat:llama3
  - exec:python run.py
  - file://provider.js
tests:
  - {vars: {text: a}, assert: [{type: contains, value: a}]}`,
  ),
  'what is said of single tests': suite(
    'sss',
    `tests:
  - {vars: {text: a}, provider: openai:gpt-4, assert: [{type: contains, value: a}]}
  - {vars: {text: a}, options: {storeOutputAs: x}, assert: [{type: contains, value: a}]}
  - {vars: {text: a}, assertScoringFunction: file://score.js, assert: [{type: contains, value: a}]}`,
  ),
  'programs that make tests, prompts and variables': suite(
    'ss',
    `tests:
  - file://make_tests.py:create
  - {vars: {text: file://var.js}, assert: [{type: contains, value: a}]}`,
    { 'make_tests.py': 'import os\nos.abort()\n', 'var.js': 'process.exit(7)\n' },
  ),
  'paths that lead out': suite(
    'sss',
    `tests:
  - {vars: {text: file://../../../../../../../../etc/passwd}, assert: [{type: contains, value: root}]}
  - {vars: {text: a}, assert: [{type: is-json, value: file:///etc/hostname}]}
  - {vars: {text: a}, assert: [{type: javascript, value: file://../outside.js}]}`,
  ),
  'YAML anchors': suite(
    'pp',
    `shared: &shared [{type: contains, value: Say}]
tests:
  - {vars: {text: a}, assert: *shared}
  - {vars: {text: b}, assert: *shared}`,
  ),
  'weight 0 decides nothing': suite(
    'p',
    `tests:
  - {vars: {text: a}, assert: [{type: contains, value: nope, weight: 0}, {type: contains, value: a}]}`,
  ),
  'no tests at all': suite('p', `prompts: [Say hello]`),
  'one of two prompts is lost': suite(
    'psps',
    `prompts: ['yes {{text}}', 'no {{text | urlencode}}']
providers: [echo]
tests:
  - {vars: {text: a}, assert: [{type: contains, value: yes}]}
  - {vars: {text: b}, assert: [{type: contains, value: yes}]}`,
  ),
  'a prompt in a file that is not there': suite(
    'ps',
    `prompts: ['{{text}}', file://nope.txt]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a prompt with a config of its own': suite(
    'ps',
    `prompts: ['{{text}}', {raw: 'b {{text}}', label: b, config: {temperature: 2}}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'one of two providers is lost': suite(
    'p',
    `providers: [echo, file://mine.py]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a provider with settings that have no counterpart': suite(
    'p',
    `providers: [{id: openai:gpt-4o, config: {temperature: 0, instructions: Say no}}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a provider at an address from the environment': suite(
    'p',
    `providers: [{id: openai:gpt-4o, config: {apiBaseUrl: '{{env.BASE}}'}}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'two providers in one entry': suite(
    'p',
    `providers: [{'openai:gpt-4o': {label: a}, 'openai:gpt-4': {label: b}}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a provider that runs with one of the prompts': suite(
    'fp',
    `prompts: [{label: 'g:one', raw: 'one {{text}}'}, {label: 'h:two', raw: 'two {{text}}'}]
providers: [{id: echo, prompts: ['h']}]
tests:
  - {vars: {text: a}, assert: [{type: contains, value: one}]}
  - {vars: {text: a}, assert: [{type: contains, value: two}]}`,
  ),
  'a provider that names a prompt that is not there': suite(
    's',
    `prompts: [{label: one, raw: '{{text}}'}]
providers: [{id: echo, prompts: [one, tow]}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a table of prompts without a header line': suite(
    'p',
    `prompts: [file://prompts.csv]
tests: [{vars: {text: a}, assert: [{type: contains, value: first a}]}]`,
    { 'prompts.csv': 'first {{text}}\nsecond {{text}}\n' },
  ),
  'a table of prompts that does not say which': suite(
    's',
    `prompts: [file://prompts.csv]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
    { 'prompts.csv': 'text,lang\na {{text}},en\n' },
  ),
  'a glob and a name with a space are files of prompts': suite(
    'f',
    `prompts: ['prompts/*', my prompt.txt]
tests: [{vars: {text: a}, assert: [{type: contains, value: prompt}]}]`,
    { 'prompts/a.txt': 'no {{text}}', 'my prompt.txt': 'none {{text}}' },
  ),
  'a folder of prompts is lost': suite(
    's',
    `prompts: [prompts]
tests: [{vars: {text: a}, assert: [{type: contains, value: prompts}]}]`,
    { 'prompts/a.txt': 'no {{text}}' },
  ),
  'options of the run that are not an object': suite(
    's',
    `evaluateOptions: [{repeat: 3}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'an agent of an SDK is not a model': suite(
    'p',
    `providers: ['anthropic:claude-agent-sdk']
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'keys that are misspelt or unknown': suite(
    'sssssssssp',
    `tests:
  - {vars: {text: a}, asserts: [{type: contains, value: nope}]}
  - {vars: {text: a}, asert: [{type: contains, value: nope}], assert: [{type: contains, value: a}]}
  - {var: {text: a}, assert: [{type: contains, value: Say}]}
  - {vars: {text: a}, assert: [{type: levenshtein, value: 'Say: abc', treshold: 1}]}
  - {vars: {text: a}, assert: [{type: contains, value: a, unless: b}]}
  - {vars: {text: a}, assert: [{type: assert-set, asserts: [{type: contains, value: nope}], assert: [{type: contains, value: a}]}]}
  - {vars: {text: a}, options: {transfrom: "''"}, assert: [{type: contains, value: a}]}
  - {vars: {text: a}, options: {temperature: 2}, assert: [{type: contains, value: a}]}
  - {vars: {$ref: '#/shared'}, assert: [{type: contains, value: Say}]}
  - {id: t, description: d, vars: {text: a}, assert: [{type: contains, value: a, reason: why not}]}`,
  ),
  'a misspelt key of the file': suite(
    's',
    `defaultTests: {assert: [{type: contains, value: nope}]}
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'a misspelt key of defaults and scenarios': suite(
    'ss',
    `defaultTest: {asserts: [{type: contains, value: nope}]}
scenarios: [{config: [{vars: {text: a}}, {vars: {text: b}}], tests: [{assert: [{type: contains, value: Say}]}]}]`,
  ),
  'scenarios that say less or more than they should': suite(
    'pss',
    `scenarios:
  - {config: [{vars: {text: a}, assert: [{type: contains, value: a}]}], tests: null}
  - {config: [{vars: {text: a}}], assert: [{type: contains, value: nope}], tests: [{assert: [{type: contains, value: a}]}]}
  - {confg: [{vars: {text: a}}], tests: [{assert: [{type: contains, value: nope}]}]}`,
  ),
  'defaults that are not an object': suite(
    's',
    `defaultTest: [{type: contains, value: nope}]
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'weights and thresholds that are not numbers': suite(
    'sss',
    `tests:
  - {vars: {text: a}, assert: [{type: contains, value: a, weight: '0'}]}
  - {vars: {text: a}, assert: [{type: assert-set, threshold: '1', assert: [{type: contains, value: a}]}]}
  - {vars: {text: a}, assert: [{type: assert-set, config: {x: 1}, assert: [{type: contains, value: a}]}]}`,
  ),
  'variables that are templates': suite(
    'pssppp',
    `tests:
  - {vars: {text: '{{ a }}!', a: b}, assert: [{type: contains, value: 'b!'}]}
  - {vars: {text: '{{ a | urlencode }}', a: b}, assert: [{type: contains, value: urlencode}]}
  - {vars: {text: '{{ env.HOME }}'}, assert: [{type: contains, value: env}]}
  - {vars: {text: '{% if a %}yes{% endif %}', a: b}, assert: [{type: equals, value: 'Say: yes'}]}
  - {vars: {text: '{{ never closed'}, assert: [{type: contains, value: never}]}
  - {vars: {text: '{{ nothing }}'}, assert: [{type: contains, value: nothing}]}`,
  ),
  'the environment in an assertion': suite(
    's',
    `tests: [{vars: {text: b}, assert: [{type: contains, value: '{{env.NAME}}b'}]}]`,
  ),
  'metadata is not a variable': suite(
    'f',
    `prompts: ['{{ text }}{{ more }}']
tests: [{vars: {text: a}, metadata: {more: b}, assert: [{type: contains, value: b}]}]`,
  ),
  'settings of the run that change verdicts': suite(
    's',
    `commandLineOptions: {promptSuffix: x}
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'settings of the file that change verdicts': suite(
    's',
    `extensions: ['file://hooks.js:all']
env: {OPENAI_BASE_URL: 'http://127.0.0.1:1'}
tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]`,
  ),
  'files of tests with more beside them': suite('s', `tests: [{path: file://t.csv, assertions: x}]`, {
    't.csv': 'text,__expected\na,contains: a\n',
  }),
}
