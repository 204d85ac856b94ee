/** Runs written with the states of older versions of KubeFleet. The schema refuses these words, so they are replaced before it is applied. */
import { families, type PlacementFamily } from '@flotilla/api';
import { olderStates, stateNow } from '@flotilla/controllers';
import { isJsonObject, quote } from '@flotilla/kube';
import type { FleetCheck } from './fleet-check.ts';

const hasOlderState = `has(object.spec) && has(object.spec.state) && object.spec.state in [${olderStates.map(quote).join(', ')}]`;

function updateRunDefaults({ updateRun: kind }: PlacementFamily): FleetCheck {
  return {
    webhook: `fleet.${kind.kind.toLowerCase()}.mutating`,
    phase: 'default',
    isGuard: false,
    kinds: [{ kind, subresources: [''], operations: ['CREATE', 'UPDATE'] }],
    condition: hasOlderState,
    decide: ({ object }) => {
      const spec = object?.['spec'];
      const state = isJsonObject(spec) ? stateNow(spec['state']) : undefined;
      return isJsonObject(spec) && state !== undefined ? { change: { spec: { ...spec, state } } } : undefined;
    },
  };
}

export const updateRunAdmission: readonly FleetCheck[] = families.map(updateRunDefaults);
