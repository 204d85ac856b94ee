import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { works, type ApplyStrategy, type Condition, type ManifestCondition, type Work } from '@flotilla/api';
import { ConnectionError, type Transport } from '@flotilla/client';
import { identifierOf } from '../manifest/identifier.ts';
import type { Prepared } from './prepare-manifests.ts';
import { configMap, summariesOf, kinds, namespace, conditionsOf, TestApplier } from '../applier.testing.ts';
import { writeAhead } from './write-ahead.ts';

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

describe('writeAhead', () => {
  test('adds an entry for each new manifest, with the generation of the Work', () => {
    const ahead = writeAhead(aWork([]), [prepared('a')], now);
    assert.deepEqual(summariesOf(ahead?.status.manifestConditions?.[0]?.conditions), [
      'Applied=False PreparingToProcess @2',
    ]);
  });

  test('keeps known entries unchanged', () => {
    const known = entry('a', condition('True', 'Applied'));
    const ahead = writeAhead(aWork([known]), [prepared('a')], now);
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
    const ahead = writeAhead(work, [prepared('b')], now);
    assert.deepEqual(
      ahead?.leftOvers.map(({ name }) => name),
      ['applied', 'prepared'],
    );
  });

  test('is not needed for a generation that was tried, whatever the result', () => {
    for (const status of ['True', 'False'] as const) {
      assert.equal(writeAhead(aWork([], [condition(status, 'Any', 2)]), [prepared('a')], now), undefined);
    }
    assert.notEqual(writeAhead(aWork([], [condition('True', 'Any', 1)]), [prepared('a')], now), undefined);
  });

  test('is not needed for ReportDiff', () => {
    assert.equal(writeAhead(aWork([], [], 'ReportDiff'), [prepared('a')], now), undefined);
  });

  test('keeps the conditions of the Work', () => {
    const before = condition('True', 'AllManifestsApplied', 1);
    assert.deepEqual(writeAhead(aWork([], [before]), [], now)?.status.conditions, [before]);
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
    let statuses = 0;
    fails = (method, path) => method === 'PUT' && path.includes('/works/web/status') && ++statuses > 1;
    await fleet.hub.create(works, {
      metadata: { name: 'web', namespace },
      spec: { workload: { manifests: [configMap('one')] } },
    });
    await fleet.clock.advance(100);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=False PreparingToProcess @1']);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);

    await fleet.applier.stop();
    fails = () => false;
    const work = await fleet.work('web');
    await fleet.hub.client.update(works, { ...work, spec: { workload: { manifests: [configMap('two')] } } });
    await fleet.restart();
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });

  test('applies nothing before the write-ahead is on the hub', async () => {
    fails = (method, path) => method === 'PUT' && path.includes('/works/web/status');
    await fleet.hub.create(works, {
      metadata: { name: 'web', namespace },
      spec: { workload: { manifests: [configMap('one')] } },
    });
    await fleet.clock.advance(1_000);
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    fails = () => false;
    await fleet.clock.advance(30_000);
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });

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
