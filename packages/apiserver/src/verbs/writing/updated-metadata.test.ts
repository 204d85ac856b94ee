/** How often kube-apiserver v1.36 reports each cause, for one kind of each group in the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';

const change = { deletionGracePeriodSeconds: 5, labels: { a: '!' }, finalizers: ['short'] };

const [grace, labels, finalizer] = ['metadata.deletionGracePeriodSeconds', 'metadata.labels', 'metadata.finalizers[0]'];
const common = [labels, grace, labels];

const kinds: Readonly<
  Record<string, readonly [path: string, object: object, causes: readonly (string | undefined)[]]>
> = {
  'validated once': ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', { spec: { minAvailable: 1 } }, common],
  'validated again as a change': [
    '/api/v1/namespaces/default/resourcequotas',
    {},
    [...common, grace, labels, finalizer],
  ],
  'validated again as an object': [
    '/api/v1/namespaces/default/limitranges',
    { spec: { limits: [] } },
    [...common, labels, finalizer],
  ],
  'validated again as a change and an object': [
    '/api/v1/namespaces/default/configmaps',
    {},
    [...common, grace, labels, finalizer, labels, finalizer],
  ],
  'validated again as an object and a change': [
    '/apis/storage.k8s.io/v1/storageclasses',
    { provisioner: 'a/b' },
    [...common, labels, finalizer, grace, labels, finalizer],
  ],
  'validated again as an object with any finalizer': [
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {},
    [...common, labels],
  ],
};

for (const [name, [path, object, causes]] of Object.entries(kinds)) {
  test(`the metadata of an update is ${name}`, async () => {
    const server = await startTestServer();
    const { body: created } = await server.request('POST', path, { body: { ...object, metadata: { name: 'x' } } });
    const metadata = { ...(created['metadata'] as object), ...change };
    const { status, body } = await server.request('PUT', `${path}/x`, { body: { ...created, metadata } });
    assert.equal(status, 422);
    const found = (body['details'] as { causes: { field: string }[] }).causes.map(({ field }) => field);
    assert.deepEqual(found, causes);
  });
}
