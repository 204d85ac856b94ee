import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { overrideFamilies, type Override, type OverrideFamily, type OverrideSnapshot } from '@flotilla/api';
import { apiVersionOf } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { decideSnapshots, type Revision } from './decide.ts';
import { overrideHash } from './override-hash.ts';

const finalizer = 'kubernetes-fleet.io/override-cleanup';

/** A spec for each color. */
function specOf({ scope }: OverrideFamily, color: string): Override['spec'] {
  const policy = { overrideRules: [{ overrideType: 'JSONPatch' as const, jsonPatchOverrides: [paint(color)] }] };
  const selector = { group: '', version: 'v1', kind: 'ConfigMap', name: 'web' };
  return scope === 'Namespaced'
    ? { policy, resourceSelectors: [selector] }
    : { policy, clusterResourceSelectors: [{ ...selector, selectionScope: 'NamespaceWithResources' }] };
}

function paint(value: string) {
  return { op: 'add' as const, path: '/data/color', value };
}

for (const family of overrideFamilies) {
  const namespace = family.scope === 'Namespaced' ? { namespace: 'app' } : {};

  function override(color: string, metadata: Partial<Override['metadata']> = {}): Override {
    return {
      apiVersion: apiVersionOf(family.override),
      kind: family.override.kind,
      metadata: { name: 'o', ...namespace, uid: 'u', resourceVersion: '5', finalizers: [finalizer], ...metadata },
      spec: specOf(family, color),
    };
  }

  function revision(index: number, color: string, isLatest: boolean, options: Partial<RevisionOptions> = {}): Revision {
    const { isNamed = false, labels = {}, owner = 'u' } = options;
    const ownerReferences = [{ apiVersion: '', kind: '', name: 'o', uid: owner, controller: true }];
    const spec = { overrideHash: overrideHash(specOf(family, color)), overrideSpec: specOf(family, color) };
    const snapshot = {
      apiVersion: apiVersionOf(family.snapshot),
      kind: family.snapshot.kind,
      metadata: {
        name: `o-${index}`,
        ...namespace,
        uid: `u${index}`,
        resourceVersion: '7',
        labels: { ...labelsAt(index, isLatest), ...labels },
        ownerReferences,
      },
      spec,
    } as OverrideSnapshot;
    return { snapshot, isNamed };
  }

  function decided(state: { override: Override; revisions?: Revision[]; isNamed?: (index: number) => boolean }): Plan {
    return decideSnapshots({ family, revisions: [], isNamed: () => false, ...state });
  }

  describe(`a ${family.override.kind}`, () => {
    test('gets a finalizer and its first snapshot', () => {
      const plan = decided({ override: override('red', { finalizers: ['other'] }) });
      assert.deepEqual(writesOf(plan), [['patch o'], [], ['create o-0'], []]);
      const [[claim], , [create]] = plan.steps as [[Write], [], [Write]];
      assert.deepEqual(claim.verb === 'patch' && claim.patch, {
        metadata: { resourceVersion: '5', finalizers: ['other', finalizer] },
      });
      assert.deepEqual(create.verb === 'create' && create.object, {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: family.snapshot.kind,
        metadata: {
          name: 'o-0',
          ...namespace,
          labels: labelsAt(0, true),
          ownerReferences: [
            {
              apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
              kind: family.override.kind,
              name: 'o',
              uid: 'u',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: { overrideHash: overrideHash(specOf(family, 'red')), overrideSpec: specOf(family, 'red') },
      });
    });

    test('that has not changed writes nothing, however many snapshots it has', () => {
      const revisions = Array.from({ length: 10 }, (_, index) => revision(index, `c${index}`, index === 9));
      assert.deepEqual(writesOf(decided({ override: override('c9'), revisions })).flat(), []);
    });

    test('that changes gets the next snapshot after the old one has lost its label', () => {
      const revisions = [revision(9, 'red', false), revision(10, 'blue', true)];
      const plan = decided({ override: override('red'), revisions });
      assert.deepEqual(writesOf(plan), [[], ['patch o-10'], ['create o-11'], []]);
      const [, [flip]] = plan.steps as [[], [Write]];
      assert.deepEqual(flip.verb === 'patch' && flip.patch, {
        metadata: { resourceVersion: '7', labels: labelsAt(10, false) },
      });
    });

    test('keeps the ten newest snapshots, and those that a binding names', () => {
      const revisions = Array.from({ length: 12 }, (_, index) =>
        revision(index, `c${index}`, index === 11, { isNamed: index === 1 }),
      );
      assert.deepEqual(writesOf(decided({ override: override('c11'), revisions })).flat(), ['delete o-0']);
      assert.deepEqual(writesOf(decided({ override: override('new'), revisions })).at(-1), [
        'delete o-0',
        'delete o-2',
      ]);
    });

    test('gets labels back that a user has changed', () => {
      const newest = revision(1, 'red', false, { labels: { 'kubernetes-fleet.io/override-index': 'x', more: 'kept' } });
      const plan = decided({ override: override('red'), revisions: [revision(0, 'blue', true), newest] });
      assert.deepEqual(writesOf(plan).flat(), ['patch o-0', 'patch o-1']);
    });

    test('gets no snapshot under a name that a binding already uses', () => {
      const plan = decided({ override: override('red'), isNamed: (index) => index < 2 });
      assert.deepEqual(writesOf(plan).flat(), ['create o-2']);
    });

    test('does not take the snapshots of a previous one of its name for its own', () => {
      const revisions = [revision(3, 'red', true, { owner: 'another' })];
      assert.deepEqual(writesOf(decided({ override: override('red'), revisions })).flat(), [
        'create o-4',
        'delete o-3',
      ]);
    });

    test('takes all snapshots with it when it is deleted', () => {
      const gone = override('red', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['other', finalizer] });
      const revisions = [revision(0, 'blue', false, { isNamed: true }), revision(1, 'red', true)];
      const plan = decided({ override: gone, revisions });
      assert.deepEqual(writesOf(plan), [['delete o-0', 'delete o-1'], ['patch o']]);
      const [, [release]] = plan.steps as [Write[], [Write]];
      assert.deepEqual(release.verb === 'patch' && release.patch, {
        metadata: { resourceVersion: '5', finalizers: ['other'] },
      });
      const released = { ...gone, metadata: { ...gone.metadata, finalizers: ['other'] } };
      assert.deepEqual(writesOf(decided({ override: released, revisions })).flat(), []);
    });
  });
}

interface RevisionOptions {
  readonly isNamed: boolean;
  readonly labels: Record<string, string>;
  readonly owner: string;
}

function labelsAt(index: number, isLatest: boolean): Record<string, string> {
  return {
    'kubernetes-fleet.io/parent-resource-override': 'o',
    'kubernetes-fleet.io/override-index': String(index),
    'kubernetes-fleet.io/is-latest-snapshot': String(isLatest),
  };
}

function writesOf({ steps }: Plan): string[][] {
  return steps.map((step) => step.map((write) => `${write.verb} ${nameOf(write)}`));
}

function nameOf(write: Write): string | undefined {
  return 'key' in write ? write.key.name : write.object.metadata.name;
}

test("the hash of an override is KubeFleet's", () => {
  const matchExpressions = [{ key: 'env', operator: 'Exists' }];
  const terms = [{ labelSelector: { matchExpressions, matchLabels: { b: '<', a: '1' } } }];
  const spec: Override['spec'] = {
    policy: {
      overrideRules: [
        {
          jsonPatchOverrides: [
            { value: { b: 1, a: [] }, path: '/x', op: 'add' },
            { op: 'remove', path: '/y' },
          ],
          clusterSelector: { clusterSelectorTerms: terms },
          overrideType: 'JSONPatch',
        },
        { overrideType: 'Delete', clusterSelector: { clusterSelectorTerms: [{ labelSelector: { matchLabels: {} } }] } },
      ],
    },
    resourceSelectors: [{ name: 'web', kind: 'ConfigMap', version: 'v1', group: '' }],
    placement: { scope: 'Namespaced', name: 'rp' },
  };
  const json = String.raw`{"placement":{"name":"rp","scope":"Namespaced"},"resourceSelectors":[{"group":"","version":"v1","kind":"ConfigMap","name":"web"}],"policy":{"overrideRules":[{"clusterSelector":{"clusterSelectorTerms":[{"labelSelector":{"matchLabels":{"a":"1","b":"\u003c"},"matchExpressions":[{"key":"env","operator":"Exists"}]}}]},"overrideType":"JSONPatch","jsonPatchOverrides":[{"op":"add","path":"/x","value":{"a":[],"b":1}},{"op":"remove","path":"/y","value":null}]},{"clusterSelector":{"clusterSelectorTerms":[{"labelSelector":{}}]},"overrideType":"Delete"}]}}`;
  const hex = createHash('sha256').update(json).digest('hex');
  assert.equal(Buffer.from(overrideHash(spec), 'base64').toString(), hex);
});
