/** What every client promises, whatever carries its requests: one suite against our own server for each transport. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { discover, type Client, type WatchEvent } from '@flotilla/client';
import {
  ApiError,
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  type ConfigMap,
  type KubeObject,
} from '@flotilla/kube';

export interface OpenClient {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

export function clientConformance(name: string, open: () => Promise<OpenClient>): void {
  describe(`a client ${name}`, () => {
    let client: Client;
    let stop: () => Promise<void>;
    before(async () => {
      ({ client, stop } = await open());
    });
    after(async () => {
      await client.close();
      await stop();
    });

    /** A namespace for one test. */
    const place = async (namespace: string): Promise<string> => {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      return namespace;
    };
    const make = (namespace: string, ...names: string[]): Promise<ConfigMap[]> =>
      Promise.all(names.map((each) => client.create(configMaps, configMap(namespace, each))));

    test('creates, gets, replaces, patches and deletes an object', async () => {
      const namespace = await place('one-object');
      const key = { namespace, name: 'settings' };
      const created = await client.create(configMaps, configMap(namespace, 'settings', { colour: 'red' }));
      assert.deepEqual((await client.get(configMaps, key)).metadata, created.metadata);
      const updated = await client.update(configMaps, { ...created, data: { colour: 'blue' } });
      assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion);
      const merged = await client.patch(configMaps, key, { type: 'merge', value: { data: { size: 'small' } } });
      assert.deepEqual(merged.data, { colour: 'blue', size: 'small' });
      const operations = [{ op: 'remove', path: '/data/colour' }];
      assert.deepEqual((await client.patch(configMaps, key, { type: 'json', operations })).data, { size: 'small' });
      const strategic = { type: 'strategic', value: { metadata: { labels: { app: 'web' } } } } as const;
      assert.deepEqual((await client.patch(configMaps, key, strategic)).metadata.labels, { made: 'here', app: 'web' });
      await client.delete(configMaps, key);
      await assert.rejects(client.get(configMaps, key), { name: 'ApiError', code: 404, reason: 'NotFound' });
    });

    test('throws the Status of the server with message and details', async () => {
      const namespace = await place('failures');
      const [first] = await make(namespace, 'taken');
      await assert.rejects(make(namespace, 'taken'), {
        name: 'ApiError',
        code: 409,
        reason: 'AlreadyExists',
        message: 'configmaps "taken" already exists',
      });
      assert.ok(first);
      const stale = { ...first, metadata: { ...first.metadata, resourceVersion: '1' } };
      await assert.rejects(client.update(configMaps, stale), { code: 409, reason: 'Conflict' });
      const invalid = client.create(configMaps, configMap(namespace, 'No Name'));
      const error = await invalid.catch((caught: unknown) => caught);
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 422);
      assert.equal(error.status.details?.causes?.[0]?.field, 'metadata.name');
    });

    test('keeps integers that no double can hold', async () => {
      const namespace = await place('integers');
      const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace } };
      const pod = {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [{ name: 'web', image: 'web' }],
          securityContext: { runAsUser: 1 },
          tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 9007199254740993n }],
        },
      };
      const spec = { selector: { matchLabels: { app: 'web' } }, template: pod };
      await client.create(deployments, { ...object, spec });
      const { spec: kept } = (await client.get(deployments, { namespace, name: 'web' })) as unknown as {
        spec: { template: typeof pod };
      };
      assert.equal(kept.template.spec.tolerations[0]?.tolerationSeconds, 9007199254740993n);
    });

    test('applies, and owns the fields that it applied', async () => {
      const namespace = await place('apply');
      const applied = await client.apply<ConfigMap>(configMaps, configMap(namespace, 'mine', { a: '1' }), {
        fieldManager: 'one',
      });
      assert.equal(applied.metadata.managedFields?.[0]?.manager, 'one');
      const other = configMap(namespace, 'mine', { a: '2' });
      await assert.rejects(client.apply(configMaps, other, { fieldManager: 'two' }), { code: 409, reason: 'Conflict' });
      const forced = await client.apply<ConfigMap>(configMaps, other, { fieldManager: 'two', force: true });
      assert.deepEqual(forced.data, { a: '2' });
    });

    test('writes nothing when it is a dry run', async () => {
      const namespace = await place('dry-run');
      await client.create(configMaps, configMap(namespace, 'maybe'), { dryRun: true });
      assert.deepEqual((await client.list(configMaps, mine(namespace))).items, []);
    });

    test('deletes only the object with the given uid', async () => {
      const namespace = await place('preconditions');
      const [kept] = await make(namespace, 'kept');
      const key = { namespace, name: 'kept' };
      await assert.rejects(client.delete(configMaps, key, { uid: 'another' }), { code: 409, reason: 'Conflict' });
      await client.delete(configMaps, key, { uid: kept?.metadata.uid ?? '' });
      assert.deepEqual((await client.list(configMaps, mine(namespace))).items, []);
    });

    test('lists with selectors, and sets apiVersion and kind of each item', async () => {
      const namespace = await place('selectors');
      await make(namespace, 'a', 'b');
      const labels = { app: 'web' };
      await client.create(configMaps, { ...configMap(namespace, 'c'), metadata: { name: 'c', namespace, labels } });
      const labelled = await client.list(configMaps, { namespace, labelSelector: 'app in (web, api)' });
      assert.deepEqual(namesOf(labelled.items), ['c']);
      assert.deepEqual([labelled.items[0]?.kind, labelled.items[0]?.apiVersion], ['ConfigMap', 'v1']);
      assert.match(labelled.resourceVersion, /^\d+$/);
      const named = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=b' });
      assert.deepEqual(namesOf(named.items), ['b']);
    });

    test('lists in pages, and yields each object once', async () => {
      const namespace = await place('pages');
      await make(namespace, 'a', 'b', 'c', 'd', 'e');
      const first = await client.list(configMaps, { ...mine(namespace), limit: 2 });
      assert.deepEqual(namesOf(first.items), ['a', 'b']);
      const second = await client.list(configMaps, { ...mine(namespace), limit: 2, continue: first.continue ?? '' });
      assert.deepEqual(namesOf(second.items), ['c', 'd']);
      const seen: ConfigMap[] = [];
      for await (const item of client.each(configMaps, { ...mine(namespace), limit: 2 })) seen.push(item);
      assert.deepEqual(namesOf(seen), ['a', 'b', 'c', 'd', 'e']);
    });

    test('lists and watches metadata alone', async () => {
      const namespace = await place('metadata-only');
      await client.create(configMaps, configMap(namespace, 'a', { much: 'data' }));
      const { items } = await client.list(configMaps, { ...mine(namespace), metadataOnly: true });
      assert.deepEqual([items[0]?.kind, items[0]?.data], ['PartialObjectMetadata', undefined]);
      const [event] = await take(client, 1, { ...mine(namespace), resourceVersion: '0', metadataOnly: true });
      assert.equal(event?.object.kind, 'PartialObjectMetadata');
    });

    test('watches from a resourceVersion', async () => {
      const namespace = await place('watch');
      const { resourceVersion } = await client.list(configMaps, mine(namespace));
      const [created] = await make(namespace, 'a');
      assert.ok(created);
      await client.update(configMaps, { ...created, data: { a: '1' } });
      await client.delete(configMaps, { namespace, name: 'a' });
      const events = await take(client, 3, { ...mine(namespace), resourceVersion });
      assert.deepEqual(
        events.map(({ type }) => type),
        ['ADDED', 'MODIFIED', 'DELETED'],
      );
    });

    test('watches with initial events and their bookmark', async () => {
      const namespace = await place('watch-list');
      await make(namespace, 'a', 'b');
      const events = await take(client, 3, {
        ...mine(namespace),
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowBookmarks: true,
      });
      assert.deepEqual(
        events.map(({ type }) => type),
        ['ADDED', 'ADDED', 'BOOKMARK'],
      );
      assert.equal(events[2]?.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
    });

    test('ends a watch when the server does', async () => {
      const namespace = await place('watch-end');
      const { signal } = new AbortController();
      const { resourceVersion } = await client.list(configMaps, mine(namespace));
      const events: unknown[] = [];
      const watch = client.watch(configMaps, { ...mine(namespace), resourceVersion, timeoutSeconds: 1, signal });
      for await (const event of watch) events.push(event);
      assert.deepEqual(events, []);
    });

    test('throws if a watch starts at a future revision', async () => {
      const options = { resourceVersion: '999999999', signal: new AbortController().signal };
      await assert.rejects(async () => {
        for await (const _event of client.watch(configMaps, { ...options, sendInitialEvents: false }));
      }, ApiError);
    });

    test('ends a watch quietly when its signal is aborted', async () => {
      const namespace = await place('watch-abort');
      await make(namespace, 'a');
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const { type } of client.watch(configMaps, {
        ...mine(namespace),
        resourceVersion: '0',
        signal: stop.signal,
      })) {
        seen.push(type);
        stop.abort();
      }
      assert.deepEqual(seen, ['ADDED']);
    });

    test('lets a reader stop a watch without a signal', async () => {
      const namespace = await place('watch-leave');
      await make(namespace, 'a', 'b');
      const { signal } = new AbortController();
      for await (const _event of client.watch(configMaps, { ...mine(namespace), resourceVersion: '0', signal })) break;
      assert.equal((await client.list(configMaps, mine(namespace))).items.length, 2);
    });

    test('sends nothing if the signal is already aborted', async () => {
      const namespace = await place('aborted');
      const signal = AbortSignal.abort(new Error('never mind'));
      await assert.rejects(client.create(configMaps, configMap(namespace, 'a'), { signal }), { message: 'never mind' });
      assert.deepEqual((await client.list(configMaps, mine(namespace))).items, []);
    });

    test('deletes a collection by its labels', async () => {
      const namespace = await place('collection');
      await make(namespace, 'kept');
      const metadata = { name: 'gone', namespace, labels: { made: 'here', old: 'yes' } };
      await client.create(configMaps, { ...configMap(namespace, 'gone'), metadata });
      await client.deleteAll(configMaps, { namespace, labelSelector: 'old=yes' });
      assert.deepEqual(namesOf((await client.list(configMaps, mine(namespace))).items), ['kept']);
    });

    test('reads and writes subresources', async () => {
      const namespace = await place('subresources');
      const spec = {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
      };
      const metadata = { name: 'web', namespace };
      await client.create(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
      const key = { namespace, name: 'web' };
      const scale = await client.get(deployments, key, { subresource: 'scale' });
      assert.equal(scale.kind, 'Scale');
      await client.update(deployments, { ...scale, spec: { replicas: 3 } }, { subresource: 'scale' });
      const status = { type: 'merge', value: { status: { replicas: 3 } } } as const;
      const patched = await client.patch(deployments, key, status, { subresource: 'status' });
      assert.deepEqual([patched['spec'], patched['status']].map(replicasOf), [3, 3]);
    });

    test('sends raw requests', async () => {
      const { status, body } = await client.request({ method: 'GET', path: '/version?timeout=32s' });
      assert.equal(status, 200);
      assert.equal((JSON.parse(Buffer.from(body).toString()) as { major: string }).major, '1');
      await assert.rejects(client.request({ method: 'GET', path: '/nowhere' }), { name: 'ApiError', code: 404 });
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const answer = await client.request({ method: 'POST', path, body: review }).catch((error: ApiError) => error);
      assert.ok(answer instanceof ApiError ? answer.code === 404 : answer.status === 201);
    });

    test('refuses a body that is too large as the server does', async () => {
      const namespace = await place('too-large');
      const huge = configMap(namespace, 'huge', { a: 'x'.repeat(4 * 1024 * 1024) });
      await assert.rejects(client.create(configMaps, huge), { name: 'ApiError', code: 413 });
    });

    test('discovers kinds that were defined after its first request', async () => {
      const discovery = discover(client);
      assert.equal((await discovery.find({ group: 'apps', kind: 'Deployment' }))?.plural, 'deployments');
      assert.equal(await discovery.find({ group: 'example.com', plural: 'ships' }), undefined);
      const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await client.create(customResourceDefinitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'ships.example.com' },
        spec: {
          group: 'example.com',
          names: { kind: 'Ship', plural: 'ships' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      });
      await established(client, 'ships.example.com');
      const ships = await discovery.find({ group: 'example.com', kind: 'Ship' });
      assert.deepEqual([ships?.plural, ships?.version, ships?.namespaced], ['ships', 'v1', true]);
      assert.ok(ships);
      const metadata = { name: 'dinghy', namespace: 'default' };
      await client.create(ships, { apiVersion: 'example.com/v1', kind: 'Ship', metadata, spec: { sails: 1 } });
      const { items } = await client.list(ships, { namespace: 'default' });
      assert.deepEqual([namesOf(items), items[0]?.kind], [['dinghy'], 'Ship']);
    });

    test('reads a list of many megabytes item by item', async () => {
      const namespace = await place('many');
      const data = { a: 'x'.repeat(10_000), b: '"}],{[\\' };
      const names = Array.from({ length: 600 }, (_none, index) => `item-${String(index).padStart(4, '0')}`);
      for (let at = 0; at < names.length; at += 20) {
        await Promise.all(
          names.slice(at, at + 20).map((each) => client.create(configMaps, configMap(namespace, each, data))),
        );
      }
      const { items } = await client.list(configMaps, mine(namespace));
      assert.deepEqual(namesOf(items), names);
      assert.ok(items.every((item) => item.data?.['b'] === data.b && item.data['a']?.length === 10_000));
      let count = 0;
      for await (const _item of client.each(configMaps, mine(namespace))) count++;
      assert.equal(count, names.length);
    });
  });
}

function configMap(namespace: string, name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels: { made: 'here' } }, data };
}

/** Housekeeping creates objects of its own in every namespace. */
function mine(namespace: string): { namespace: string; labelSelector: string } {
  return { namespace, labelSelector: 'made=here' };
}

function namesOf(items: readonly KubeObject[]): (string | undefined)[] {
  return items.map(({ metadata }) => metadata.name);
}

function replicasOf(part: unknown): unknown {
  return (part as { replicas?: unknown } | undefined)?.replicas;
}

/** So many events of a watch. */
async function take(
  client: Client,
  count: number,
  options: Omit<Parameters<Client['watch']>[1], 'signal'>,
): Promise<WatchEvent<ConfigMap>[]> {
  const stop = new AbortController();
  const events: WatchEvent<ConfigMap>[] = [];
  for await (const event of client.watch(configMaps, { ...options, signal: stop.signal })) {
    events.push(event);
    if (events.length === count) stop.abort();
  }
  return events;
}

async function established(client: Client, name: string): Promise<void> {
  const stop = new AbortController();
  const options = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0', signal: stop.signal };
  for await (const { object } of client.watch(customResourceDefinitions, options)) {
    const { conditions } = (object['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
    if (conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) stop.abort();
  }
}
