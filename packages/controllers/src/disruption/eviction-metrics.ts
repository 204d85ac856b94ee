import { clusterResourcePlacementEvictions, evictionConditions, type Eviction } from '@flotilla/api';
import type { HeldInformer } from '@flotilla/runtime';
import { observeChanges, StateTimes, type StateTimesDependencies } from '../family/state-times.ts';
import { endOf } from './decide.ts';

/**
 * Says when each eviction was decided, and whether it was valid. KubeFleet has a series for one that is not decided only if an attempt
 * failed; here each has it until it is decided. Call the result to stop.
 */
export function measureEvictions({ informers, metrics, clock }: StateTimesDependencies): HeldInformer['release'] {
  const times = metrics.gauge({
    name: 'fleet_workload_eviction_complete',
    help: 'Timestamp in seconds of the last change of the completion of an eviction.',
    labels: ['name', 'isCompleted', 'isValid'],
  });
  const states = new StateTimes(times, clock);
  return observeChanges(informers, [clusterResourcePlacementEvictions], (kind, now, old) => {
    const eviction = now ?? old;
    if (eviction === undefined) return;
    const { name = '' } = eviction.metadata;
    states.set(kind, eviction, now && [name, ...completionOf(now as Readonly<Eviction>)]);
  });
}

function completionOf(eviction: Readonly<Eviction>): readonly [isCompleted: string, isValid: string] {
  const end = endOf(eviction);
  if (end === undefined) return ['false', 'unknown'];
  return ['true', String(end.type === evictionConditions.executed)];
}
