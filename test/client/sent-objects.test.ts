import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deployments, type Kind, type KubeObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { deployment, startTestServer, type TestServer } from '@flotilla/testkit';

const widgets: Kind = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };

const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

const widget: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x', namespace: 'default', labels: { b: '1', a: '2' } },
  spec: { unknown: { pruned: true } },
};

let server: TestServer;

before(async () => {
  server = await startTestServer({ definitions: [definition] });
});

after(() => server.stop());

/** Editing the object, or a part of it, throws from then on. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}

/** Every text in the object becomes another one. */
function spoil(value: object): void {
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'string') Object.assign(value, { [key]: 'spoiled' });
    else if (typeof child === 'object' && child !== null) spoil(child as object);
  }
}

for (const [kind, object] of [
  [widgets, widget],
  [deployments, deployment('web', { replicas: 0 })],
] as const) {
  test(`the server neither edits nor keeps a ${kind.kind} that a client in its process sends`, async () => {
    const { client } = server;
    const view = client.view?.(kind, {});
    const { namespace, name = '' } = object.metadata;
    freeze(object);
    const created = await client.create(kind, object, { mayShare: true });
    // From the first read of a kind on, written objects are kept.
    assert.deepEqual(view?.get({ namespace, name }), created);
    const status = { conditions: [{ type: 'Available', status: 'True' }] };
    const sent = structuredClone({ ...created, status });
    const updated = await client.update(kind, sent, { subresource: 'status', mayShare: true });
    const stored = structuredClone(updated);
    spoil(sent);
    assert.deepEqual(view?.get({ namespace, name }), stored);
    assert.deepEqual(await client.get(kind, { namespace, name }), stored);
  });

  test(`a ${kind.kind} that a view has is sent back with its managedFields, which are not edited`, async () => {
    const { client } = server;
    const view = client.view?.(kind, {});
    const { namespace = '' } = object.metadata;
    const name = 'y';
    await client.create(kind, { ...object, metadata: { namespace, name } });
    for (const options of [{ subresource: 'status', fieldManager: 'b' }, { fieldManager: 'c' }]) {
      const known = view?.get({ namespace, name });
      assert.ok(known);
      freeze(known);
      const annotations = { ...known.metadata.annotations, [options.fieldManager]: 'x' };
      const status = { conditions: [{ type: 'Available', status: 'True' }] };
      const metadata = { ...known.metadata, annotations };
      const { metadata: written } = await client.update(kind, { ...known, metadata, status }, options);
      const others = written.managedFields?.filter(({ manager }) => manager !== options.fieldManager);
      assert.deepEqual(others, known.metadata.managedFields);
      assert.equal(written.managedFields?.length, (others?.length ?? 0) + 1);
    }
  });
}
