import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Binding } from '@flotilla/api';
import { boundAtOnce } from './bound-at-once.ts';
import { aBinding, aPlacement, aState, now, pickN, started, strategyDefaults } from './rollout.testing.ts';

for (const family of families) {
  describe(`the first bindings of a ${family.placement.kind}`, () => {
    /** As the scheduler creates it. */
    const created = (name: string): Binding => {
      const { apiVersion, kind, metadata, spec } = aBinding(family, name, { state: 'Scheduled' });
      const { namespace, labels = {} } = metadata;
      const { applyStrategy: _none, ...rest } = spec;
      return {
        apiVersion,
        kind,
        metadata: { ...(namespace !== undefined && { namespace }), name, labels, finalizers: ['scheduler'] },
        spec: rest,
      };
    };

    test('are created with what the rollout gives them, and the works finalizer', () => {
      const state = aState(family, aPlacement(family, { policy: pickN(2) }), ['a', 'b'].map(created), {
        isWithWorks: true,
      });
      const { bindings, started: begun } = boundAtOnce(state, now);
      const [a] = state.bindings;
      assert.deepEqual(bindings[0], {
        ...a,
        metadata: { ...a?.metadata, finalizers: ['scheduler', 'kubernetes-fleet.io/work-cleanup'] },
        spec: { ...a?.spec, state: 'Bound', resourceSnapshotName: 'p-0-snapshot', applyStrategy: strategyDefaults },
      });
      assert.deepEqual(
        begun.map(({ binding, condition }) => [binding.metadata.name, condition]),
        ['a', 'b'].map((name) => [name, { ...started, observedGeneration: 1 }]),
      );
    });

    test('wait if there is nothing to roll out yet', () => {
      for (const resources of [undefined, 'unread'] as const) {
        const { bindings, started: begun } = boundAtOnce(
          aState(family, aPlacement(family), [created('a')], { isWithWorks: true, resources }),
          now,
        );
        assert.deepEqual([bindings[0]?.spec.state, begun], ['Scheduled', []]);
      }
    });
  });
}
