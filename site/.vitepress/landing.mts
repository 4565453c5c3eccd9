// What the landing page says above the contents, as VitePress' home layout reads it.
export const LANDING = {
  layout: 'home',
  sidebar: false,
  hero: {
    name: 'Viva',
    text: 'The oral exam for AI agents',
    tagline:
      'You write test cases. Viva talks to the agent, judges what it said and did, and gives verdicts you can trust in CI.',
    actions: [
      { theme: 'brand', text: 'Install', link: '/start/install' },
      { theme: 'alt', text: 'Five minutes with a function', link: '/start/function' },
    ],
  },
  features: [
    {
      title: 'Any agent',
      details: 'A function, a program, a URL, an SDK, a package, a bare model. One flag names it.',
      link: '/write/agents',
    },
    {
      title: 'What it did, not only what it said',
      details:
        'Assertions on answers, tool calls and their arguments, files, cost and latency; judges and simulated users.',
      link: '/write/assertions',
    },
    {
      title: 'Honest about chance',
      details: 'Repeat cases, get intervals instead of lucky passes, and tell a regression from noise.',
      link: '/trust/repetition',
    },
    {
      title: 'Free reruns',
      details: 'Record once; replay without key, network or cost. Only what changed is asked again.',
      link: '/trust/recordings',
    },
    {
      title: 'Made for CI',
      details: 'Exit codes you can rely on, JUnit, annotations, sharding, budgets, a verdict on every pull request.',
      link: '/scale/ci',
    },
    {
      title: 'Nothing leaves your machine',
      details:
        'Viva talks to the agents and models you name and to nobody else. Secrets are redacted in all it writes.',
      link: '/trust/reliability',
    },
  ],
}
