import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type UpdateStage } from '@flotilla/api';
import { leftToWorksMs, StartedRollouts } from '../family/started-rollouts.ts';
import { aStage, ofTier, World } from './runs.testing.ts';

const minute = 60_000;

for (const family of families) {
  const path = (name: string): string => `${family.scope === 'Cluster' ? '' : 'app'}/${name}`;
  const world = (stages: readonly UpdateStage[], clusters: Record<string, string> = {}, spec = {}): World => {
    const made = new World(family, stages, spec);
    for (const [name, tier] of Object.entries(clusters)) made.addCluster(name, { tier });
    return made;
  };
  const two = [aStage('canary', ofTier('canary')), aStage('rest', { ...ofTier('prod'), maxConcurrency: '50%' })];
  const five = { a: 'canary', b: 'prod', c: 'prod', d: 'prod', e: 'prod' };

  describe(`a ${family.updateRun.kind}`, () => {
    test('records what it will do, and starts nothing before it is asked to', () => {
      const run = world(two, five, { state: 'Initialize' });
      run.settle();
      assert.deepEqual(run.conditions, ['Initialized True UpdateRunInitializedSuccessfully']);
      assert.deepEqual(run.progress, ['canary: a=waiting', 'rest: b=waiting c=waiting d=waiting e=waiting']);
      assert.equal(run.run.status?.policyObservedClusterCount, 5);
      run.setState('Run');
      run.settle();
      assert.deepEqual(run.progress, ['canary: a=started', 'rest: b=waiting c=waiting d=waiting e=waiting']);
    });

    test('updates the clusters of a stage so many at a time, then those of the next, and succeeds', () => {
      const run = world(two, five);
      run.settle();
      const { spec, status } = run.binding('a');
      assert.deepEqual([spec.state, spec.resourceSnapshotName], ['Bound', 'p-0-snapshot']);
      assert.equal(
        status?.conditions?.find(({ type }) => type === 'RolloutStarted')?.message,
        'Detected the new changes on the resources and started the rollout process, resourceSnapshotIndex: 0, updateRun: run',
      );
      run.report('a', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['canary: a=done', 'rest: b=started c=started d=waiting e=waiting']);
      run.report('c', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress[1], 'rest: b=started c=done d=started e=waiting');
      for (const name of ['b', 'd']) run.report(name, 'Available', 'True');
      run.settle();
      run.report('e', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.conditions, [
        'Initialized True UpdateRunInitializedSuccessfully',
        'Progressing False UpdateRunSucceeded',
        'Succeeded True UpdateRunSucceeded',
      ]);
    });

    test('leaves it to works to say that a rollout has started, and says it later itself', () => {
      const run = world(two, five);
      run.settings.isWithWorks = true;
      const saidBy = (cluster: string) =>
        run.binding(cluster).status?.conditions?.find(({ type }) => type === 'RolloutStarted')?.message;
      run.settle();
      assert.deepEqual(
        [run.binding('a').spec.state, saidBy('a'), run.progress[0]],
        ['Bound', undefined, 'canary: a=started'],
      );
      assert.equal(run.decide().requeueAfterMs, leftToWorksMs);
      run.timeMs += leftToWorksMs;
      run.settle();
      assert.match(saidBy('a') ?? '', /updateRun: run$/);
      run.report('a', 'Available', 'True');
      run.settle();
      run.report('b', 'Available', 'True');
      assert.match(saidBy('b') ?? '', /updateRun: run$/);
      assert.deepEqual(run.progress[0], 'canary: a=done');
    });

    test('goes on with a cluster whose rollout was not said when the hub was killed', () => {
      const run = world([aStage('all')], { a: '' });
      run.settings.isWithWorks = true;
      run.settle();
      run.started = new StartedRollouts({ elapsed: () => run.timeMs });
      run.settle();
      assert.deepEqual(run.progress, ['all: a=started']);
      assert.equal(run.binding('a').metadata.generation, 2);
      run.report('a', 'Available', 'True');
      run.settle();
      assert.equal(run.conditions.at(-1), 'Succeeded True UpdateRunSucceeded');
    });

    test('has the order of a label, and of names', () => {
      const run = new World(family, [aStage('all', { sortingLabelKey: 'order' })]);
      for (const [name, order] of Object.entries({ a: '10', c: '9', b: '9', d: '-1' })) run.addCluster(name, { order });
      run.settle();
      assert.deepEqual(run.progress, ['all: d=started b=waiting c=waiting a=waiting']);
    });

    test('skips a stage without clusters, with its tasks', () => {
      const empty = aStage('none', { ...ofTier('none'), beforeStageTasks: [{ type: 'Approval' }] });
      const run = world([empty, aStage('rest', ofTier('prod'))], { a: 'prod' });
      run.settle();
      assert.deepEqual(run.progress, ['none: ', 'rest: a=started']);
      assert.deepEqual(run.requests, []);
    });

    // docs/seed-promises.md: a stage stops when a cluster fails.
    test('starts no other cluster while one has failed, and goes on when it has recovered', () => {
      const run = world([aStage('all', { maxConcurrency: 2 })], { a: '', b: '', c: '', d: '' });
      run.settle();
      run.report('a', 'Applied', 'False');
      run.report('b', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=started b=done c=waiting d=waiting']);
      const [stage] = run.run.status?.stagesStatus ?? [];
      assert.equal(
        stage?.conditions?.[0]?.message,
        'Clusters in the stage started updating; no other cluster starts until these have recovered: a',
      );
      run.report('a', 'Applied', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=started b=done c=started d=waiting']);
    });

    test('does not count a cluster that still applies as failed', () => {
      const run = world([aStage('all', { maxConcurrency: 2 })], { a: '', b: '', c: '' });
      run.settle();
      run.report('a', 'Applied', 'False', 'ApplyInProgress');
      run.report('b', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=started b=done c=started']);
    });

    test('is stuck if a cluster takes too long, waits on, and wakes up to say so', () => {
      const run = world([aStage('all')], { a: '' });
      run.settle();
      assert.equal(run.decide().requeueAfterMs, 5 * minute + 1);
      run.timeMs += 5 * minute + 1;
      run.settle();
      assert.equal(run.conditions[1], 'Progressing False UpdateRunStuck');
      assert.equal(
        run.messageOf('Progressing'),
        'The updateRun is stuck waiting for a cluster(s) in stage all to finish updating, please check placement status for potential errors',
      );
      run.report('a', 'Available', 'True');
      run.settle();
      assert.equal(run.conditions[2], 'Succeeded True UpdateRunSucceeded');
    });

    test('waits for an approval before a stage, and for time and an approval after it', () => {
      const tasks = {
        beforeStageTasks: [{ type: 'Approval' as const }],
        afterStageTasks: [{ type: 'TimedWait' as const, waitTime: '1h' }, { type: 'Approval' as const }],
      };
      const run = world([aStage('all', tasks)], { a: '' });
      run.settle();
      assert.deepEqual(run.progress, ['all: a=waiting']);
      assert.equal(
        run.messageOf('Progressing'),
        'The updateRun is waiting for before-stage tasks in stage all to complete',
      );
      run.approve('run-before-all');
      run.settle();
      assert.equal(
        run.requests[0]?.status?.conditions?.[1]?.message,
        'The approval request has been approved and cannot be reverted',
      );
      run.report('a', 'Available', 'True');
      run.settle();
      assert.equal(run.conditions[1], 'Progressing False UpdateRunWaiting');
      assert.equal(run.decide().requeueAfterMs, 60 * minute);
      run.approve('run-after-all');
      run.settle();
      assert.equal(run.conditions.length, 2);
      run.timeMs += 60 * minute;
      run.settle();
      assert.equal(run.conditions[2], 'Succeeded True UpdateRunSucceeded');
    });

    test('asks again if a request was deleted before it was approved', () => {
      const run = world([aStage('all', { beforeStageTasks: [{ type: 'Approval' }] })], { a: '' });
      run.settle();
      run.requests = [];
      run.settle();
      assert.equal(run.requests[0]?.metadata.name, 'run-before-all');
    });

    test('stops when the clusters in flight are done, and goes on from there', () => {
      const run = world([aStage('all', { maxConcurrency: 2 })], { a: '', b: '', c: '' });
      run.settle();
      run.setState('Stop');
      run.settle();
      assert.equal(run.conditions[1], 'Progressing Unknown UpdateRunStopping');
      for (const name of ['a', 'b']) run.report(name, 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=done b=done c=waiting']);
      assert.equal(run.conditions[1], 'Progressing False UpdateRunStopped');
      run.setState('Run');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=done b=done c=started']);
    });

    // KubeFleet waits for these deletions, and never stops.
    test('stops before the delete stage', () => {
      const run = world([aStage('all')], { a: '' });
      run.addCluster('old', {}, 'Unscheduled');
      run.settle();
      run.setState('Stop');
      run.report('a', 'Available', 'True');
      run.settle();
      run.settle();
      assert.equal(run.conditions[1], 'Progressing False UpdateRunStopped');
      assert.ok(run.binding('old'));
      run.setState('Run');
      run.settle();
      assert.equal(run.conditions[2], 'Succeeded True UpdateRunSucceeded');
      assert.deepEqual(
        run.bindings.map(({ spec }) => spec.targetCluster),
        ['a'],
      );
    });

    // docs/seed-promises.md: a run can be abandoned.
    test('ends for good when it is abandoned and the clusters in flight are done', () => {
      const run = world([aStage('all')], { a: '', b: '' });
      run.settle();
      run.setState('Abandoned');
      run.settle();
      assert.equal(run.conditions.length, 2);
      run.report('a', 'Available', 'True');
      run.settle();
      assert.deepEqual(run.progress, ['all: a=done b=waiting']);
      assert.equal(run.conditions[2], 'Succeeded False UpdateRunAbandoned');
    });

    test('fails if another run takes a cluster that it updates', () => {
      const run = world([aStage('all')], { a: '', b: '' });
      run.settle();
      run.binding('a').spec.resourceSnapshotName = 'p-1-snapshot';
      run.settle();
      assert.equal(run.conditions[2], 'Succeeded False UpdateRunFailed');
      assert.match(run.messageOf('Succeeded'), /see if there is a concurrent updateRun referencing the same placement/);
      assert.deepEqual(run.progress, ['all: a=started b=waiting']);
    });

    test('updates only the clusters that an annotation names, and removes nothing', () => {
      const run = world([aStage('all', { maxConcurrency: 3 })], { a: '', b: '', c: '' });
      run.addCluster('old', {}, 'Unscheduled');
      run.run.metadata.annotations = { 'flotilla.dev/only-clusters': 'a, c' };
      run.settle();
      assert.deepEqual(run.progress, ['all: a=started c=started']);
      for (const name of ['a', 'c']) run.report(name, 'Available', 'True');
      run.settle();
      assert.equal(run.conditions[2], 'Succeeded True UpdateRunSucceeded');
      assert.equal(run.bindings.length, 4);
    });

    test('says which other runs follow other strategies, or refuses', () => {
      const run = world([aStage('all')], { a: '' });
      const other = structuredClone(run.run);
      run.others = [{ ...other, metadata: { name: 'first' }, spec: { ...other.spec, stagedRolloutStrategyName: 't' } }];
      run.settle();
      const sentence = 'other runs of the placement follow other strategies: first (t)';
      assert.equal(run.messageOf('Initialized'), `The UpdateRun initialized successfully; ${sentence}`);
      const strict = world([aStage('all')], { a: '' });
      strict.others = run.others;
      strict.settings.requiresSameStrategy = true;
      strict.settle();
      assert.match(
        strict.messageOf('Initialized'),
        new RegExp(`client error: ${sentence.replaceAll(/[()]/g, '\\$&')}$`),
      );
    });

    test('removes its requests when it is deleted, and leaves the clusters as they are', () => {
      const run = world([aStage('all', { beforeStageTasks: [{ type: 'Approval' }] })], { a: '' });
      run.settle();
      run.run.metadata.deletionTimestamp = '2026-01-01T12:01:00Z';
      run.settle();
      assert.deepEqual([run.requests, run.run.metadata.finalizers, run.bindings.length], [[], [], 1]);
    });
  });

  describe(`a ${family.updateRun.kind} cannot begin`, () => {
    const user =
      'cannot continue the updateRun: failed to validate the updateRun: failed to process the request due to a client error: ';
    const plain = 'cannot continue the updateRun: failed to validate the updateRun: ';
    const unexpected = `${plain}unexpected behavior which cannot be handled by the controller: `;
    const cases: [string, (run: World) => void, string][] = [
      [
        'if the placement rolls out by itself',
        (run) => (run.placement.spec.strategy = { type: 'RollingUpdate' }),
        `${user}parent placement does not have an external rollout strategy, current strategy: RollingUpdate`,
      ],
      [
        'before the scheduler is done',
        (run) => (run.policy.status = { conditions: [] } as never),
        `${plain}policy snapshot \`p-0\` not fully scheduled yet`,
      ],
      [
        'without an index of the policy',
        (run) => (run.policy.metadata.labels = { 'kubernetes-fleet.io/is-latest-snapshot': 'true' }),
        `${unexpected}policy snapshot \`${path('p-0')}\` does not have a policy index label`,
      ],
      [
        'without clusters',
        (run) => (run.bindings = []),
        `${plain}no scheduled or to-be-deleted bindings found for the latest policy snapshot ${path('p-0')}`,
      ],
      [
        'without its strategy',
        (run) => (run.strategy = undefined),
        `${user}referenced updateStrategy not found: \`${path('s')}\``,
      ],
      [
        'if a cluster is in no stage',
        (run) => run.addCluster('z', { tier: 'other' }),
        `${user}some clusters are not placed in any stage, total 1, showing up to 10: z`,
      ],
      [
        'if a cluster is in two stages',
        (run) => run.strategy?.spec.stages.push(aStage('again', ofTier('prod'))),
        `${user}cluster \`a\` appears in more than one stages`,
      ],
      // KubeFleet lets stages share a name, and then their approval requests, too.
      [
        'if two stages share a name',
        (run) => run.strategy?.spec.stages.push(aStage('all', ofTier('none'))),
        `${user}stage name \`all\` appears more than once`,
      ],
      [
        'if a cluster lacks the number to sort by',
        (run) =>
          (run.strategy as { spec: { stages: UpdateStage[] } }).spec.stages.forEach((s) => (s.sortingLabelKey = 'k')),
        `${user}the sorting label \`k:\` on cluster \`a\` is not valid: strconv.Atoi: parsing "": invalid syntax`,
      ],
      [
        'with a wait of no length',
        (run) =>
          (run.strategy as { spec: { stages: UpdateStage[] } }).spec.stages.forEach(
            (s) => (s.afterStageTasks = [{ type: 'TimedWait', waitTime: '0s' }]),
          ),
        `${user}the after stage tasks are invalid, updateStrategy: \`${path('s')}\`, stage: all, err: task 0 of type TimedWait has wait duration <= 0`,
      ],
      [
        'with an index that is no number',
        (run) => (run.run.spec.resourceSnapshotIndex = 'x'),
        `${user}invalid resource snapshot index \`x\` provided, expected an integer >= 0`,
      ],
      [
        'with an index that does not exist',
        (run) => (run.run.spec.resourceSnapshotIndex = '7'),
        `${user}no resourceSnapshots with index \`7\` found for placement \`${path('p')}\``,
      ],
    ];
    for (const [title, break_, message] of cases) {
      test(`${title}: it waits a moment, then fails for good`, () => {
        const run = world([aStage('all', ofTier('prod'))], { a: 'prod' });
        break_(run);
        run.timeMs = Date.parse(run.run.metadata.creationTimestamp ?? '') + 500;
        assert.equal(run.decide().requeueAfterMs, 1500);
        run.timeMs += 1500;
        run.settle();
        assert.deepEqual(run.conditions, ['Initialized False UpdateRunInitializedFailed']);
        assert.equal(run.messageOf('Initialized'), message);
      });
    }

    test('before it knows its clusters: their number is -1', () => {
      const run = world([aStage('all')], {});
      run.settle();
      assert.deepEqual(run.conditions, ['Initialized False UpdateRunInitializedFailed']);
      assert.equal(run.run.status?.policyObservedClusterCount, -1);
    });

    test('while a binding follows an older policy: it waits', () => {
      const run = world([aStage('all')], { a: '' });
      run.binding('a').spec.schedulingPolicySnapshotName = 'p-old';
      run.settle();
      assert.deepEqual(run.conditions, []);
    });
  });

  describe(`a ${family.updateRun.kind} under way fails`, () => {
    const prefix = 'cannot continue the updateRun: ';
    const next = `start the next run with: kubectl fleet rerun run${family.scope === 'Cluster' ? '' : ' -n app'}`;
    const cases: [string, (run: World) => void, string][] = [
      [
        'if the policy changes',
        (run) => {
          run.renewPolicy();
          run.binding('b').spec.state = 'Unscheduled';
          run.addCluster('z', { tier: 'prod' });
        },
        `the policy snapshot index used in the updateRun is outdated, latest: 1, recorded: 0; clusters that came: z; clusters that went: b; ${next}`,
      ],
      [
        'if the policy is not scheduled for long',
        (run) => {
          run.renewPolicy();
          run.policy.status = { observedCRPGeneration: 1 };
          run.timeMs += 2000;
        },
        `the policy snapshot index used in the updateRun is outdated, latest: 1, recorded: 0; ${next}`,
      ],
      [
        'if the number of clusters changes',
        (run) => {
          (run.placement as { spec: { policy?: object } }).spec.policy = {
            placementType: 'PickN',
            numberOfClusters: 3,
          };
          run.policy.metadata.annotations = { 'kubernetes-fleet.io/number-of-clusters': '3' };
        },
        `the cluster count initialized in the updateRun is outdated, latest: 3, recorded: 2; ${next}`,
      ],
      [
        'if a cluster joins',
        (run) => run.addCluster('z', { tier: 'prod' }),
        `the number of clusters in index \`0\` stage has changed, new: 3, existing: 2; clusters that came: z; ${next}`,
      ],
      [
        'if a cluster leaves',
        (run) => (run.bindings = run.bindings.filter(({ spec }) => spec.targetCluster !== 'b')),
        `the number of clusters in index \`0\` stage has changed, new: 1, existing: 2; clusters that went: b; ${next}`,
      ],
      [
        'if a cluster is no longer chosen',
        (run) => (run.binding('b').spec.state = 'Unscheduled'),
        `the number of clusters in index \`0\` stage has changed, new: 1, existing: 2; clusters that went: b; ${next}`,
      ],
    ];
    for (const [title, change, message] of cases) {
      test(title, () => {
        const run = world([aStage('all', ofTier('prod'))], { a: 'prod', b: 'prod' });
        run.settle();
        change(run);
        run.settle();
        assert.deepEqual(run.conditions.slice(1), [
          'Progressing False UpdateRunFailed',
          'Succeeded False UpdateRunFailed',
        ]);
        assert.equal(run.messageOf('Succeeded'), `${prefix}${message}`);
      });
    }

    test('but not until a new policy is scheduled, so that it can name the clusters', () => {
      const run = world([aStage('all', ofTier('prod'))], { a: 'prod' });
      run.settle();
      const before = run.conditions;
      run.renewPolicy();
      run.policy.status = { observedCRPGeneration: 1 };
      run.report('a', 'Available', 'True');
      assert.equal(run.decide().requeueAfterMs, 2000);
      run.settle();
      assert.deepEqual(run.conditions, before);
      assert.deepEqual(run.progress, ['all: a=started']);
    });
  });
}
