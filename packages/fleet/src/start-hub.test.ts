import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { clusterProfiles, internalMemberClusters, memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  events,
  formatTime,
  namespaces,
  roleBindings,
  roles,
  type Kind,
} from '@flotilla/kube';
import { startHub } from './start-hub.ts';
import { registerMembers } from './members.testing.ts';

const kinds: readonly Kind[] = [
  memberClusters,
  internalMemberClusters,
  clusterProfiles,
  customResourceDefinitions,
  namespaces,
  events,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
];

/** The resource version of every object that a hub may have written. */
async function revisions(client: Client): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const kind of kinds) {
    for await (const { metadata } of client.each(kind)) {
      found.set(`${kind.kind} ${metadata.namespace ?? ''}/${metadata.name}`, metadata.resourceVersion);
    }
  }
  return found;
}

/** Reports Joined as the member's agent does, and waits for the ClusterProfile. */
async function join(client: Client, name: string): Promise<void> {
  const internal = await client.get(internalMemberClusters, { namespace: `fleet-member-${name}`, name });
  const now = formatTime(new Date());
  const isTrue = { status: 'True', reason: 'Reported', message: '', lastTransitionTime: now } as const;
  const conditions = [
    { ...isTrue, type: 'Joined' },
    { ...isTrue, type: 'Healthy' },
  ];
  const status = { agentStatus: [{ type: 'MemberAgent', lastReceivedHeartbeat: now, conditions }] };
  await client.update(internalMemberClusters, { ...internal, status }, { subresource: 'status' });
  const ending = new AbortController();
  for await (const { object } of client.watch(clusterProfiles, { resourceVersion: '0', signal: ending.signal })) {
    if (object.status?.conditions?.[0]?.status === 'True') ending.abort();
  }
}

describe('a hub with a data directory', () => {
  let dataDirectory: string;
  before(async () => {
    dataDirectory = await mkdtemp(joinPath(tmpdir(), 'flotilla-hub-'));
  });
  after(() => rm(dataDirectory, { recursive: true }));

  test('writes nothing after a restart', async () => {
    const first = await startHub({ dataDirectory });
    const owner = await first.client();
    await registerMembers(owner, 'sea');
    await join(owner, 'sea');
    await owner.close();
    await first.stop();

    const [second, reader] = await started(dataDirectory);
    const before = await revisions(reader);
    await reader.close();
    await second.stop();
    assert.ok(before.has('ClusterProfile fleet-system/sea'));

    const [third, again] = await started(dataDirectory);
    assert.deepEqual(await revisions(again), before);
    await again.close();
    await third.stop();
  });
});

/** A hub that has reconciled everything once. */
async function started(dataDirectory: string) {
  const hub = await startHub({ dataDirectory });
  while (!hub.isAtRest()) await new Promise<void>((resolve) => setImmediate(resolve));
  return [hub, await hub.client()] as const;
}
