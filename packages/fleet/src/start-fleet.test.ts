import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  appliedWorks,
  memberClusters,
  memberNamespace,
  placementApi,
  workConditions,
  works,
  type Work,
} from '@flotilla/api';
import { connect, type Client } from '@flotilla/client';
import { apiVersionOf, deployments, silentLogger, type Kind, type KubeObject, type Logger } from '@flotilla/kube';
import { deployment } from '@flotilla/testkit';
import { startFleet, type RunningFleet } from './start-fleet.ts';

function workFor(member: string, ...manifests: KubeObject[]): Work {
  return {
    apiVersion: apiVersionOf(placementApi),
    kind: 'Work',
    metadata: { name: 'app', namespace: memberNamespace(member) },
    spec: { workload: { manifests } },
  };
}

/** Resolves with the first state that `isRight` accepts. */
async function until<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
  isRight: (object: T) => boolean,
): Promise<T> {
  const where = { fieldSelector: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }) };
  for await (const { type, object } of client.watch(kind, { ...where, signal: new AbortController().signal })) {
    if (type !== 'DELETED' && type !== 'BOOKMARK' && isRight(object)) return object;
  }
  throw new Error(`the watch of ${name} ended`);
}

function isTrue({ status }: Work, condition: string): boolean {
  return status?.conditions?.some((one) => one.type === condition && one.status === 'True') ?? false;
}

describe('a fleet in one process', () => {
  let fleet: RunningFleet;
  let hub: Client;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flotilla-fleet-'));
    fleet = await startFleet({ members: ['oslo', 'rome'] });
    hub = await fleet.hub.client();
  });
  after(async () => {
    await hub.close();
    await fleet.stop();
    await rm(folder, { recursive: true });
  });

  test('has started only when all its members have joined', async () => {
    const { items } = await hub.list(memberClusters);
    assert.deepEqual(
      items.map(({ metadata, status }) => [
        metadata.name,
        status?.conditions?.find(({ type }) => type === 'Joined')?.status,
      ]),
      [
        ['oslo', 'True'],
        ['rome', 'True'],
      ],
    );
  });

  test('has a context for the hub and for each member, with access to that cluster only', async () => {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, fleet.kubeconfig);
    const named = async (context: string): Promise<Client> => connect({ kubeconfig, context, environment: {} });
    const [hubClient, osloClient] = await Promise.all([named('hub'), named('oslo')]);
    assert.equal((await hubClient.list(memberClusters)).items.length, 2);
    assert.equal((await osloClient.list(appliedWorks)).items.length, 0);
    await assert.rejects(osloClient.list(memberClusters), { code: 404 });
    await Promise.all([hubClient.close(), osloClient.close()]);
  });

  test('applies a Work on its member, reports when it is available, and reverts drift', async () => {
    const key = { name: 'app', namespace: memberNamespace('oslo') };
    await hub.create(works, workFor('oslo', deployment('web', { replicas: 2, image: 'nginx' })));
    const done = await until(hub, works, key, (work) => isTrue(work, workConditions.available));
    assert.ok(isTrue(done, workConditions.applied));
    const member = fleet.members.get('oslo')!.client();
    const web = { name: 'web', namespace: 'default' };
    await member.patch(deployments, web, { type: 'merge', value: { spec: { replicas: 7 } } });
    await until(member, deployments, web, ({ spec }) => (spec as { replicas?: number }).replicas === 2);
    const { items } = await fleet.members.get('rome')!.client().list(deployments);
    assert.equal(items.length, 0);
    await hub.delete(works, key);
    for await (const { type } of member.watch(deployments, { signal: new AbortController().signal })) {
      if (type === 'DELETED') break;
    }
  });

  test('does not report a Work as available if its image does not exist', async () => {
    const key = { name: 'app', namespace: memberNamespace('rome') };
    await hub.create(works, workFor('rome', deployment('web', { replicas: 2, image: 'random-image-name' })));
    const work = await until(hub, works, key, ({ status }) => (status?.conditions?.length ?? 0) > 1);
    assert.deepEqual([isTrue(work, workConditions.applied), isTrue(work, workConditions.available)], [true, false]);
  });
});

test('a fleet in a data directory has its members and their objects after a restart', async (context) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-fleet-'));
  context.after(() => rm(dataDirectory, { recursive: true }));
  const options = { dataDirectory };
  const key = { name: 'app', namespace: memberNamespace('member-1') };
  const first = await startFleet({ ...options, members: 2 });
  const hub = await first.hub.client();
  await hub.create(works, workFor('member-1', deployment('web', { replicas: 2, image: 'nginx' })));
  const { metadata } = await until(hub, works, key, (work) => isTrue(work, workConditions.available));
  await hub.close();
  await first.stop();
  const second = await startFleet(options);
  assert.deepEqual([...second.members.keys()].sort(), ['member-1', 'member-2']);
  const again = await second.hub.client();
  const found = await again.get(works, key);
  assert.equal(found.metadata.uid, metadata.uid);
  const { items } = await second.members.get('member-1')!.client().list(deployments);
  assert.equal(items.length, 1);
  assert.equal(
    second.kubeconfig.replaceAll(/127\.0\.0\.1:\d+/g, ''),
    first.kubeconfig.replaceAll(/127\.0\.0\.1:\d+/g, ''),
  );
  await again.close();
  await second.stop();
});

test('a fleet starts and stops without a warning or an error in its log', async () => {
  const lines: unknown[] = [];
  const note = (...line: unknown[]): void => void lines.push(line);
  const logger: Logger = { ...silentLogger, warn: note, error: note, with: () => logger };
  const fleet = await startFleet({ members: 2, memory: true, logger });
  await fleet.stop();
  assert.deepEqual(lines, []);
});
