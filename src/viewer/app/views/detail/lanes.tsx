// One lane per hat, one column per iteration: who played when, at a glance.
import type { ResultEvent } from '../../../../model/event.js'
import { visible } from '../../../../base/hidden.js'

type Iterations = NonNullable<ResultEvent['session']>['iterations']

const MOST_LANES = 12

export function Lanes({ iterations }: { iterations: Iterations }) {
  const hats = [...new Set(iterations.map(({ hat }) => hat))]
  // A single hat needs no lane to tell it from others.
  if (hats.length < 2) return null
  const sequence = iterations.map(({ hat }) => hat).join(', ')
  const width = 100 / iterations.length
  return (
    <div class="lanes" role="img" aria-label={visible(`Hats in order: ${sequence}`)}>
      {hats.slice(0, MOST_LANES).map((hat) => (
        <div class="lane" key={hat}>
          <bdi class="lane-hat">{visible(hat)}</bdi>
          <div class="lane-track">
            {iterations.map((iteration, index) =>
              iteration.hat === hat ? (
                <span
                  key={index}
                  class={iteration.error === undefined ? 'lane-bar' : 'lane-bar lane-error'}
                  style={{ left: `${index * width}%`, width: `${width}%` }}
                >
                  {iterations.length <= 16 ? iteration.n : ''}
                </span>
              ) : null,
            )}
          </div>
        </div>
      ))}
      {hats.length > MOST_LANES && <p class="muted">{hats.length - MOST_LANES} more hats</p>}
    </div>
  )
}
