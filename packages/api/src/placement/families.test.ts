import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind, KubeObject } from '@flotilla/kube';
import { hubDefinitions } from '../definitions.ts';
import type { Binding, BindingState } from './binding.ts';
import { families, type PlacementFamily } from './families.ts';
import { overrideFamilies, type OverrideFamily, type OverrideSnapshot } from './overrides/override.ts';
import type { Placement } from './placement.ts';

const definitions = await hubDefinitions();

describe('a family', () => {
  const kindsOf = (family: PlacementFamily | OverrideFamily): Kind[] =>
    Object.values(family).filter((value): value is Kind<Placement> => typeof value === 'object');

  for (const family of [...families, ...overrideFamilies]) {
    test(`of scope ${family.scope} has kinds of this scope, which a hub serves and stores in their version`, () => {
      for (const kind of kindsOf(family)) {
        const { spec } = definitions.find(({ metadata }) => metadata.name === `${kind.plural}.${kind.group}`) ?? {};
        assert.equal(spec?.scope, family.scope);
        assert.equal(spec?.names.kind, kind.kind);
        assert.equal(spec?.versions.find(({ storage }) => storage)?.name, kind.version);
      }
    });
  }

  test('shares no kind with the other', () => {
    const names = [...families, ...overrideFamilies].flatMap(kindsOf).map(({ plural }) => plural);
    assert.equal(new Set(names).size, names.length);
    assert.equal(names.length, 18);
  });
});

/** The type checker runs these tests; they are executed only so that no code is unused. */
describe('the types of a family', () => {
  const binding: Binding = {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterResourceBinding',
    metadata: { name: 'app-oslo' },
    spec: {
      state: 'Scheduled',
      resourceSnapshotName: '',
      schedulingPolicySnapshotName: 'app-0',
      targetCluster: 'oslo',
      clusterDecision: { clusterName: 'oslo', selected: true, reason: 'fits' },
    },
  };

  test('let a controller change one field of an object', () => {
    const bound: Binding = { ...binding, spec: { ...binding.spec, state: 'Bound', resourceSnapshotName: 'app-1' } };
    assert.equal(bound.spec.state, 'Bound');
  });

  test('know the values of a state', () => {
    const words: Record<BindingState, number> = { Scheduled: 0, Bound: 1, Unscheduled: 2 };
    assert.equal(words[binding.spec.state], 0);
    // @ts-expect-error -- not in the enum
    assert.notEqual(binding.spec.state, 'Held' satisfies BindingState);
  });

  test('know which fields are required', () => {
    const placement: Placement = {
      ...binding,
      spec: { resourceSelectors: [], revisionHistoryLimit: 10, statusReportingScope: 'ClusterScopeOnly' },
    };
    const limit: number = placement.spec.revisionHistoryLimit;
    // @ts-expect-error -- a policy is optional
    assert.throws(() => placement.spec.policy.placementType);
    assert.equal(limit, 10);
    assert.equal(placement.spec.strategy?.rollingUpdate?.maxSurge, undefined);
  });

  test('are compatible with KubeObject', () => {
    const object: KubeObject = binding;
    assert.equal(object.metadata.name, 'app-oslo');
  });

  test('allow a snapshot of either override', () => {
    const spec: OverrideSnapshot['spec'] = {
      overrideHash: '',
      overrideSpec: { resourceSelectors: [], policy: { overrideRules: [{ overrideType: 'Delete' }] } },
    };
    assert.equal(spec.overrideSpec.policy.overrideRules[0]?.overrideType, 'Delete');
  });
});
