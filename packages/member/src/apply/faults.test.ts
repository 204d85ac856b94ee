import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { works } from '@flotilla/api';
import { ConnectionError, type Transport, type TransportRequest } from '@flotilla/client';
import { ApiError, type KubeObject } from '@flotilla/kube';
import {
  configMap,
  deployment,
  summariesOf,
  kinds,
  manifestOf,
  namespace,
  conditionsOf,
  TestApplier,
} from './applier.testing.ts';

const minute = 60_000;

/** A connection that a test can cut, or give errors to answer with. */
class FaultyConnection {
  isCut = false;
  answer: ((request: TransportRequest) => ApiError | undefined) | undefined;

  readonly through = (transport: Transport): Transport => ({
    ...transport,
    send: async (request) => {
      if (this.isCut) throw new ConnectionError('connection refused', 'unreachable');
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

describe('with faults', () => {
  let fleet: TestApplier;
  let hub: FaultyConnection;
  let member: FaultyConnection;
  beforeEach(async () => {
    hub = new FaultyConnection();
    member = new FaultyConnection();
    fleet = await TestApplier.start({ throughHub: hub.through, throughMember: member.through });
  });
  afterEach(() => fleet.stop());

  test('an hour without a hub changes nothing on the member, and reconciling continues afterwards', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    const before = await fleet.onMember(kinds.configMap, 'settings');
    hub.isCut = true;
    await fleet.clock.advance(60 * minute);
    assert.deepEqual(await fleet.onMember(kinds.configMap, 'settings'), before);
    hub.isCut = false;
    const work = await fleet.change('web', (old) => ({
      ...old,
      spec: { workload: { manifests: [configMap('settings', { colour: 'red' })] } },
    }));
    assert.deepEqual(summariesOf(work.status?.conditions), [
      'Applied=True AllManifestsApplied @2',
      'Available=True AllManifestsAvailable @2',
    ]);
  });

  test('a drift is repaired while the hub is unreachable', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    hub.isCut = true;
    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
    await fleet.clock.advance(1_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
  });

  test('changes during an outage of the hub are reported soon after it', async () => {
    await fleet.createWork('web', [deployment('web')]);
    hub.isCut = true;
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const object = await fleet.onMember(kinds.deployment, 'web');
    const healthy = { ...object, status } as unknown as KubeObject;
    await fleet.member.client.update(kinds.deployment, healthy, { subresource: 'status' });
    await fleet.clock.advance(60 * minute);
    hub.isCut = false;
    await fleet.clock.advance(31_000);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied @1', 'Available=True Available @1']);
  });

  test('a new Work is applied when an unreachable member is back', async () => {
    await fleet.createWork('web', [configMap('settings')]);
    member.isCut = true;
    await fleet.hub.create(works, {
      metadata: { name: 'late', namespace },
      spec: { workload: { manifests: [configMap('late')] } },
    });
    await fleet.clock.advance(minute);
    member.isCut = false;
    await fleet.clock.advance(31_000);
    assert.deepEqual(conditionsOf(await fleet.work('late')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a failed read of an object is reported with its error', async () => {
    await fleet.member.create(kinds.configMap, configMap('settings'));
    member.answer = ({ method, path }) =>
      method === 'GET' && path.endsWith('/settings') ? refusal(500, 'InternalError', 'etcd is asleep') : undefined;
    const work = await fleet.createWork('web', [configMap('settings')]);
    assert.deepEqual(conditionsOf(work), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.match(
      manifestOf(work).conditions[0]?.message ?? '',
      /could not be read: the member refused the request: etcd is asleep/,
    );
    member.answer = undefined;
    await fleet.clock.advance(6_000);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('an object that exists is found even if its creation is refused for another reason', async () => {
    await fleet.member.create(kinds.configMap, configMap('settings'));
    member.answer = ({ method, path }) =>
      method === 'POST' && path.endsWith('/configmaps') ? refusal(403, 'Forbidden', 'exceeded quota') : undefined;
    const work = await fleet.createWork('web', [configMap('settings')]);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a refusal by a webhook is reported, and the manifest is retried', async () => {
    const sentence = 'admission webhook "no.example.com" denied the request: not on a Sunday';
    member.answer = ({ method, path }) =>
      method === 'POST' && path.endsWith('/configmaps') ? refusal(403, 'Forbidden', sentence) : undefined;
    const work = await fleet.createWork('web', [configMap('settings')]);
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /not on a Sunday/);
    member.answer = undefined;
    await fleet.clock.advance(6_000);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a refused take-over is reported with its error', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings'));
    member.answer = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/settings') ? refusal(403, 'Forbidden', 'hands off') : undefined;
    const work = await fleet.createWork('web', [configMap('settings')]);
    assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /hands off/);
  });

  const failingDryRuns = ({ method, query }: TransportRequest): ApiError | undefined =>
    method === 'PATCH' && query.includes('dryRun=All') ? refusal(500, 'InternalError', 'no dry runs today') : undefined;

  test('a failed comparison is reported as FailedToRunDriftDetection', async () => {
    const strategy = { whenToApply: 'IfNotDrifted' } as const;
    await fleet.createWork('web', [configMap('settings')], { strategy });
    member.answer = failingDryRuns;
    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=False FailedToRunDriftDetection']);
  });

  test('a failed comparison is reported as FailedToReportDiff', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings'));
    member.answer = failingDryRuns;
    const work = await fleet.createWork('web', [configMap('settings')], { strategy: { type: 'ReportDiff' } });
    assert.deepEqual(conditionsOf(work), ['DiffReported=False FailedToReportDiff']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /no dry runs today/);
  });

  test('a failed comparison prevents a take-over', async () => {
    await fleet.member.client.create(kinds.configMap, configMap('settings'));
    member.answer = failingDryRuns;
    const work = await fleet.createWork('web', [configMap('settings')], { strategy: { whenToTakeOver: 'IfNoDiff' } });
    assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
  });

  test('a manifest with repeated write conflicts is retried by a later round', async () => {
    const strategy = { whenToApply: 'IfNotDrifted' } as const;
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
    let conflicts = 4;
    member.answer = ({ method, path, query }) =>
      method === 'PATCH' && path.endsWith('/settings') && !query.includes('dryRun') && conflicts-- > 0
        ? refusal(409, 'Conflict', 'changed meanwhile')
        : undefined;
    await fleet.change('web', (work) => ({
      ...work,
      spec: { ...work.spec, workload: { manifests: [configMap('settings', { colour: 'red' })] } },
    }));
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=False ManifestApplyFailed']);
    await fleet.clock.advance(6_000);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('a create that meets an existing object reads it and applies', async () => {
    await fleet.createWork('web', [configMap('one')]);
    // The informer of ConfigMaps does not show the object yet.
    const object = configMap('two', { colour: 'green' });
    let isCreated = false;
    member.answer = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/configmaps') || isCreated) return undefined;
      isCreated = true;
      void fleet.member.client.create(kinds.configMap, object);
      return refusal(409, 'AlreadyExists', 'configmaps "two" already exists');
    };
    const work = await fleet.createWork('more', [configMap('two', { colour: 'blue' })]);
    assert.ok(isCreated);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'two'))?.['data'], { colour: 'blue' });
  });

  test('a failed status write is retried with growing delays', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    hub.answer = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/status') ? refusal(500, 'InternalError', 'the disk is full') : undefined;
    fleet.requests.hub.take();
    const work = await fleet.work('web');
    const manifests = [configMap('settings', { colour: 'red' }), configMap('more')];
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests } } });
    await fleet.clock.advance(minute);
    const tries = fleet.requests.hub.takeWrites().length;
    assert.ok(tries > 5 && tries < 20, `${tries} tries in a minute`);
    assert.equal(fleet.applier.isAtRest(), false);
    hub.answer = undefined;
    await fleet.clock.advance(31_000);
    assert.ok(fleet.applier.isAtRest());
    assert.deepEqual(summariesOf((await fleet.work('web')).status?.conditions), [
      'Applied=True AllManifestsApplied @2',
      'Available=True AllManifestsAvailable @2',
    ]);
  });
});

describe('a member whose objects may not be watched', () => {
  function withoutWatches({ send, close }: Transport): Transport {
    const way = new FaultyConnection();
    way.answer = ({ method, path }) =>
      method === 'GET' && path.endsWith('/configmaps') ? refusal(403, 'Forbidden', 'no lists for you') : undefined;
    return way.through({ send, close });
  }

  test('is reconciled by timers alone, as in KubeFleet', async () => {
    const fleet = await TestApplier.start({ throughMember: withoutWatches });
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
    await fleet.clock.advance(1_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    await fleet.clock.advance(5_000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
    fleet.requests.hub.take();
    await fleet.clock.advance(60_000);
    assert.deepEqual(fleet.requests.hub.takeWrites(), []);
    await fleet.stop();
  });
});

describe('the result of a round', () => {
  test("is counted under KubeFleet's names", async () => {
    const fleet = await TestApplier.start();
    await fleet.createWork('web', [configMap('settings'), configMap('BAD')]);
    await fleet.createWork('diff', [configMap('other')], { strategy: { type: 'ReportDiff' } });
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
