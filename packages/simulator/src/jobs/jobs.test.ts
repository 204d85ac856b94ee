/** Jobs on a real server in memory; the test acts as kubelet and garbage collector. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Job, type Pod } from '../kinds.ts';
import { jobController, trackedPodController } from './controller.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
const finalizer = 'batch.kubernetes.io/job-tracking';

describe('a Job', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([jobController(), trackedPodController]);
  });
  after(() => cluster.stop());

  const createJob = (name: string, spec: JsonObject = {}) => cluster.create(kinds.job, name, { template, ...spec });
  const podsOf = async (job: string): Promise<readonly Pod[]> =>
    (await cluster.list(kinds.pod)).filter(({ metadata }) => metadata.labels?.['job-name'] === job);
  const activePodsOf = async (job: string): Promise<readonly Pod[]> =>
    (await podsOf(job)).filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Pending',
    );
  const statusOf = async (job: string): Promise<NonNullable<Job['status']>> =>
    (await cluster.get(kinds.job, job)).status ?? {};
  const conditionsOf = async (job: string): Promise<string[]> =>
    ((await statusOf(job)).conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  const endPod = ({ metadata }: Pod, phase: string, exitCode = phase === 'Failed' ? 1 : 0): Promise<void> => {
    const finishedAt = new Date(cluster.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const state = { terminated: { exitCode, finishedAt, startedAt: finishedAt, reason: 'Error' } };
    const container = { name: 'main', image: 'busybox', imageID: '', ready: false, restartCount: 0, state };
    return cluster.patch(
      kinds.pod,
      metadata.name ?? '',
      { status: { phase, containerStatuses: [container] } },
      'status',
    );
  };
  const endNext = async (job: string, phase: string, exitCode?: number): Promise<void> => {
    const [pod] = await activePodsOf(job);
    assert.ok(pod, `${job} has no active pod`);
    await endPod(pod, phase, exitCode);
  };
  const pass = async (seconds: number): Promise<void> => {
    await cluster.clock.advance(seconds * 1000);
    await cluster.rest();
  };

  test('runs as many pods at once as its parallelism says, and is complete when enough have succeeded', async () => {
    await createJob('sum', { completions: 3, parallelism: 2 });
    const pods = await podsOf('sum');
    assert.equal(pods.length, 2);
    for (const { metadata } of pods) {
      assert.match(metadata.name ?? '', /^sum-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
      assert.deepEqual(metadata.finalizers, [finalizer]);
      assert.equal(metadata.ownerReferences?.[0]?.name, 'sum');
      assert.equal(metadata.labels?.['batch.kubernetes.io/job-name'], 'sum');
    }
    const { startTime, ...running } = await statusOf('sum');
    assert.ok(startTime !== undefined);
    assert.deepEqual(running, { active: 2, terminating: 0, uncountedTerminatedPods: {}, ready: 0 });
    for (let i = 0; i < 3; i++) await endNext('sum', 'Succeeded');
    const { conditions: _, startTime: __, completionTime, ...done } = await statusOf('sum');
    assert.ok(completionTime !== undefined);
    assert.deepEqual(done, { succeeded: 3, terminating: 0, uncountedTerminatedPods: {}, ready: 0 });
    assert.deepEqual(await conditionsOf('sum'), [
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ]);
    assert.ok((await podsOf('sum')).every(({ metadata }) => metadata.finalizers === undefined));
    const events = await cluster.eventsAbout('sum');
    assert.equal(events[0], 'Completed: Job completed');
    assert.equal(events.filter((event) => event.startsWith('SuccessfulCreate: Created pod: sum-')).length, 3);
  });

  test('counts a batch of finished pods with two writes of its status', async () => {
    await createJob('batch', { completions: 20, parallelism: 20 });
    const pods = await podsOf('batch');
    const before = cluster.revision();
    const value = { status: { phase: 'Succeeded' } };
    const patch = { type: 'merge', value } as const;
    for (const { metadata } of pods) {
      const key = { namespace: 'default', name: metadata.name ?? '' };
      await cluster.client.patch(kinds.pod, key, patch, { subresource: 'status' });
    }
    await cluster.rest();
    assert.equal((await statusOf('batch')).succeeded, 20);
    assert.equal(cluster.revision() - before, 20 + 2 + 20 + 1, 'pods end, two statuses, finalizers, one event');
  });

  test('replaces failed pods after a back-off that doubles, and fails beyond its limit', async () => {
    await createJob('unlucky', { backoffLimit: 2 });
    for (const seconds of [10, 20]) {
      await endNext('unlucky', 'Failed');
      await pass(seconds - 1);
      assert.equal((await activePodsOf('unlucky')).length, 0);
      await pass(2);
      assert.equal((await activePodsOf('unlucky')).length, 1);
    }
    await endNext('unlucky', 'Failed');
    assert.equal((await statusOf('unlucky')).failed, 3);
    assert.deepEqual(await conditionsOf('unlucky'), [
      'FailureTarget=True BackoffLimitExceeded',
      'Failed=True BackoffLimitExceeded',
    ]);
    const events = await cluster.eventsAbout('unlucky');
    assert.equal(events[0], 'BackoffLimitExceeded: Job has reached the specified backoff limit');
  });

  test('backs off after a pod that a user deleted, which counts as failed', async () => {
    await createJob('robbed');
    const [pod] = await activePodsOf('robbed');
    await cluster.remove(kinds.pod, pod?.metadata.name ?? '');
    assert.deepEqual(await podsOf('robbed'), []);
    assert.equal((await statusOf('robbed')).failed, 1);
    await pass(9);
    assert.deepEqual(await podsOf('robbed'), []);
    await pass(2);
    assert.equal((await activePodsOf('robbed')).length, 1);
  });

  test('deletes its pods when it has been active for too long, and counts them as failed', async () => {
    await createJob('slow', { parallelism: 2, completions: 2, activeDeadlineSeconds: 60 });
    await pass(61);
    const { failed, active, terminating } = await statusOf('slow');
    assert.deepEqual({ failed, active, terminating }, { failed: 2, active: undefined, terminating: 0 });
    assert.deepEqual(await conditionsOf('slow'), [
      'FailureTarget=True DeadlineExceeded',
      'Failed=True DeadlineExceeded',
    ]);
    assert.deepEqual(await podsOf('slow'), []);
  });

  test('gives every index a pod of its own, and lists the completed ones', async () => {
    await createJob('shard', { completionMode: 'Indexed', completions: 4, parallelism: 4 });
    const pods = await podsOf('shard');
    const indexes = pods.map(({ metadata, spec }) => {
      const index = metadata.labels?.['batch.kubernetes.io/job-completion-index'];
      assert.equal(metadata.annotations?.['batch.kubernetes.io/job-completion-index'], index);
      assert.equal(spec?.['hostname'], `shard-${index}`);
      assert.match(metadata.name ?? '', new RegExp(`^shard-${index}-[a-z0-9]{5}$`));
      assert.equal(spec?.containers?.[0]?.env?.[0]?.name, 'JOB_COMPLETION_INDEX');
      return index;
    });
    assert.deepEqual(new Set(indexes), new Set(['0', '1', '2', '3']));
    for (const pod of pods.filter(({ spec }) => spec?.['hostname'] !== 'shard-1')) await endPod(pod, 'Succeeded');
    const { completedIndexes, succeeded, active } = await statusOf('shard');
    assert.deepEqual({ completedIndexes, succeeded, active }, { completedIndexes: '0,2,3', succeeded: 3, active: 1 });
    await endNext('shard', 'Succeeded');
    assert.equal((await statusOf('shard')).completedIndexes, '0-3');
    assert.equal((await conditionsOf('shard'))[1], 'Complete=True CompletionsReached');
  });

  test('lets an index fail alone if each has its own limit', async () => {
    const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 };
    await createJob('each', spec);
    const failureCounts = async () =>
      (await activePodsOf('each')).map(
        ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'],
      );
    assert.deepEqual(await failureCounts(), ['0', '0']);
    const first = async () =>
      (await activePodsOf('each')).find(({ spec: { hostname } = {} }) => hostname === 'each-0') ?? assert.fail();
    await endPod(await first(), 'Failed');
    await pass(11);
    assert.deepEqual(new Set(await failureCounts()), new Set(['0', '1']));
    await endPod(await first(), 'Failed');
    assert.equal((await statusOf('each')).failedIndexes, '0');
    await endNext('each', 'Succeeded');
    assert.deepEqual(await conditionsOf('each'), ['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
  });

  test('follows its failure policy', async () => {
    const onExitCodes = (values: number[]) => ({ operator: 'In', values });
    const rules = [
      { action: 'Ignore', onExitCodes: onExitCodes([7]) },
      { action: 'FailJob', onExitCodes: onExitCodes([42]) },
    ];
    await createJob('strict', { backoffLimit: 0, podFailurePolicy: { rules } });
    await endNext('strict', 'Failed', 7);
    await pass(11);
    assert.equal((await statusOf('strict')).failed, undefined);
    const [pod] = await activePodsOf('strict');
    await endNext('strict', 'Failed', 42);
    const { conditions = [] } = await statusOf('strict');
    const message = `Container main for pod default/${pod?.metadata.name} failed with exit code 42 matching FailJob rule at index 1`;
    assert.deepEqual(
      conditions.map(({ type, reason, message: text }) => [type, reason, text]),
      ['FailureTarget', 'Failed'].map((type) => [type, 'PodFailurePolicy', message]),
    );
  });

  test('ends early when its success policy is met, and does not count the pods that it deletes', async () => {
    const successPolicy = { rules: [{ succeededIndexes: '2' }, { succeededCount: 1, succeededIndexes: '0-1' }] };
    await createJob('early', { completionMode: 'Indexed', completions: 3, parallelism: 3, successPolicy });
    const pod = (await podsOf('early')).find(({ spec }) => spec?.['hostname'] === 'early-1') ?? assert.fail();
    await endPod(pod, 'Succeeded');
    const { conditions = [], failed, succeeded } = await statusOf('early');
    assert.deepEqual({ failed, succeeded }, { failed: undefined, succeeded: 1 });
    assert.deepEqual(
      conditions.map(({ type, reason, message }) => [type, reason, message]),
      ['SuccessCriteriaMet', 'Complete'].map((type) => [type, 'SuccessPolicy', 'Matched rules at index 1']),
    );
    assert.equal((await podsOf('early')).length, 1);
  });

  test('has no pods while it is suspended, and starts anew when it is resumed', async () => {
    await createJob('later', { suspend: true });
    assert.deepEqual(await podsOf('later'), []);
    assert.equal((await statusOf('later')).startTime, undefined);
    await cluster.patch(kinds.job, 'later', { spec: { suspend: false } });
    assert.equal((await activePodsOf('later')).length, 1);
    await cluster.patch(kinds.job, 'later', { spec: { suspend: true } });
    assert.deepEqual(await podsOf('later'), []);
    assert.deepEqual(await conditionsOf('later'), ['Suspended=True JobSuspended']);
    assert.equal((await statusOf('later')).failed, undefined);
    await cluster.patch(kinds.job, 'later', { spec: { suspend: false } });
    await endNext('later', 'Succeeded');
    assert.deepEqual(await conditionsOf('later'), [
      'Suspended=False JobResumed',
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ]);
    const events = await cluster.eventsAbout('later');
    assert.deepEqual(
      new Set(events.map((event) => event.split(':')[0])),
      new Set(['Completed', 'Resumed', 'SuccessfulCreate', 'SuccessfulDelete', 'Suspended']),
    );
  });

  test('deletes surplus pods without counting them, when its parallelism shrinks', async () => {
    await createJob('less', { parallelism: 3, completions: 9 });
    await cluster.patch(kinds.job, 'less', { spec: { parallelism: 1 } });
    const { active, failed } = await statusOf('less');
    assert.deepEqual({ active, failed }, { active: 1, failed: undefined });
    assert.equal((await podsOf('less')).length, 1);
  });

  test('waits for the end of a pod before it replaces it, if only failed pods are replaced', async () => {
    await createJob('patient', { podReplacementPolicy: 'Failed' });
    const [pod] = await activePodsOf('patient');
    const name = pod?.metadata.name ?? '';
    const target = { kind: 'Node', name: 'somewhere' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: 'default' }, target };
    await cluster.client.create(kinds.pod, binding, { subresource: 'binding' });
    await cluster.remove(kinds.pod, name);
    assert.equal((await activePodsOf('patient')).length, 0);
    assert.equal((await statusOf('patient')).terminating, 1);
    await endPod(pod ?? assert.fail(), 'Failed');
    await pass(11);
    assert.equal((await activePodsOf('patient')).length, 1);
  });

  test('is left alone if another controller manages it', async () => {
    await createJob('foreign', { managedBy: 'example.com/other' });
    assert.deepEqual(await podsOf('foreign'), []);
    assert.deepEqual(await statusOf('foreign'), {});
  });

  test('adopts a pod that it selects and tracks it; when the Job is gone, its pods lose the finalizer', async () => {
    const selector = { matchLabels: { team: 'blue' } };
    const labels = { team: 'blue' };
    await cluster.create(kinds.pod, 'orphan', template.spec, { labels });
    await createJob('adopts', { manualSelector: true, selector, template: { ...template, metadata: { labels } } });
    const { metadata } = await cluster.get(kinds.pod, 'orphan');
    assert.deepEqual(metadata.finalizers, [finalizer]);
    assert.equal(metadata.ownerReferences?.[0]?.name, 'adopts');
    const key = { namespace: 'default', name: 'adopts' };
    await cluster.client.delete(kinds.job, key, { propagationPolicy: 'Background' });
    await cluster.rest();
    assert.equal((await cluster.get(kinds.pod, 'orphan')).metadata.finalizers, undefined);
  });

  test('reports pods that the server refuses, and goes on when it accepts them', async () => {
    const classes = { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass', plural: 'priorityclasses' };
    const spec = { template: { spec: { ...template.spec, priorityClassName: 'high' } } };
    const metadata = { namespace: 'default', name: 'refused' };
    await cluster.client.create(kinds.job, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec });
    await cluster.clock.advance(1000);
    const { startTime, ...status } = await statusOf('refused');
    assert.ok(startTime !== undefined);
    assert.deepEqual(status, { terminating: 0, uncountedTerminatedPods: {}, ready: 0 });
    const [event = ''] = await cluster.eventsAbout('refused');
    assert.match(event, /^FailedCreate: Error creating: pods "refused-" is forbidden: no PriorityClass with name high/);
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1 };
    await cluster.client.create({ ...classes, namespaced: false }, high);
    await pass(60);
    assert.equal((await activePodsOf('refused')).length, 1);
  });

  test('writes nothing at rest', async () => {
    const before = cluster.revision();
    await pass(3600);
    assert.equal(cluster.revision(), before);
  });
});
