// Presets of prompts that a model was sent.
import { isRecord } from '../../../base/record.js'
import type { SurfaceKind } from '../kind.js'

/** The prompts of a package that are no preset. */
export const OWN_PROMPTS = '(default)'

export const presets: SurfaceKind = {
  name: 'presets',
  title: 'Prompt presets',
  never: 'never sent to a model',
  places: ({ lists }) =>
    lists.presets?.map((name) =>
      name === OWN_PROMPTS
        ? { name, hint: 'the prompts of the package itself: every run chose a preset' }
        : {
            name,
            aim: {
              wanted:
                'The agent answers with this preset of its prompts. A case chooses one with "options": {"prompt_preset": "name"}.',
              about: { preset: name },
            },
          },
    ),
  *reached({ steps }, { lists }) {
    if (!lists.presets) return
    for (const { kind, detail } of steps) {
      if (kind !== 'model') continue
      const preset = isRecord(detail) ? detail['preset'] : undefined
      yield typeof preset === 'string' ? preset : OWN_PROMPTS
    }
  },
}
