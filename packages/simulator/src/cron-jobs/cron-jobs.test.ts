/** CronJobs on a real server in memory; the test acts as kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseCronSchedule, type JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { jobController } from '../jobs/controller.ts';
import { kinds, type Job } from '../kinds.ts';
import { cronJobController } from './controller.ts';
import { missedTimes } from './schedule-times.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
const jobTemplate = { metadata: { labels: { app: 'night' } }, spec: { template, backoffLimit: 0 } };

describe('a CronJob', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([cronJobController(), jobController()]);
    await toSecond(30);
  });
  after(() => cluster.stop());

  /** Lets time pass until this second of a minute. */
  const toSecond = async (second: number): Promise<void> => {
    const now = cluster.clock.now();
    await cluster.clock.advance((60_000 + second * 1000 - (now % 60_000)) % 60_000);
    await cluster.rest();
  };
  const pass = async (minutes: number): Promise<void> => {
    for (let i = 0; i < minutes; i++) {
      await cluster.clock.advance(60_000);
      await cluster.rest();
    }
  };
  const minute = () => Math.floor(cluster.clock.now() / 60_000);
  const createCronJob = (name: string, spec: JsonObject) =>
    cluster.create(kinds.cronJob, name, { schedule: '* * * * *', jobTemplate, ...spec });
  const statusOf = async (name: string) => (await cluster.get(kinds.cronJob, name)).status ?? {};
  const jobsOf = async (name: string): Promise<readonly Job[]> =>
    (await cluster.list(kinds.job)).filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === name);
  const names = (jobs: readonly Job[]): (string | undefined)[] => jobs.map(({ metadata }) => metadata.name);
  const endJobs = async (phase: string): Promise<void> => {
    for (const { metadata, status } of await cluster.livePods()) {
      if (status?.phase === 'Pending')
        await cluster.patch(kinds.pod, metadata.name ?? '', { status: { phase } }, 'status');
    }
  };
  const remove = (name: string) => cluster.remove(kinds.cronJob, name);

  test('starts a Job when its time comes, and follows it to its end', async () => {
    await createCronJob('night', {});
    assert.deepEqual(await jobsOf('night'), []);
    assert.deepEqual(await statusOf('night'), {});
    await pass(1);
    const [job] = await jobsOf('night');
    assert.equal(job?.metadata.name, `night-${minute()}`);
    assert.equal(job.metadata.labels?.['app'], 'night');
    const time = new Date(minute() * 60_000).toISOString().replace('.000Z', 'Z');
    assert.equal(job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'], time);
    assert.equal(job.metadata.ownerReferences?.[0]?.controller, true);
    const { active, lastScheduleTime } = await statusOf('night');
    assert.equal(lastScheduleTime, time);
    assert.deepEqual(
      active?.map(({ kind, name, uid, apiVersion }) => ({ kind, name, uid, apiVersion })),
      [{ kind: 'Job', name: job.metadata.name, uid: job.metadata.uid, apiVersion: 'batch/v1' }],
    );
    await endJobs('Succeeded');
    const { lastSuccessfulTime, ...ended } = await statusOf('night');
    assert.deepEqual(ended, { lastScheduleTime: time });
    assert.ok(lastSuccessfulTime !== undefined && lastSuccessfulTime > time);
    assert.deepEqual(await cluster.eventsAbout('night'), [
      `SawCompletedJob: Saw completed job: ${job.metadata.name}, condition: Complete`,
      `SuccessfulCreate: Created job ${job.metadata.name}`,
    ]);
    await remove('night');
  });

  test('keeps as many finished Jobs as its history limits say', async () => {
    await createCronJob('brief', { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    for (const phase of ['Succeeded', 'Failed', 'Succeeded']) {
      await pass(1);
      await endJobs(phase);
    }
    assert.deepEqual(names(await jobsOf('brief')), [`brief-${minute()}`]);
    await remove('brief');
  });

  test('starts Jobs beside each other, not at all, or in place of the last, as its policy says', async () => {
    const policies = ['Allow', 'Forbid', 'Replace'];
    for (const policy of policies) await createCronJob(policy.toLowerCase(), { concurrencyPolicy: policy });
    await pass(2);
    const last = minute();
    assert.deepEqual(names(await jobsOf('allow')), [`allow-${last - 1}`, `allow-${last}`]);
    assert.deepEqual(names(await jobsOf('forbid')), [`forbid-${last - 1}`]);
    assert.deepEqual(names(await jobsOf('replace')), [`replace-${last}`]);
    assert.deepEqual(
      (await statusOf('replace')).active?.map(({ name }) => name),
      [`replace-${last}`],
    );
    assert.ok((await cluster.eventsAbout('replace')).every((event) => event.startsWith('Successful')));
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    assert.ok((await cluster.eventsAbout('forbid')).includes(`JobAlreadyActive: ${message}`));
    // The time that was not used is used when the last Job ends.
    await endJobs('Succeeded');
    assert.deepEqual(names(await jobsOf('forbid')), [`forbid-${last - 1}`, `forbid-${last}`]);
    for (const policy of policies) await remove(policy.toLowerCase());
  });

  test('starts nothing while it is suspended, then at most the latest time that its deadline allows', async () => {
    await createCronJob('paused', { suspend: true });
    await createCronJob('late', { suspend: true, startingDeadlineSeconds: 20 });
    await pass(5);
    assert.deepEqual([...(await jobsOf('paused')), ...(await jobsOf('late'))], []);
    for (const name of ['paused', 'late']) await cluster.patch(kinds.cronJob, name, { spec: { suspend: false } });
    assert.deepEqual(names(await jobsOf('paused')), [`paused-${minute()}`]);
    assert.deepEqual(names(await jobsOf('late')), []);
    await remove('paused');
    await remove('late');
  });

  test('reports that it missed too many times', async () => {
    await createCronJob('forgotten', { suspend: true });
    await cluster.clock.advance(101 * 60_000);
    await cluster.patch(kinds.cronJob, 'forgotten', { spec: { suspend: false } });
    assert.deepEqual(names(await jobsOf('forgotten')), [`forgotten-${minute()}`]);
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    assert.ok((await cluster.eventsAbout('forgotten')).includes(`TooManyMissedTimes: ${message}`));
    await remove('forgotten');
  });

  test('reckons in its time zone', async () => {
    const hour = new Date(cluster.clock.now() + 60_000 + 5.5 * 3_600_000).getUTCHours();
    const local = new Date(cluster.clock.now() + 60_000 + 5.5 * 3_600_000).getUTCMinutes();
    await createCronJob('delhi', { schedule: `${local} ${hour} * * *`, timeZone: 'Asia/Kolkata' });
    await pass(1);
    const [job] = await jobsOf('delhi');
    assert.equal(job?.metadata.name, `delhi-${minute()}`);
    assert.match(job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '', /\+05:30$/);
    await remove('delhi');
  });

  test('does not make up for times before its schedule changed', async () => {
    await createCronJob('changed', { schedule: '0 0 1 1 *' });
    await pass(3);
    await cluster.patch(kinds.cronJob, 'changed', { spec: { schedule: '* * * * *' } });
    assert.deepEqual(await jobsOf('changed'), []);
    await pass(1);
    assert.deepEqual(names(await jobsOf('changed')), [`changed-${minute()}`]);
    await remove('changed');
  });

  test('never starts anything at a time that never comes', async () => {
    await createCronJob('never', { schedule: '0 0 31 2 *' });
    const [event = ''] = await cluster.eventsAbout('never');
    assert.equal(
      event,
      'InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
    );
    await remove('never');
  });

  test('reports an active Job that went missing, and one that it did not start', async () => {
    await createCronJob('odd', {});
    await pass(1);
    const [started] = await jobsOf('odd');
    const { uid = '' } = (await cluster.get(kinds.cronJob, 'odd')).metadata;
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'odd', uid, controller: true };
    await cluster.client.delete(
      kinds.job,
      { namespace: 'default', name: started?.metadata.name ?? '' },
      { propagationPolicy: 'Background' },
    );
    await cluster.rest();
    await cluster.create(kinds.job, 'by-hand', { template }, { ownerReferences: [owner] });
    const events = await cluster.eventsAbout('odd');
    assert.ok(events.includes(`MissingJob: Active job went missing: ${started?.metadata.name}`));
    assert.ok(events.includes('UnexpectedJob: Saw a job that the controller did not create or forgot: by-hand'));
    assert.equal((await statusOf('odd')).active, undefined);
    await remove('odd');
  });

  test('looks for the latest of very many times in little time', () => {
    const metadata = { name: 'x', creationTimestamp: '0001-01-01T00:00:00Z' };
    let calls = 0;
    for (const text of ['* * 1-30 1 *', '@every 1s', 'TZ=Europe/Paris */7 * * * *']) {
      const schedule = parseCronSchedule(text);
      const counting = { next: (moment: number) => (calls++, schedule.next(moment)) };
      const now = Date.parse('2026-01-30T12:00:30Z');
      const { latest = 0, missed } = missedTimes({ apiVersion: '', kind: '', metadata }, counting, now, true);
      assert.equal(missed, 'many');
      assert.ok(latest <= now && (schedule.next(latest) ?? 0) > now, text);
    }
    assert.ok(calls < 200, `${calls} searches`);
  });
});
