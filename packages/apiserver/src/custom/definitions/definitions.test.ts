import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { conditionsOf, define, definitionsPath, until, v1, versionOf, widgets } from '../widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';

function widget(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, ...more };
}

interface Condition {
  type: string;
  status: string;
  reason: string;
}

function stepsOf(events: { type: string; object: JsonObject }[]): string[] {
  return events.map(({ type, object }) => {
    const { conditions } = object['status'] as unknown as { conditions?: Condition[] | null };
    return [type, ...(conditions ?? []).map((one) => `${one.type}=${one.status}/${one.reason}`)].join(' ');
  });
}

describe('a new definition', () => {
  test('gets its names and is served in one write, where kube-apiserver makes two', async () => {
    const server = await startTestServer();
    const watch = await server.watch(`${definitionsPath}?watch=1`);
    await define(server, widgets());
    assert.deepEqual(stepsOf(await watch.events()), [
      'ADDED',
      'MODIFIED NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted',
    ]);
  });

  test('has status fields owned by kube-apiserver', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    const { body } = await server.request('GET', `${definitionsPath}/widgets.example.com`);
    const { managedFields } = body['metadata'] as { managedFields: JsonObject[] };
    const managers = managedFields.map(({ manager, operation, subresource }) => [manager, operation, subresource]);
    assert.deepEqual(managers, [
      ['kube-apiserver', 'Update', 'status'],
      ['test', 'Update', undefined],
    ]);
  });

  test('is in discovery by its accepted names', async () => {
    const server = await startTestServer();
    await define(server, widgets({ names: { shortNames: ['wd'], categories: ['all'] } }));
    const { body } = await server.request('GET', '/apis/example.com/v1');
    const [resource] = body['resources'] as JsonObject[];
    assert.deepEqual(resource?.['shortNames'], ['wd']);
    assert.deepEqual(resource?.['categories'], ['all']);
    assert.equal(resource?.['singularName'], 'widget');
  });

  test('has an APIService while its version serves a resource', async () => {
    const server = await startTestServer();
    const registered = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com';
    await define(server, widgets());
    await until(async () => (await server.request('GET', registered)).status === 200);
    const { body } = await server.request('GET', registered);
    assert.deepEqual(body['spec'], {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });
    await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    await until(async () => (await server.request('GET', registered)).status === 404);
  });

  test('is served by a server that starts later on the same store', async () => {
    const first = await startTestServer();
    await define(first, widgets());
    await first.request('POST', path, { body: widget('a') });
    const second = await startTestServer({ store: first.store });
    assert.equal((await second.request('GET', `${path}/a`)).status, 200);
  });
});

describe('names that another definition of the group has', () => {
  const conflicting = widgets({
    plural: 'gadgets',
    kind: 'Gadget',
    names: { singular: 'widget', listKind: 'GadgetList' },
  });

  test('are not accepted twice, and a definition without names is not served', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', definitionsPath, { body: conflicting });
    await until(async () => (await conditionsOf(server, 'gadgets.example.com'))['NamesAccepted'] === 'False');
    assert.deepEqual(await conditionsOf(server, 'gadgets.example.com'), {
      NamesAccepted: 'False',
      Established: 'False',
    });
    assert.equal((await server.request('GET', '/apis/example.com/v1/gadgets')).status, 404);
  });

  test('are not accepted for a served definition that requests them later', async () => {
    const server = await startTestServer();
    await define(server, widgets({ names: { shortNames: ['wd'] } }));
    await define(server, widgets({ plural: 'gadgets', kind: 'Gadget' }));
    const body = { spec: { names: { shortNames: ['wd'] } } };
    await server.request('PATCH', `${definitionsPath}/gadgets.example.com`, { body, type: merge });
    await until(async () => (await conditionsOf(server, 'gadgets.example.com'))['NamesAccepted'] === 'False');
    assert.equal((await conditionsOf(server, 'gadgets.example.com'))['Established'], 'True');
    const { resources } = (await server.request('GET', '/apis/example.com/v1')).body as { resources: JsonObject[] };
    assert.deepEqual(
      resources.map(({ name, shortNames }) => [name, shortNames]),
      [
        ['gadgets', undefined],
        ['widgets', ['wd']],
      ],
    );
  });

  test('are free when that definition is deleted', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', definitionsPath, { body: conflicting });
    await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    await until(async () => (await conditionsOf(server, 'gadgets.example.com'))['Established'] === 'True');
    assert.equal((await server.request('GET', '/apis/example.com/v1/gadgets')).status, 200);
  });
});

describe('deleting a definition', () => {
  test('deletes its objects and ends their watches', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    for (const name of ['a', 'b']) await server.request('POST', path, { body: widget(name) });
    const watch = await server.watch(`${path}?watch=1&resourceVersion=0`);
    const { status, body } = await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    assert.equal(status, 200);
    assert.deepEqual((body['metadata'] as JsonObject)['finalizers'], ['customresourcecleanup.apiextensions.k8s.io']);
    await until(async () => (await server.request('GET', `${definitionsPath}/widgets.example.com`)).status === 404);
    assert.equal(server.store.count('example.com/widgets'), 0);
    assert.ok(watch.isEnded);
    assert.equal((await server.request('GET', `${path}/a`)).text, '404 page not found\n');
  });

  test('waits for finalizers, and refuses creates meanwhile', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    const held = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', finalizers: ['x.io/hold'] } };
    await server.request('POST', path, { body: held });
    await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    await until(async () => (await server.request('GET', `${path}/a`)).text.includes('deletionTimestamp'));

    const { status, body } = await server.request('POST', path, { body: widget('b') });
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    );
    const { resources } = (await server.request('GET', '/apis/example.com/v1')).body as { resources: JsonObject[] };
    assert.deepEqual(resources[0]?.['verbs'], ['delete', 'deletecollection', 'get', 'list', 'watch']);

    await server.request('PATCH', `${path}/a`, { body: { metadata: { finalizers: null } }, type: merge });
    await until(async () => (await server.request('GET', `${definitionsPath}/widgets.example.com`)).status === 404);
  });

  test('reports what it waits for after a minute', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    const held = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', finalizers: ['x.io/hold'] } };
    await server.request('POST', path, { body: held });
    const watch = await server.watch(`${definitionsPath}?watch=1`);
    await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    await until(async () => (await server.request('GET', `${path}/a`)).text.includes('deletionTimestamp'));
    await until(async () => {
      await server.clock.advance(30_000);
      return (await watch.events()).length >= 5;
    });
    const reasons = stepsOf((await watch.events()).slice(1, 5)).map((step) => step.split(' Terminating=')[1]);
    assert.deepEqual(reasons, [
      'True/InstanceDeletionPending',
      'True/InstanceDeletionInProgress',
      'True/InstanceDeletionCheck',
      'True/InstanceDeletionInProgress',
    ]);
  });

  test('that was never served leaves objects of other definitions', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    const body = widgets({ plural: 'gadgets', kind: 'Widget', names: { singular: 'gadget', listKind: 'GadgetList' } });
    await server.request('POST', definitionsPath, { body });
    await until(async () => (await conditionsOf(server, 'gadgets.example.com'))['NamesAccepted'] === 'False');
    await server.request('DELETE', `${definitionsPath}/gadgets.example.com`);
    await until(async () => (await server.request('GET', `${definitionsPath}/gadgets.example.com`)).status === 404);
    assert.equal((await server.request('GET', '/apis/example.com/v1/widgets')).status, 200);
  });

  test('allows a new one of its name with another schema', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', path, { body: widget('a', { spec: { size: 3 } }) });
    await server.request('DELETE', `${definitionsPath}/widgets.example.com`);
    await until(async () => (await server.request('GET', `${definitionsPath}/widgets.example.com`)).status === 404);
    await define(server, widgets({ versions: [versionOf('v1', { weight: { type: 'string', default: 'heavy' } })] }));
    const { body } = await server.request('POST', path, { body: widget('a', { spec: { size: 3 } }) });
    assert.deepEqual(body['spec'], { weight: 'heavy' });
  });
});

describe('changing a definition', () => {
  async function change(server: TestServer, versions: JsonObject[]): Promise<void> {
    const body = { spec: { versions: versions.map((version) => ({ served: true, storage: true, ...version })) } };
    const patched = await server.request('PATCH', `${definitionsPath}/widgets.example.com`, { body, type: merge });
    assert.equal(patched.status, 200, patched.text);
    await until(() => true);
  }

  test('ends watches of its objects, unless only labels change', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    const watch = await server.watch(`${path}?watch=1`);
    const body = { metadata: { labels: { a: 'b' } } };
    await server.request('PATCH', `${definitionsPath}/widgets.example.com`, { body, type: merge });
    await until(() => true);
    assert.equal(watch.isEnded, false);
    await change(server, [versionOf('v1', { size: { type: 'integer' } })]);
    await until(() => watch.isEnded);
  });

  test('prunes and defaults older objects by the new schema', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', path, { body: widget('a', { spec: { color: 'red' } }) });
    await change(server, [versionOf('v1', { size: { type: 'integer' }, weight: { type: 'integer', default: 7 } })]);
    await until(async () => (await server.request('GET', `${path}/a`)).text.includes('"spec":{"size":1,"weight":7}'));
    const { text } = await server.request('GET', path);
    assert.ok(text.includes('"spec":{"size":1,"weight":7}'), text);
  });

  test('writes an object again on an update without changes, once', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', path, { body: widget('a', { spec: { color: 'red' } }) });
    await change(server, [versionOf('v1', { size: { type: 'integer' } })]);
    const revisionAfter = async (): Promise<string> => {
      const { body } = await server.request('PATCH', `${path}/a`, { body: {}, type: merge });
      return (body['metadata'] as { resourceVersion: string }).resourceVersion;
    };
    const { body } = await server.request('GET', `${path}/a`);
    const first = await revisionAfter();
    assert.notEqual(first, (body['metadata'] as { resourceVersion: string }).resourceVersion);
    assert.equal(await revisionAfter(), first);
  });

  test('removes versions that are no longer served', async () => {
    const server = await startTestServer();
    await define(server, widgets({ versions: [v1(), versionOf('v2', { size: { type: 'integer' } })] }));
    assert.equal((await server.request('GET', '/apis/example.com/v2/widgets')).status, 200);
    await change(server, [v1()]);
    await until(async () => (await server.request('GET', '/apis/example.com/v2/widgets')).status === 404);
    assert.equal((await server.request('GET', '/apis/example.com/v2')).status, 404);
    assert.equal((await server.request('GET', '/apis/example.com/v1/widgets')).status, 200);
  });
});
