import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { revisedObject } from './revise-object.ts';

const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';

async function conditionOf(server: TestServer, name: string): Promise<unknown> {
  await server.turns.whenIdle();
  await server.settle();
  const { body } = await server.request('GET', `${flowControl}/flowschemas/${name}`);
  const { conditions = [] } = (body['status'] ?? {}) as { conditions?: JsonObject[] };
  return conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

function schema(name: string, level: string): JsonObject {
  const subjects = [{ kind: 'User', user: { name: 'jane' } }];
  const rules = [{ subjects, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }] }];
  return { metadata: { name }, spec: { priorityLevelConfiguration: { name: level }, rules } };
}

describe('flow control objects', () => {
  test('a schema says whether its priority level exists', async () => {
    const server = await startTestServer();
    const about = 'This FlowSchema references the PriorityLevelConfiguration object named "gold"';
    const missing = [['Dangling', 'True', 'NotFound', `${about} but there is no such object`]];
    await server.request('POST', `${flowControl}/flowschemas`, { body: schema('of-jane', 'gold') });
    assert.deepEqual(await conditionOf(server, 'of-jane'), missing);
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    const levels = `${flowControl}/prioritylevelconfigurations`;
    await server.request('POST', levels, { body: { metadata: { name: 'gold' }, spec } });
    assert.deepEqual(await conditionOf(server, 'of-jane'), [['Dangling', 'False', 'Found', `${about} and it exists`]]);
    await server.request('DELETE', `${levels}/gold`);
    assert.deepEqual(await conditionOf(server, 'of-jane'), missing);
  });

  test('default objects return a minute after they were deleted, and others do not', async () => {
    const server = await startTestServer();
    await server.request('POST', `${flowControl}/flowschemas`, { body: schema('of-jane', 'system') });
    const deleted = ['flowschemas/exempt', 'flowschemas/probes', 'prioritylevelconfigurations/catch-all'];
    const statuses = (): Promise<number[]> =>
      Promise.all(
        [...deleted, 'flowschemas/of-jane'].map(
          async (path) => (await server.request('GET', `${flowControl}/${path}`)).status,
        ),
      );
    for (const path of [...deleted, 'flowschemas/of-jane']) await server.request('DELETE', `${flowControl}/${path}`);
    await server.clock.advance(59_000);
    assert.deepEqual(await statuses(), [404, 404, 404, 404]);
    await server.clock.advance(1000);
    await server.settle();
    assert.deepEqual(await statuses(), [200, 200, 200, 404]);
  });

  test('an object of an earlier version is removed while the server owns it', async () => {
    const server = await startTestServer();
    for (const annotation of ['true', 'false']) {
      const object = schema(`old-${annotation}`, 'system');
      const annotations = { 'apf.kubernetes.io/autoupdate-spec': annotation };
      Object.assign(object['metadata'] as JsonObject, { annotations });
      await server.request('POST', `${flowControl}/flowschemas`, { body: object });
    }
    await server.request('DELETE', `${flowControl}/flowschemas/probes`);
    await server.clock.advance(60_000);
    await server.settle();
    assert.equal((await server.request('GET', `${flowControl}/flowschemas/old-true`)).status, 404);
    assert.equal((await server.request('GET', `${flowControl}/flowschemas/old-false`)).status, 200);
  });
});

describe('a default object', () => {
  const wanted = { spec: { matchingPrecedence: 1 } };
  const key = 'apf.kubernetes.io/autoupdate-spec';

  function current(annotation: string | undefined, generation: number, precedence: number): KubeObject {
    const annotations = annotation === undefined ? {} : { [key]: annotation };
    const spec = { matchingPrecedence: precedence };
    return { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', generation, annotations }, spec };
  }

  const cases: readonly (readonly [
    string,
    KubeObject,
    boolean,
    readonly [precedence: number, annotation: string] | undefined,
  ])[] = [
    ['is left alone if it is right', current('true', 1, 1), false, undefined],
    ['is restored while its annotation is true', current('T', 5, 2), false, [1, 'T']],
    ['is kept while its annotation is false', current('false', 1, 2), false, undefined],
    ['without an annotation is restored if it was never changed', current(undefined, 1, 2), false, [1, 'true']],
    ['without an annotation is kept if it was changed', current(undefined, 2, 2), false, [2, 'false']],
    ['with another annotation is judged by its generation', current('yes', 2, 2), false, [2, 'false']],
    ['that is mandatory is always restored', current('false', 3, 2), true, [1, 'true']],
  ];

  for (const [claim, object, isMandatory, expected] of cases) {
    test(claim, () => {
      const revised = revisedObject(object, wanted, isMandatory);
      const { matchingPrecedence } = (revised?.['spec'] ?? {}) as { matchingPrecedence?: number };
      assert.deepEqual(revised && [matchingPrecedence, revised.metadata.annotations?.[key]], expected);
    });
  }
});
