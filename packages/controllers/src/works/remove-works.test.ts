import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Work } from '@flotilla/api';
import type { ObjectMeta } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { removeWorks } from './remove-works.ts';
import { aBinding, aState, aWork, earlier } from './works.testing.ts';
import type { WorksState } from './works-state.ts';

const cleanUp = 'kubernetes-fleet.io/work-cleanup';
const propagation = 'kubernetes-fleet.io/delete-propagation';

for (const family of families) {
  describe(`a deleted ${family.binding.kind}`, () => {
    const deleting = { deletionTimestamp: earlier };
    const binding = aBinding(family, {}, deleting);

    function writesOf(changes: Partial<WorksState>): readonly Write[] {
      return removeWorks(aState(family, { binding, ...changes })).steps.flat();
    }

    test('deletes its Works, and keeps its finalizer until they are gone', () => {
      const { namespace } = binding.metadata;
      const key = { namespace: 'fleet-member-sea', name: aWork(family).metadata.name ?? '' };
      assert.deepEqual(
        writesOf({ works: [aWork(family)] }).map(({ kind, ...write }) => ({ ...write, kind: kind.kind })),
        [{ verb: 'delete', kind: 'Work', key, uid: 'w1' }],
      );
      assert.deepEqual(writesOf({ works: [aWork(family, { ...deleting, finalizers: [cleanUp] })] }), []);
      const patch = { metadata: { resourceVersion: '7', finalizers: [] } };
      const own = { namespace, name: 'web-sea-1234' };
      assert.deepEqual(writesOf({ works: [] }), [{ verb: 'patch', kind: family.binding, key: own, patch }]);
      assert.deepEqual(writesOf({ works: [], binding: aBinding(family, {}, { ...deleting, finalizers: ['x'] }) }), []);
    });

    test('takes the finalizer from Works of a member that is gone', () => {
      const works = [aWork(family, { ...deleting, finalizers: ['x', cleanUp] })];
      const [write] = writesOf({ cluster: undefined, works });
      assert.ok(write?.verb === 'patch');
      assert.deepEqual(write.patch, { metadata: { resourceVersion: '9', finalizers: ['x'] } });
    });

    describe('that abandons its resources', () => {
      const abandoning = aBinding(family, {}, { ...deleting, annotations: { [propagation]: 'Abandon' } });
      const marked: ObjectMeta = { annotations: { [propagation]: 'Abandon' } };

      function change(agent: 'ours' | 'theirs', metadata: ObjectMeta): unknown {
        const work: Work = aWork(family, { finalizers: [cleanUp], ...metadata });
        const [write] = writesOf({ binding: abandoning, hasOurAgent: agent === 'ours', works: [work] });
        if (write === undefined || write.verb !== 'patch') return write && { ...write, kind: undefined };
        return write.patch['metadata'];
      }

      const key = { namespace: 'fleet-member-sea', name: aWork(family).metadata.name ?? '' };
      const deletion = { verb: 'delete', kind: undefined, key, uid: 'w1', resourceVersion: '9' };
      const annotations = marked.annotations;

      test('says so to an agent of ours before it deletes a Work', () => {
        assert.deepEqual(change('ours', {}), { resourceVersion: '9', annotations });
        assert.deepEqual(change('ours', marked), deletion);
        assert.equal(change('ours', { ...marked, ...deleting }), undefined);
      });

      test('takes the finalizer from other agents, and deletes only the version without it', () => {
        assert.deepEqual(change('theirs', {}), { resourceVersion: '9', annotations, finalizers: [] });
        assert.deepEqual(change('theirs', marked), { resourceVersion: '9', annotations, finalizers: [] });
        assert.deepEqual(change('theirs', { ...marked, finalizers: [] }), deletion);
      });
    });
  });
}
