import assert, { fail } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Binding, type Condition } from '@flotilla/api';
import { leftToWorksMs, type StartingPlan } from '../family/started-rollouts.ts';
import { decideRollout } from './decide.ts';
import {
  aBinding,
  aCondition,
  aPlacement,
  aState,
  effectsOf,
  failed,
  now,
  pickN,
  ready,
  started,
  strategyDefaults,
} from './rollout.testing.ts';

const next = {
  resources: { latest: 'p-1-snapshot', overrides: { byCluster: 'none', unreferenced: new Set<string>() } },
} as const;
const untrackable = { reason: 'NotAllWorkAreAvailabilityTrackable' };

for (const family of families) {
  type Options = Parameters<typeof aBinding>[2];
  const binding = (name: string, options?: Options) => aBinding(family, name, options);
  const bindings = (names: string, options?: Options) => names.split(' ').map((name) => binding(name, options));
  const placement = (options?: Parameters<typeof aPlacement>[1]) => aPlacement(family, options);
  const leaving = { state: 'Unscheduled' } as const;

  function decided(
    existing: Binding[],
    options: Parameters<typeof aPlacement>[1] = {},
    changes: Parameters<typeof aState>[3] = {},
  ): StartingPlan {
    return decideRollout(aState(family, placement(options), existing, changes), now);
  }

  function effects(...scene: Parameters<typeof decided>): string[] {
    return effectsOf(decided(...scene));
  }

  describe(`a rollout of a ${family.placement.kind}`, () => {
    test('binds all chosen clusters at once for the first time', () => {
      assert.deepEqual(effects(bindings('a b c', { state: 'Scheduled' }), { policy: pickN(3) }), [
        'update a',
        'update b',
        'update c',
      ]);
    });

    test('says that it has started in the step after the change', () => {
      const { steps } = decided([binding('a', { state: 'Scheduled' }), binding('b', { applyStrategy: undefined })]);
      const names = steps.map((step) => step.map((write) => ('key' in write ? write.key.name : '')));
      assert.deepEqual(names, [
        ['a', 'b'],
        ['a', 'b'],
      ]);
    });

    test('leaves it to works to say that it has started, and comes back', () => {
      const scheduled = [binding('a', { state: 'Scheduled' })];
      const plan = decided(scheduled, {}, { isWithWorks: true });
      assert.deepEqual(effectsOf(plan), ['update a']);
      assert.deepEqual(plan.steps[1], []);
      const [{ binding: one, spec, condition } = fail()] = plan.started ?? [];
      assert.deepEqual([one, spec], [scheduled[0], { state: 'Bound', resourceSnapshotName: 'p-0-snapshot' }]);
      assert.deepEqual(condition, { ...started, observedGeneration: 3 });
      assert.equal(plan.requeueAfterMs, leftToWorksMs);
      const left = decided([binding('a', { conditions: [started] })], {}, { isWithWorks: true, leftForMs: 700 });
      assert.deepEqual([effectsOf(left), left.started, left.requeueAfterMs], [[], undefined, 700]);
    });

    test('says itself that it has to wait, also beside works', () => {
      const plan = decided(
        bindings('a b', { conditions: ready }),
        { policy: pickN(2) },
        { ...next, isWithWorks: true },
      );
      assert.deepEqual(effectsOf(plan), ['update a', 'hold b']);
      assert.equal(plan.started?.length, 1);
    });

    test('updates as many ready clusters as may be unavailable, in the order of names', () => {
      const policy = pickN(3);
      assert.deepEqual(effects(bindings('a b c', { conditions: ready }), { policy }, next), [
        'update a',
        'hold b',
        'hold c',
      ]);
      const busy = binding('a', { snapshot: 'p-1-snapshot', generation: 3, conditions: ready });
      const others = bindings('b c', { conditions: ready });
      assert.deepEqual(effects([busy, ...others], { policy }, next), ['start a', 'hold b', 'hold c']);
      const done = binding('a', { snapshot: 'p-1-snapshot', conditions: ready });
      assert.deepEqual(effects([done, ...others], { policy }, next), ['update b', 'hold c']);
    });

    test('moves from some clusters to others within both limits', () => {
      const options = { policy: pickN(2), rollingUpdate: { maxSurge: 2 } };
      const old = bindings('w1 w2', { ...leaving, conditions: ready });
      const fresh = bindings('e1 e2', { state: 'Scheduled' });
      assert.deepEqual(effects([...fresh, ...old], options), ['update e1', 'update e2', 'delete w1']);
      const bound = bindings('e1 e2', { conditions: [started] });
      const going = binding('w1', { ...leaving, conditions: ready, isDeleting: true });
      assert.deepEqual(effects([...bound, going, binding('w2', { ...leaving, conditions: ready })], options), []);
      const arrived = [binding('e1', { conditions: ready }), binding('e2', { conditions: [started] })];
      assert.deepEqual(effects([...arrived, binding('w2', { ...leaving, conditions: ready })], options), ['delete w2']);
    });

    test('does not bind more clusters than the surge allows', () => {
      const existing = [
        ...bindings('w1 w2', { ...leaving, conditions: ready }),
        ...bindings('e1 e2', { state: 'Scheduled' }),
      ];
      const options = { policy: pickN(2), rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      assert.deepEqual(effects(existing, options), ['update e1', 'hold e2']);
    });

    test('updates failed clusters at once, whatever the limits', () => {
      const existing = [...bindings('a b', { conditions: failed }), ...bindings('c d', { conditions: ready })];
      const options = { policy: pickN(4), rollingUpdate: { maxUnavailable: 1 } };
      assert.deepEqual(effects(existing, options, next), ['update a', 'update b', 'hold c', 'hold d']);
    });

    const conditions: [string, Condition, boolean][] = [
      ['is not available', aCondition('Available', 'False', { reason: 'NotAllWorkAreAvailable' }), true],
      ['failed to apply', aCondition('Applied', 'False', { reason: 'NotAllWorkHaveBeenApplied' }), true],
      ['failed to override', aCondition('Overridden', 'False', { reason: 'OverriddenFailed' }), true],
      ['failed to get its works', aCondition('WorkSynchronized', 'False', { reason: 'SyncWorkFailed' }), true],
      ['is applying', aCondition('Applied', 'False', { reason: 'ApplyInProgress' }), false],
      [
        'has not answered',
        aCondition('Applied', 'False', {
          reason: 'NotAllWorkHaveBeenApplied',
          message: 'Work object p-work has not yet completed the apply op',
        }),
        false,
      ],
      ['failed before its last change', aCondition('Applied', 'False', { generation: 1 }), false],
      ['could not report differences', aCondition('DiffReported', 'False'), false],
    ];
    for (const [what, condition, isFailed] of conditions) {
      test(`${isFailed ? 'updates' : 'waits for'} a cluster that ${what}`, () => {
        const existing = [
          binding('a', { conditions: [started, condition] }),
          ...bindings('b c', { conditions: ready }),
        ];
        const [first] = effects(existing, { policy: pickN(3) }, next);
        assert.equal(first, isFailed ? 'update a' : 'hold a');
      });
    }

    test('lets failed clusters take no part of the surge, nor those that report differences', () => {
      const existing = [
        binding('a', { ...leaving, conditions: failed }),
        binding('b', { ...leaving, conditions: [started, aCondition('DiffReported', 'False')] }),
        ...bindings('e1 e2', { state: 'Scheduled' }),
      ];
      const options = { policy: pickN(2), rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
      assert.deepEqual(effects(existing, options), ['delete a', 'update e1', 'update e2']);
    });

    test('counts a cluster that has reported differences as ready', () => {
      const reported = [started, aCondition('DiffReported', 'True')];
      const policy = pickN(3);
      assert.deepEqual(effects(bindings('a b c', { conditions: reported }), { policy }, next), [
        'update a',
        'hold b',
        'hold c',
      ]);
    });

    for (const reason of ['NotAllWorkAreAvailabilityTrackable', 'WorkNotTrackable']) {
      test(`waits for resources that cannot be tracked, for the reason ${reason}`, () => {
        const at = (agoMs: number) => [started, aCondition('Available', 'True', { reason, agoMs })];
        const scene = (agoMs: number) =>
          decided(
            bindings('a b c', { conditions: at(agoMs) }),
            { rollingUpdate: { unavailablePeriodSeconds: 10 } },
            next,
          );
        assert.deepEqual(effectsOf(scene(4000)), ['hold a', 'hold b', 'hold c']);
        assert.equal(scene(4000).requeueAfterMs, 6001);
        assert.equal(scene(-60_000).requeueAfterMs, 10_001);
        assert.deepEqual(effectsOf(scene(10_000)), ['hold a', 'hold b', 'hold c']);
        assert.deepEqual(effectsOf(scene(11_000)), ['update a', 'hold b', 'hold c']);
      });
    }

    test('sets no timer when it waits for nothing', () => {
      const conditions = [started, aCondition('Available', 'True', untrackable)];
      assert.equal(decided(bindings('a b', { conditions })).requeueAfterMs, undefined);
    });

    test('removes clusters that are not ready when none is wanted any more', () => {
      const existing = bindings('a b', { ...leaving, conditions: [started] });
      assert.deepEqual(effects(existing, { policy: pickN(0) }), ['delete a', 'delete b']);
      assert.deepEqual(effects(existing), ['delete a', 'delete b']);
    });

    test('removes clusters that are not ready when the others are enough', () => {
      const existing = [binding('a', { ...leaving, conditions: [started] }), binding('b', { conditions: ready })];
      assert.deepEqual(effects(existing, { policy: pickN(1), rollingUpdate: { maxUnavailable: 0 } }), ['delete a']);
      const lacking = [existing[0], binding('b', { conditions: [started] })] as Binding[];
      assert.deepEqual(effects(lacking, { policy: pickN(1), rollingUpdate: { maxUnavailable: 0 } }), []);
    });

    test('removes a cluster at once that is known to lack the resources', () => {
      const options = { policy: pickN(1), rollingUpdate: { maxUnavailable: 0 } };
      const effectsWith = (conditions: Condition[]) =>
        effects([binding('a', { ...leaving, conditions }), binding('b', { conditions: [started] })], options);
      assert.deepEqual(effectsWith(failed), ['delete a']);
      assert.deepEqual(effectsWith([aCondition('Applied', 'False', { reason: 'ApplyInProgress' })]), ['delete a']);
      assert.deepEqual(effectsWith([aCondition('Available', 'False', { generation: 1 })]), []);
    });

    test('removes a cluster at once that was withdrawn before it got anything', () => {
      const untouched = binding('a', { ...leaving, snapshot: '' });
      untouched.metadata.annotations = { 'kubernetes-fleet.io/previous-binding-state': 'Scheduled' };
      const existing = [untouched, binding('b', { state: 'Scheduled' })];
      const options = { policy: pickN(1), rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } };
      assert.deepEqual(effects(existing, options), ['delete a', 'update b']);
    });

    test('goes on if the policy wants more clusters than there are', () => {
      const existing = bindings('a b', { conditions: ready });
      assert.deepEqual(effects(existing, { policy: pickN(10) }, next), ['update a', 'hold b']);
      const clusterNames = ['a', 'b', 'x', 'y', 'z'];
      const policy = { placementType: 'PickFixed', clusterNames } as const;
      assert.deepEqual(effects(existing, { policy }, next), ['update a', 'hold b']);
    });

    test('leaves a binding that is being deleted alone, and counts it as one that may become unavailable', () => {
      const existing = [
        binding('a', { conditions: ready, isDeleting: true, applyStrategy: undefined }),
        ...bindings('b c', { conditions: ready }),
      ];
      const withLimit = (maxUnavailable: number) => ({ policy: pickN(3), rollingUpdate: { maxUnavailable } });
      assert.deepEqual(effects(existing, withLimit(1), next), ['hold b', 'hold c']);
      assert.deepEqual(effects(existing, withLimit(2), next), ['update b', 'hold c']);
    });

    test('writes nothing when all is done', () => {
      assert.deepEqual(effects(bindings('a b', { conditions: ready })), []);
    });

    test('says again that a rollout has started after any change of a binding', () => {
      assert.deepEqual(effects(bindings('a b', { conditions: ready, generation: 3 })), ['start a', 'start b']);
      const held = aCondition('RolloutStarted', 'False');
      assert.deepEqual(effects(bindings('a', { conditions: [held] })), ['start a']);
    });

    test('does nothing for an External strategy', () => {
      const strategy = { type: 'External', applyStrategy: { ...strategyDefaults, type: 'ReportDiff' } } as const;
      assert.deepEqual(effects(bindings('a b', { state: 'Scheduled' }), { strategy }), []);
    });

    test('waits for resources, but not with the apply strategy', () => {
      const existing = [binding('a', { state: 'Scheduled' }), binding('b', { applyStrategy: undefined })];
      assert.deepEqual(effects(existing, {}, { resources: undefined }), ['push b']);
      assert.deepEqual(decided(existing, {}, { resources: 'unread' }), { steps: [], requeueAfterMs: 1 });
    });

    test('brings a new apply strategy to all clusters at once', () => {
      const existing = [
        binding('a', { conditions: ready }),
        binding('b', { state: 'Scheduled' }),
        binding('c', { ...leaving, conditions: ready }),
        binding('d', { ...leaving, conditions: ready, isDeleting: true }),
      ];
      const applyStrategy = { ...strategyDefaults, type: 'ServerSideApply' as const };
      const options = { policy: pickN(5), strategy: { applyStrategy } };
      assert.deepEqual(effects(existing, options), ['push a', 'update b', 'push c']);
    });

    test('waits for the deletion of an old binding to the same cluster', () => {
      const old = binding('old', { ...leaving, cluster: 'a', isDeleting: true });
      for (const state of ['Scheduled', 'Unscheduled', 'Bound'] as const) {
        const existing = [binding('a', { state, snapshot: 'x' }), binding('b', { state: 'Scheduled' }), old];
        const plan = decided(existing, { policy: pickN(2) });
        assert.deepEqual(effectsOf(plan), []);
        assert.equal(plan.requeueAfterMs, undefined);
      }
      assert.deepEqual(effects([binding('b', { state: 'Scheduled' }), old]), ['update b']);
    });

    test('stops at two bindings to one cluster, and says so', () => {
      const plan = decided(bindings('a b', { state: 'Scheduled', cluster: 'sea' }));
      assert.deepEqual(effectsOf(plan), []);
      const where = family.scope === 'Namespaced' ? 'app' : '';
      assert.deepEqual(
        plan.events?.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
        [
          `Warning RolloutBlocked: The rollout cannot go on: the same cluster \`sea\` has bindings \`${where}/a\` and \`${where}/b\` pointing to it`,
        ],
      );
    });

    const endless: [object, string][] = [
      [{ maxUnavailable: 0, maxSurge: 0 }, 'maxUnavailable and maxSurge are both 0'],
      [{ maxUnavailable: '0%', maxSurge: 1 }, 'maxUnavailable is 0, and a cluster is unavailable while it is updated'],
    ];
    for (const [rollingUpdate, why] of endless) {
      test(`says that it cannot go on because ${why}`, () => {
        const plan = decided(bindings('a b', { conditions: ready }), { rollingUpdate }, next);
        assert.deepEqual(effectsOf(plan), ['hold a', 'hold b']);
        const [write, other] = plan.steps.flat();
        assert.equal(other?.event, undefined);
        assert.equal(write?.event?.message, `The rollout cannot go on: ${why}`);
        assert.match(JSON.stringify(write), new RegExp(`because of the rollout strategy: ${why}"`));
      });
    }
  });
}
