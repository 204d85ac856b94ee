import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';

interface Shown {
  metadata: { labels?: object; generation: number; managedFields: { subresource?: string; fieldsV1: JsonObject }[] };
  spec: { containers: { image: string; resources: object }[]; ephemeralContainers?: { name: string }[] };
}

describe('subresources of a pod', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    for (const name of ['debugged', 'resized']) {
      const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }];
      await server.request('POST', pods, { body: { metadata: { name }, spec: { containers } } });
    }
  });

  function patch(path: string, body: JsonObject): Promise<WireAnswer> {
    return server.request('PATCH', `${pods}/${path}`, { body, type: 'application/strategic-merge-patch+json' });
  }

  test('ephemeralcontainers changes nothing but the ephemeral containers', async () => {
    const containers = [{ name: 'c', image: 'other' }];
    const ephemeralContainers = [{ name: 'dbg', image: 'busybox' }];
    const answer = await patch('debugged/ephemeralcontainers', { spec: { containers, ephemeralContainers } });
    const { spec, metadata } = answer.body as unknown as Shown;
    assert.equal(answer.status, 200);
    assert.deepEqual(
      spec.ephemeralContainers?.map(({ name }) => name),
      ['dbg'],
    );
    assert.equal(spec.containers[0]?.image, 'i');
    // Kubernetes records the manager of the image, though it ignores the change.
    const owned = metadata.managedFields.find(({ subresource }) => subresource === 'ephemeralcontainers');
    assert.partialDeepStrictEqual(owned?.fieldsV1, {
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:image': {} } } },
    });
  });

  test('resize changes nothing but the resources', async () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '200m' } } }];
    const { body } = await patch('resized/resize', { metadata: { labels: { a: 'b' } }, spec: { containers } });
    const { spec, metadata } = body as unknown as Shown;
    assert.deepEqual(spec.containers[0]?.resources, { requests: { cpu: '200m' } });
    assert.deepEqual([metadata.labels, metadata.generation], [undefined, 2]);
  });

  test('return the pod on a get, and refuse a delete', async () => {
    assert.equal((await server.request('GET', `${pods}/resized/resize`)).body['kind'], 'Pod');
    assert.equal((await server.request('DELETE', `${pods}/resized/resize`)).status, 405);
  });
});
