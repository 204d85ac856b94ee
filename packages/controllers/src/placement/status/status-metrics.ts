import { families, placementConditionType, type Placement, type PlacementFamily } from '@flotilla/api';
import type { HeldInformer } from '@flotilla/runtime';
import { observeChanges, StateTimes, type StateTimesDependencies } from '../../family/state-times.ts';
import { aspectOf, firstOpenAspect } from './rollout-progress.ts';

/** Says when each placement last changed, and in which state: the first condition that is not True. Call the result to stop. */
export function measurePlacements({ informers, metrics, clock }: StateTimesDependencies): HeldInformer['release'] {
  const times = metrics.gauge({
    name: 'fleet_workload_placement_status_last_timestamp_seconds',
    help: 'Timestamp in seconds of the last current placement status condition of the placement.',
    labels: ['namespace', 'name', 'generation', 'conditionType', 'status', 'reason'],
  });
  const states = new StateTimes(times, clock);
  const stops = families.map((family) =>
    observeChanges(informers, [family.placement], (kind, now, old) => {
      const placement = now ?? old;
      if (placement === undefined) return;
      const { namespace = '', name = '' } = placement.metadata;
      states.set(kind, placement, now && [namespace, name, ...stateOf(family, now as Readonly<Placement>)]);
    }),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Generation, type of the condition, its status and its reason. */
function stateOf(family: PlacementFamily, placement: Readonly<Placement>): readonly string[] {
  const { metadata, status } = placement;
  const generation = metadata.generation ?? 0;
  const open = firstOpenAspect(family, placement, status);
  if (open === undefined) return [String(generation), 'Completed', 'True', 'Completed'];
  const condition = aspectOf(family, status, open);
  const isCurrent = condition !== undefined && (condition.observedGeneration ?? 0) === generation;
  const [is, reason] = isCurrent ? [condition.status, condition.reason] : ['nil', 'nil'];
  return [String(generation), placementConditionType(family.placement, open), is, reason];
}
