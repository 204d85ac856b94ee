import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, customResourceDefinitions, events, isExpired, qualified, type Kind } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const boats: Kind = { group: 'sea.example', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };

async function defineBoats(server: TestServer): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await server.create(customResourceDefinitions, {
    metadata: { name: 'boats.sea.example' },
    spec: {
      group: boats.group,
      scope: 'Namespaced',
      names: { plural: 'boats', kind: 'Boat' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await server.settle();
}

/** Follows a view, and returns changes as text. */
function follow(server: TestServer, after?: number) {
  const changes: string[] = [];
  const errors: Error[] = [];
  const stop = server.api.viewBuiltins().follow(
    ({ plural, group }, { type, key }) => {
      if (key.namespace === 'default') changes.push(`${type} ${qualified(plural, group)} ${key.name}`);
    },
    (error) => errors.push(error),
    after,
  );
  return { changes, errors, stop };
}

const inDefault = (name: string) => ({ metadata: { namespace: 'default', name } });

describe('a view of all built-in kinds', () => {
  test('shows changes of every built-in kind and of no other', async () => {
    const server = await startTestServer();
    await defineBoats(server);
    const { changes, stop } = follow(server);
    await server.create(configMaps, inDefault('chart'));
    await server.create(boats, inDefault('dinghy'));
    await server.client.delete(configMaps, { namespace: 'default', name: 'chart' });
    await server.settle();
    assert.deepEqual(changes, ['ADDED configmaps chart', 'DELETED configmaps chart']);
    stop();
    await server.create(configMaps, inDefault('late'));
    await server.settle();
    assert.equal(changes.length, 2);
  });

  test('shows a change of an event to both groups that serve it', async () => {
    const server = await startTestServer();
    const { changes } = follow(server);
    await server.create(events, { ...inDefault('storm'), involvedObject: { namespace: 'default' } });
    await server.settle();
    assert.deepEqual(changes.toSorted(), ['ADDED events storm', 'ADDED events.events.k8s.io storm']);
  });

  test('outlines existing objects, and reads them in the version that is asked for', async () => {
    const server = await startTestServer();
    await defineBoats(server);
    const { metadata } = await server.create(configMaps, inDefault('chart'));
    await server.create(boats, inDefault('dinghy'));
    const view = server.api.viewBuiltins();
    const inNamespace = [...view.outlines()].filter(({ key }) => key.namespace === 'default');
    const named = inNamespace.filter(({ key: { name } }) => name === 'chart' || name === 'dinghy');
    assert.deepEqual(
      named.map(({ kind, outline }) => [kind.plural, outline.uid]),
      [['configmaps', metadata.uid]],
    );
    assert.equal(view.of(configMaps)?.get({ namespace: 'default', name: 'chart' })?.apiVersion, 'v1');
    assert.equal(view.of(boats), undefined);
    const scalers = { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', plural: 'horizontalpodautoscalers' };
    await server.create(
      { ...scalers, version: 'v2', namespaced: true },
      {
        ...inDefault('crew'),
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 2 },
      },
    );
    const asked = (version: string): string | undefined =>
      view.of({ ...scalers, version, namespaced: true })?.get({ namespace: 'default', name: 'crew' })?.apiVersion;
    assert.deepEqual([asked('v1'), asked('v2')], ['autoscaling/v1', 'autoscaling/v2']);
  });

  test('continues after a revision, and ends as expired if the changes since then are gone', async () => {
    const server = await startTestServer();
    const { revision } = server.api.parts.store;
    await server.create(configMaps, inDefault('chart'));
    const { changes } = follow(server, revision);
    assert.deepEqual(changes, ['ADDED configmaps chart']);
    server.api.parts.store.compact(revision + 1);
    const { errors } = follow(server, revision);
    await server.settle();
    assert.deepEqual(errors.map(isExpired), [true]);
  });
});
