// Around whoever runs the units of `viva test`: says on the result of a case if an agent that does nothing would pass it.
import type { Planned } from '../../model/plan.js'
import type { Prepared } from '../../run/prepare.js'
import type { Runner, Units } from '../../run/unit/run-unit.js'
import { openStages, type Stages } from '../stage.js'
import type { TrivialAgent } from './agents.js'
import { passedTrivially } from './vacuous.js'

/** The runner itself, where there is nothing to look for. */
export function watchingForVacuous(runner: Runner, prepared: Prepared): Runner {
  const { options, config, input, work } = prepared
  // One message has nothing to check; nor is there a case that someone could mend.
  if (work.mode !== 'agent' || input.kind === 'message') return runner
  const stages = openStages({ options, awaiting_tools: config.awaiting_tools })
  const [first] = work.tested
  return {
    begin: async (init) => watched(await runner.begin(init), stages, first?.variant),
    close: async () => {
      await stages.close()
      await runner.close()
    },
  }
}

function watched(units: Units, stages: Stages, firstVariant: string | undefined): Units {
  return {
    ...units,
    run: async (planned, onResult) => {
      // Asked for every variant, told of the first: whoever waited longer would be handed out after the others.
      const found = isFirstRun(planned) ? await vacuousFor(planned, stages) : undefined
      const vacuous = planned.unit.kind === 'case' && planned.unit.variant === firstVariant ? found : undefined
      await units.run(
        planned,
        vacuous === undefined ? onResult : (result) => onResult(Object.assign(result, { vacuous })),
      )
    },
  }
}

/** A case is the same in all its runs. */
function isFirstRun({ unit }: Planned): boolean {
  return unit.kind === 'case' && unit.run === 1
}

async function vacuousFor({ unit, checks }: Planned, stages: Stages): Promise<TrivialAgent['name'] | undefined> {
  if (unit.kind !== 'case' || unit.testCase.skip || unit.testCase.vacuous !== undefined) return undefined
  const [name] = await passedTrivially(stages.of(unit.testCase, checks), [], { enough: true })
  return name
}
