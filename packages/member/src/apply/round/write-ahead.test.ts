import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  firstManifestsAnnotation,
  works,
  type AppliedWork,
  type ApplyStrategy,
  type Condition,
  type ManifestCondition,
  type Work,
} from '@flotilla/api';
import { ConnectionError, type Transport } from '@flotilla/client';
import type { KubeObject } from '@flotilla/kube';
import { identifierOf } from '../manifest/identifier.ts';
import type { Prepared } from './prepare-manifests.ts';
import { configMap, summariesOf, kinds, namespace, conditionsOf, TestApplier } from '../applier.testing.ts';
import { firstManifests, writeAhead } from './write-ahead.ts';

const now = new Date('2026-01-01T00:00:00Z');

function identifier(name: string, ordinal = 0) {
  const gvk = { group: '', version: 'v1', kind: 'ConfigMap' };
  return identifierOf(ordinal, { gvk, resource: 'configmaps', namespace: 'apps', name });
}

function prepared(name: string): Prepared {
  const object = configMap(name);
  return { identifier: identifier(name), kind: kinds.configMap, key: { namespace: 'apps', name }, object };
}

function condition(status: Condition['status'], reason: string, observedGeneration = 1): Condition {
  return {
    type: 'Applied',
    status,
    observedGeneration,
    lastTransitionTime: '2025-01-01T00:00:00Z',
    reason,
    message: '',
  };
}

function entry(name: string, ...conditions: Condition[]): ManifestCondition {
  return { identifier: identifier(name), conditions };
}

function aWork(
  manifestConditions: ManifestCondition[],
  conditions: Condition[] = [],
  type?: ApplyStrategy['type'],
): Work {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name: 'web', generation: 2 },
    spec: type === undefined ? {} : { applyStrategy: { type } as ApplyStrategy },
    status: { conditions, manifestConditions },
  };
}

function anAppliedWork(firstManifests: string | undefined): AppliedWork {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'AppliedWork',
    metadata: { name: 'web', annotations: { [firstManifestsAnnotation]: firstManifests ?? '' } },
    spec: { workName: 'web', workNamespace: namespace },
  };
}

const isStatusOfWork = (method: string, path: string): boolean =>
  method === 'PUT' && path.includes('/works/web/status');

describe('writeAhead', () => {
  test('adds an entry for each new manifest, with the generation of the Work', () => {
    const ahead = writeAhead(aWork([]), [prepared('a')], { now, appliedWork: undefined });
    assert.deepEqual(summariesOf(ahead?.status.manifestConditions?.[0]?.conditions), [
      'Applied=False PreparingToProcess @2',
    ]);
  });

  test('keeps known entries unchanged', () => {
    const known = entry('a', condition('True', 'Applied'));
    const ahead = writeAhead(aWork([known]), [prepared('a')], { now, appliedWork: undefined });
    assert.deepEqual(ahead?.status.manifestConditions, [known]);
    assert.deepEqual(ahead.leftOvers, []);
  });

  test('finds left-overs: objects that may have been applied and are no longer in the Work', () => {
    const work = aWork([
      entry('applied', condition('True', 'Applied')),
      entry('prepared', condition('False', 'PreparingToProcess')),
      entry('failed', condition('False', 'ManifestApplyFailed')),
      entry('reported'),
      { identifier: { ordinal: 4 }, conditions: [condition('True', 'Applied')] },
    ]);
    const ahead = writeAhead(work, [prepared('b')], { now, appliedWork: undefined });
    assert.deepEqual(
      ahead?.leftOvers.map(({ name }) => name),
      ['applied', 'prepared'],
    );
  });

  test('is not needed for a generation that was tried, whatever the result', () => {
    for (const status of ['True', 'False'] as const) {
      assert.equal(
        writeAhead(aWork([], [condition(status, 'Any', 2)]), [prepared('a')], { now, appliedWork: undefined }),
        undefined,
      );
    }
    assert.notEqual(
      writeAhead(aWork([], [condition('True', 'Any', 1)]), [prepared('a')], { now, appliedWork: undefined }),
      undefined,
    );
  });

  test('is not needed for ReportDiff', () => {
    assert.equal(writeAhead(aWork([], [], 'ReportDiff'), [prepared('a')], { now, appliedWork: undefined }), undefined);
  });

  test('is not needed for a Work without a status whose AppliedWork names the same objects', () => {
    const appliedWork = anAppliedWork(firstManifests(aWork([]), [prepared('a'), prepared('b')]));
    assert.equal(writeAhead(aWork([]), [prepared('b'), prepared('a')], { now, appliedWork }), undefined);
    const more = [prepared('a'), prepared('b'), prepared('c')];
    assert.notEqual(writeAhead(aWork([]), more, { now, appliedWork }), undefined);
  });

  test('finds left-overs of a Work without a status in its AppliedWork', () => {
    const work = aWork([]);
    const text = firstManifests(work, [prepared('a'), prepared('b')]);
    const ahead = writeAhead(work, [prepared('b')], { now, appliedWork: anAppliedWork(text) });
    assert.deepEqual(
      ahead?.leftOvers.map(({ name }) => name),
      ['a'],
    );
    const reported = aWork([entry('c', condition('True', 'Applied'))]);
    assert.equal(firstManifests(reported, [prepared('b')]), undefined);
    assert.deepEqual(
      writeAhead(reported, [prepared('b')], { now, appliedWork: anAppliedWork(text) })?.leftOvers.map(
        ({ name }) => name,
      ),
      ['c'],
    );
  });

  test('ignores an AppliedWork that a user has changed', () => {
    for (const text of ['', '{', '{}', '[1, null, [], "a"]', '[{"name":1,"__proto__":{}}]']) {
      const ahead = writeAhead(aWork([]), [prepared('a')], { now, appliedWork: anAppliedWork(text) });
      assert.deepEqual(
        ahead?.leftOvers.filter(({ name }) => name !== undefined),
        [],
        text,
      );
    }
  });

  test('needs the status if there are too many manifests for an annotation', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => prepared(`manifest-${index}`));
    assert.equal(firstManifests(aWork([]), many), undefined);
  });

  test('keeps the conditions of the Work', () => {
    const before = condition('True', 'AllManifestsApplied', 1);
    assert.deepEqual(writeAhead(aWork([], [before]), [], { now, appliedWork: undefined })?.status.conditions, [before]);
  });
});

describe('an agent that crashes', () => {
  let fleet: TestApplier;
  let fails: (method: string, path: string) => boolean;
  beforeEach(async () => {
    fails = () => false;
    const through = (transport: Transport): Transport => ({
      ...transport,
      send: (request) =>
        fails(request.method, request.path)
          ? Promise.reject(new ConnectionError('connection refused', 'unreachable'))
          : transport.send(request),
    });
    fleet = await TestApplier.start({ throughHub: through, throughMember: through });
  });
  afterEach(() => fleet.stop());

  test('between the write-ahead and the report can remove its objects after a restart', async () => {
    fails = isStatusOfWork;
    await createWeb(configMap('one'));
    await fleet.clock.advance(100);
    assert.equal((await fleet.work('web')).status, undefined);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);

    await fleet.applier.stop();
    fails = () => false;
    const work = await fleet.work('web');
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests: [configMap('two')] } } });
    await fleet.restart();
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('applies nothing of a new Work before its AppliedWork names it', async () => {
    fails = (method, path) => method === 'POST' && path.includes('/appliedworks');
    await createWeb(configMap('one'));
    await fleet.clock.advance(1_000);
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    fails = () => false;
    await fleet.clock.advance(30_000);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });

  test('applies nothing of a changed Work before its status names it', async () => {
    await fleet.createWork('web', [configMap('one')]);
    fails = isStatusOfWork;
    const work = await fleet.work('web');
    const manifests = [configMap('one'), configMap('two')];
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests } } });
    await fleet.clock.advance(1_000);
    assert.equal(await fleet.onMember(kinds.configMap, 'two'), undefined);
    fails = () => false;
    await fleet.clock.advance(30_000);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'two'), undefined);
  });

  function createWeb(manifest: KubeObject): Promise<unknown> {
    const spec = { workload: { manifests: [manifest] } };
    return fleet.hub.create(works, { metadata: { name: 'web', namespace }, spec });
  }

  test('retries left-overs that could not be removed', async () => {
    await fleet.createWork('web', [configMap('one')]);
    fails = (method) => method === 'DELETE';
    const work = await fleet.work('web');
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests: [configMap('two')] } } });
    await fleet.clock.advance(100);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);
    fails = () => false;
    await fleet.clock.advance(30_000);
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'two'), undefined);
  });
});
