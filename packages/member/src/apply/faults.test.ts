import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { works } from '@flotilla/api';
import { ConnectionError, type Transport, type TransportRequest } from '@flotilla/client';
import { ApiError, type KubeObject } from '@flotilla/kube';
import {
  configMap,
  deployment,
  inWords,
  kinds,
  manifestOf,
  namespace,
  saidOf,
  TestApplier,
} from './applier.testing.ts';

const minute = 60_000;

/** A way to a server that can be cut, or made to answer as a test wants. */
class Way {
  isCut = false;
  answer: ((request: TransportRequest) => ApiError | undefined) | undefined;

  readonly through = (transport: Transport): Transport => ({
    ...transport,
    send: async (request) => {
      if (this.isCut) throw new ConnectionError('there is nobody', 'unreachable');
      const error = this.answer?.(request);
      if (error !== undefined) return answered(error);
      return transport.send(request);
    },
  });
}

function answered({ status }: ApiError): Awaited<ReturnType<Transport['send']>> {
  const body = Buffer.from(JSON.stringify(status));
  return {
    status: status.code,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield await Promise.resolve(body);
    })(),
  };
}

function refusal(code: number, reason: string, message: string): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message });
}

describe('when something is broken', () => {
  let fleet: TestApplier;
  let hub: Way;
  let member: Way;
  beforeEach(async () => {
    hub = new Way();
    member = new Way();
    fleet = await TestApplier.start({ throughHub: hub.through, throughMember: member.through });
  });
  afterEach(() => fleet.stop());

  test('a hub that is gone for an hour leaves the member as it is, and all goes on afterwards', async () => {
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    const before = await fleet.onMember(kinds.configMap, 'settings');
    hub.isCut = true;
    await fleet.clock.advance(60 * minute);
    assert.deepEqual(await fleet.onMember(kinds.configMap, 'settings'), before);
    hub.isCut = false;
    const work = await fleet.change('web', (old) => ({
      ...old,
      spec: { workload: { manifests: [configMap('settings', { colour: 'red' })] } },
    }));
    assert.deepEqual(inWords(work.status?.conditions), [
      'Applied=True AllManifestsApplied @2',
      'Available=True AllManifestsAvailable @2',
    ]);
  });

  test('a drift is repaired also while the hub is gone', async () => {
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    hub.isCut = true;
    await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'green' } });
    await fleet.clock.advance(1_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
  });

  test('what changed while the hub was gone is reported soon after it is back', async () => {
    await fleet.place('web', [deployment('web')]);
    hub.isCut = true;
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const object = await fleet.onMember(kinds.deployment, 'web');
    const healthy = { ...object, status } as unknown as KubeObject;
    await fleet.member.client.update(kinds.deployment, healthy, { subresource: 'status' });
    await fleet.clock.advance(60 * minute);
    hub.isCut = false;
    await fleet.clock.advance(31_000);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied @1', 'Available=True Available @1']);
  });

  test('a member that cannot be reached gets nothing new, and what waits is applied when it is back', async () => {
    await fleet.place('web', [configMap('settings')]);
    member.isCut = true;
    await fleet.hub.create(works, {
      metadata: { name: 'late', namespace },
      spec: { workload: { manifests: [configMap('late')] } },
    });
    await fleet.clock.advance(minute);
    member.isCut = false;
    await fleet.clock.advance(31_000);
    assert.deepEqual(saidOf(await fleet.work('late')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('an object that cannot be read says why', async () => {
    member.answer = ({ method, path }) =>
      method === 'GET' && path.endsWith('/settings') ? refusal(500, 'InternalError', 'etcd is asleep') : undefined;
    const work = await fleet.place('web', [configMap('settings')]);
    assert.deepEqual(saidOf(work), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.match(
      manifestOf(work).conditions[0]?.message ?? '',
      /could not be read: the member refused: etcd is asleep/,
    );
    member.answer = undefined;
    await fleet.clock.advance(6_000);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a webhook that refuses says why, and the manifest is tried again', async () => {
    const sentence = 'admission webhook "no.example.com" denied the request: not on a Sunday';
    member.answer = ({ method, path }) =>
      method === 'POST' && path.endsWith('/configmaps') ? refusal(403, 'Forbidden', sentence) : undefined;
    const work = await fleet.place('web', [configMap('settings')]);
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /not on a Sunday/);
    member.answer = undefined;
    await fleet.clock.advance(6_000);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a take-over that is refused says why', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings') as KubeObject);
    member.answer = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/settings') ? refusal(403, 'Forbidden', 'hands off') : undefined;
    const work = await fleet.place('web', [configMap('settings')]);
    assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /hands off/);
  });

  const failingDryRuns = ({ method, query }: TransportRequest): ApiError | undefined =>
    method === 'PATCH' && query.includes('dryRun=All') ? refusal(500, 'InternalError', 'no dry runs today') : undefined;

  test('a comparison that fails is a failed drift detection', async () => {
    const strategy = { whenToApply: 'IfNotDrifted' } as const;
    await fleet.place('web', [configMap('settings')], { strategy });
    member.answer = failingDryRuns;
    await fleet.meddle(kinds.configMap, 'settings', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=False FailedToRunDriftDetection']);
  });

  test('a comparison that fails is a difference that is not reported', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings') as KubeObject);
    member.answer = failingDryRuns;
    const work = await fleet.place('web', [configMap('settings')], { strategy: { type: 'ReportDiff' } });
    assert.deepEqual(saidOf(work), ['DiffReported=False FailedToReportDiff']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /no dry runs today/);
  });

  test('a comparison that fails lets nothing be taken over', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings') as KubeObject);
    member.answer = failingDryRuns;
    const work = await fleet.place('web', [configMap('settings')], { strategy: { whenToTakeOver: 'IfNoDiff' } });
    assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
  });

  test('a lock that is lost again and again is tried by a later round', async () => {
    const strategy = { whenToApply: 'IfNotDrifted' } as const;
    await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
    let conflicts = 4;
    member.answer = ({ method, path, query }) =>
      method === 'PATCH' && path.endsWith('/settings') && !query.includes('dryRun') && conflicts-- > 0
        ? refusal(409, 'Conflict', 'somebody was faster')
        : undefined;
    await fleet.change('web', (work) => ({
      ...work,
      spec: { ...work.spec, workload: { manifests: [configMap('settings', { colour: 'red' })] } },
    }));
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=False ManifestApplyFailed']);
    await fleet.clock.advance(6_000);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('an object that was not known to be there is found when it is to be created', async () => {
    await fleet.place('web', [configMap('one')]);
    // The informer of ConfigMaps is a moment behind: it is told last.
    const object = configMap('two', { colour: 'green' }) as KubeObject;
    let isCreated = false;
    member.answer = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/configmaps') || isCreated) return undefined;
      isCreated = true;
      void fleet.member.client.create(kinds.configMap, object);
      return refusal(409, 'AlreadyExists', 'configmaps "two" already exists');
    };
    const work = await fleet.place('more', [configMap('two', { colour: 'blue' })]);
    assert.ok(isCreated);
    assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'two'))?.['data'], { colour: 'blue' });
  });

  test('a Work whose status cannot be written is tried again, later each time', async () => {
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    hub.answer = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/status') ? refusal(500, 'InternalError', 'the disk is full') : undefined;
    fleet.asked.hub.take();
    const work = await fleet.work('web');
    const manifests = [configMap('settings', { colour: 'red' }), configMap('more')];
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests } } });
    await fleet.clock.advance(minute);
    const tries = fleet.asked.hub.takeWrites().length;
    assert.ok(tries > 5 && tries < 20, `${tries} tries in a minute`);
    assert.equal(fleet.applier.isAtRest(), false);
    hub.answer = undefined;
    await fleet.clock.advance(31_000);
    assert.ok(fleet.applier.isAtRest());
    assert.deepEqual(inWords((await fleet.work('web')).status?.conditions), [
      'Applied=True AllManifestsApplied @2',
      'Available=True AllManifestsAvailable @2',
    ]);
  });
});

describe('a member whose objects may not be watched', () => {
  function withoutWatches({ send, close }: Transport): Transport {
    const way = new Way();
    way.answer = ({ method, path }) =>
      method === 'GET' && path.endsWith('/configmaps') ? refusal(403, 'Forbidden', 'no lists for you') : undefined;
    return way.through({ send, close });
  }

  test('is looked at by the timers, which are all that KubeFleet has', async () => {
    const fleet = await TestApplier.start({ throughMember: withoutWatches });
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'green' } });
    await fleet.clock.advance(1_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    await fleet.clock.advance(5_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
    fleet.asked.hub.take();
    await fleet.clock.advance(60_000);
    assert.deepEqual(fleet.asked.hub.takeWrites(), []);
    await fleet.stop();
  });
});

describe('what rounds end with', () => {
  test("is counted under KubeFleet's names", async () => {
    const fleet = await TestApplier.start();
    await fleet.place('web', [configMap('settings'), configMap('BAD')]);
    await fleet.place('diff', [configMap('other')], { strategy: { type: 'ReportDiff' } });
    const lines = fleet.metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('fleet_'));
    const works = 'fleet_work_processing_requests_total';
    const manifests = 'fleet_manifest_processing_requests_total';
    assert.deepEqual(lines, [
      `${manifests}{apply_status="Applied",availability_status="Available",diff_reporting_status="Skipped",drift_detection_status="NotFound",diff_detection_status="NotFound"} 1`,
      `${manifests}{apply_status="ManifestApplyFailed",availability_status="Skipped",diff_reporting_status="Skipped",drift_detection_status="NotFound",diff_detection_status="NotFound"} 1`,
      `${manifests}{apply_status="Skipped",availability_status="Skipped",diff_reporting_status="FoundDiff",drift_detection_status="NotFound",diff_detection_status="Found"} 1`,
      `${works}{apply_status="Skipped",availability_status="Skipped",diff_reporting_status="AllManifestsDiffReported"} 1`,
      `${works}{apply_status="SomeManifestsAreNotApplied",availability_status="Skipped",diff_reporting_status="Skipped"} 1`,
    ]);
    await fleet.stop();
  });
});
