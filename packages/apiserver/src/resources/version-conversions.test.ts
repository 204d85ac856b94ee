import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

describe('events', () => {
  const core = '/api/v1/namespaces/default/events';
  const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.request('POST', newer, {
      body: {
        metadata: { name: 'e' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController: 'a.b/c',
        reportingInstance: 'i',
        action: 'A',
        reason: 'R',
        regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
        note: 'N',
        type: 'Warning',
      },
    });
  });

  async function names(target: string): Promise<string[]> {
    const { body } = await server.request('GET', target);
    return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  }

  test('of the newer version are served in the older one', async () => {
    const { text } = await server.request('GET', `${core}/e`);
    assert.match(
      text,
      /"involvedObject":\{"kind":"Pod","namespace":"default","name":"p"\},"reason":"R","message":"N","source":\{\},"firstTimestamp":null,"lastTimestamp":null,"type":"Warning","eventTime":/,
    );
  });

  test('are found by the field labels of either version', async () => {
    assert.deepEqual(await names(`${core}?fieldSelector=involvedObject.kind=Pod,source=a.b/c`), ['e']);
    assert.deepEqual(await names(`${newer}?fieldSelector=regarding.kind=Pod,reportingController=a.b/c`), ['e']);
  });

  test('are refused with errors about the older kind', async () => {
    const { body } = await server.request('POST', newer, { body: { metadata: { name: 'bad' } } });
    assert.match(body['message'] as string, /^Event "bad" is invalid: /);
  });
});

describe('autoscalers', () => {
  const at = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

  test('are the same object in both versions', async () => {
    const server = await startTestServer();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const spec = { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 70 };
    await server.request('POST', at('v1'), { body: { metadata: { name: 'a' }, spec } });
    const { body } = await server.request('GET', `${at('v2')}/a`);
    const [metric] = (body['spec'] as { metrics: JsonObject[] }).metrics;
    const target = { type: 'Utilization', averageUtilization: 70 };
    assert.deepEqual(metric, { type: 'Resource', resource: { name: 'cpu', target } });
  });
});
