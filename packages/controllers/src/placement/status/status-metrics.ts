import { families, placementConditionType, type Placement, type PlacementFamily } from '@flotilla/api';
import { keyText, type MetricsRegistry } from '@flotilla/kube';
import type { HeldInformer, InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { aspectOf, firstOpenAspect } from './rollout-progress.ts';

export interface StatusMetricsDependencies {
  readonly informers: InformerSet;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
}

/**
 * Says when each placement last changed, and in which state: the first condition that is not True. One series for each placement.
 * KubeFleet keeps one for each state that a placement ever had. Call the result to stop.
 */
export function measurePlacements({ informers, metrics, clock }: StatusMetricsDependencies): HeldInformer['release'] {
  const times = metrics.gauge({
    name: 'fleet_workload_placement_status_last_timestamp_seconds',
    help: 'Timestamp in seconds of the last current placement status condition of the placement.',
    labels: ['namespace', 'name', 'generation', 'conditionType', 'status', 'reason'],
  });
  const labelsOfPlacements = new Map<string, readonly string[]>();
  const stops = families.map((family) => {
    const { informer, release } = informers.hold(family.placement);
    const unsubscribe = informer.subscribe((now, old) => {
      const { namespace = '', name = '' } = (now ?? old)?.metadata ?? {};
      const key = `${family.placement.kind} ${keyText({ namespace, name })}`;
      const before = labelsOfPlacements.get(key);
      const labels = now && [namespace, name, ...stateOf(family, now as Readonly<Placement>)];
      if (before !== undefined && before.join() !== labels?.join()) times.without(...before);
      if (labels === undefined) labelsOfPlacements.delete(key);
      else {
        labelsOfPlacements.set(key, labels);
        times.with(...labels).set(clock.now() / 1000);
      }
    });
    return async () => {
      unsubscribe();
      await release();
    };
  });
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
