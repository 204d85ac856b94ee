import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { families, latestLabel } from '@flotilla/api';
import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { Cache, Controller } from '@flotilla/runtime';
import { defaultTimeouts } from '@flotilla/scheduler';
import { ManualClock } from '@flotilla/testkit';
import { StartedRollouts } from '../family/started-rollouts.ts';
import { aBinding, started as said } from '../rollout/rollout.testing.ts';
import { schedulingControllers } from './controller.ts';

for (const family of families) {
  describe(`while thousands of rollouts are in flight, a ${family.placement.kind}`, () => {
    const key = family.scope === 'Namespaced' ? { namespace: 'west', name: 'web' } : { name: 'web' };
    let controller: Controller;
    let placement: KubeObject | undefined;
    let snapshots: readonly KubeObject[];
    let bindings: readonly KubeObject[];

    /** Whether the scheduler would decide about it now. */
    const isDecided = (): boolean => {
      const found = new Map([
        [family.policySnapshot.kind, snapshots],
        [family.binding.kind, bindings],
      ]);
      const cache = {
        get: ({ kind }) => (kind === family.placement.kind ? placement : undefined),
        list: () => [],
        indexed: ({ kind }) => found.get(kind) ?? [],
        count: () => 0,
      } as Partial<Cache> as Cache;
      return controller.observe(key, cache) !== undefined;
    };
    const anObject = (kind: Kind, metadata: ObjectMeta, spec = {}): KubeObject => ({
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata,
      spec,
    });

    beforeEach(() => {
      const clock = new ManualClock();
      const started = new StartedRollouts(clock);
      const condition = { ...said, observedGeneration: 3 };
      const others = Array.from({ length: 2_000 }, (_, index) => aBinding(family, `other-${index}`));
      started.announce({ steps: [], started: others.map((binding) => ({ binding, spec: {}, condition })) });
      [controller] = schedulingControllers({
        settings: { timeouts: defaultTimeouts, plugins: [] },
        clock,
        observer: { began: () => {}, ended: () => {} },
        families: [family],
        rollout: { isClusterScoped: () => true, started },
        readsOcmDecisions: false,
      }) as [Controller];
      placement = anObject(family.placement, key);
      snapshots = [anObject(family.policySnapshot, { name: 'web-0', labels: { [latestLabel]: 'true' } })];
      bindings = [];
    });

    test('waits for its first clusters', () => {
      assert.equal(isDecided(), false);
    });

    test('does not wait if it has clusters, or if its rollout is left to update runs', () => {
      bindings = [aBinding(family, 'web-a')];
      assert.equal(isDecided(), true);
      bindings = [];
      placement = anObject(family.placement, key, { strategy: { type: 'External' } });
      assert.equal(isDecided(), true);
    });

    test('does not wait for its deletion, nor for a policy snapshot', () => {
      placement = anObject(family.placement, { ...key, deletionTimestamp: '2026-01-01T00:00:00Z' });
      assert.equal(isDecided(), true);
      placement = undefined;
      assert.equal(isDecided(), true);
      placement = anObject(family.placement, key);
      snapshots = [];
      assert.equal(isDecided(), true);
    });
  });
}
