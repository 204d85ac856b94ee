import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters, memberNamespace, placementApi, works, type Work } from '@flotilla/api';
import { createClient, discover, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import { ApiError, apiVersionOf, isForbidden } from '@flotilla/kube';
import { memberAccount, memberCredentials, memberUser, registerMember } from './member-credentials.ts';
import { untilReadyToJoin } from './ready-to-join.ts';
import { startHub, type RunningHub } from './start-hub.ts';
import { registerMembers } from './members.testing.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
type Verb = (typeof verbs)[number];

/** What a member may do in its own namespace. */
const allowedInNamespace = [
  ...['get', 'list', 'watch', 'update'].map((verb) => `${verb} works.placement.kubernetes-fleet.io`),
  ...['update', 'patch'].map((verb) => `${verb} works/status.placement.kubernetes-fleet.io`),
  ...['get', 'list', 'watch'].map((verb) => `${verb} internalmemberclusters.cluster.kubernetes-fleet.io`),
  ...['update', 'patch'].map((verb) => `${verb} internalmemberclusters/status.cluster.kubernetes-fleet.io`),
  ...['get', 'list', 'watch', 'create', 'update', 'patch'].map((verb) => `${verb} events.`),
];

/** What every authenticated user may do: review its own identity and rights. */
const allowedToAll = [
  'create selfsubjectaccessreviews.authorization.k8s.io',
  'create selfsubjectrulesreviews.authorization.k8s.io',
  'create selfsubjectreviews.authentication.k8s.io',
];

const namespaces = ['fleet-member-sea', 'fleet-member-lake', 'fleet-system', 'kube-system', 'default'];

interface Attempt {
  readonly verb: Verb;
  readonly resource: string;
  /** Empty for cluster-scoped kinds and for all namespaces. */
  readonly namespace: string;
  readonly method: string;
  readonly path: string;
}

/** Every verb on every resource that the hub serves, in each of the namespaces above. */
async function* allAttempts(client: Client): AsyncGenerator<Attempt> {
  const { kinds } = await discover(client).all();
  for (const { group, version, plural, namespaced, subresources } of kinds) {
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    for (const namespace of namespaced ? [...namespaces, ''] : ['']) {
      const collection = `${root}/${namespace && `namespaces/${namespace}/`}${plural}`;
      for (const part of ['', ...subresources.map(({ name }) => `/${name}`)]) {
        for (const verb of verbs) {
          const isOfMany = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
          // A single object needs a namespace. Collections have no subresources.
          if (isOfMany ? part !== '' : namespaced && namespace === '') continue;
          yield { verb, resource: `${plural}${part}.${group}`, namespace, ...requestFor(verb, collection, part) };
        }
      }
    }
  }
}

function requestFor(verb: Verb, collection: string, part: string): Pick<Attempt, 'method' | 'path'> {
  const named = `${collection}/some${part}`;
  switch (verb) {
    case 'get':
      return { method: 'GET', path: named };
    case 'list':
      return { method: 'GET', path: collection };
    case 'watch':
      // Authorization comes first: a caller that may watch gets 400 for the invalid revision, and the request ends.
      return { method: 'GET', path: `${collection}?watch=true&resourceVersion=none` };
    case 'create':
      return { method: 'POST', path: part === '' ? collection : named };
    case 'update':
      return { method: 'PUT', path: named };
    case 'patch':
      return { method: 'PATCH', path: named };
    case 'delete':
      return { method: 'DELETE', path: named };
    case 'deletecollection':
      return { method: 'DELETE', path: collection };
  }
}

/** Whether the hub authorizes a request. It may fail later. */
async function isAuthorized(client: Client, { method, path }: Attempt): Promise<boolean> {
  try {
    await client.request({ method, path });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return error.code !== 403;
    throw error;
  }
}

describe('a member on its hub', () => {
  let hub: RunningHub;
  let owner: Client;
  let member: Client;

  before(async () => {
    hub = await startHub();
    owner = await hub.client();
    await registerMembers(owner, 'sea', 'lake');
    member = await hub.client(memberUser('sea'));
  });
  after(async () => {
    await Promise.all([owner.close(), member.close()]);
    await hub.stop();
  });

  test('may access only what it needs, in its own namespace only', async () => {
    const authorized = new Set<string>();
    let count = 0;
    for await (const attempt of allAttempts(owner)) {
      count++;
      const { verb, resource, namespace } = attempt;
      if (await isAuthorized(member, attempt)) authorized.add(`${verb} ${resource}${namespace && ` in ${namespace}`}`);
    }
    assert.ok(count > 3000, `only ${count} requests were sent`);
    const expected = [...allowedInNamespace.map((what) => `${what} in fleet-member-sea`), ...allowedToAll];
    assert.deepEqual([...authorized].sort(), expected.sort());
  });

  const key = { namespace: memberNamespace('sea'), name: 'shop' };
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };

  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'Done',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;

  function managersOf({ metadata: { managedFields = [] } }: Work): string[] {
    return managedFields.map(({ manager = '', subresource = '' }) => `${manager} ${subresource}`.trim()).sort();
  }

  async function freshWork(): Promise<Work> {
    const released = { type: 'merge', value: { metadata: { finalizers: null } } } as const;
    const { items } = await owner.list(works, { namespace: key.namespace });
    for (const { metadata } of items) await owner.patch(works, { ...key, name: metadata.name ?? '' }, released);
    await owner.deleteAll(works, { namespace: key.namespace });
    return owner.create(works, {
      apiVersion: apiVersionOf(placementApi),
      kind: 'Work',
      metadata: { ...key, labels: { a: 'b' } },
      spec: { workload: { manifests: [manifest] } },
    });
  }

  async function refusal(attempt: Promise<unknown>): Promise<string> {
    return attempt.then(
      () => assert.fail('it was allowed'),
      (error: unknown) => (isForbidden(error) ? error.message : assert.fail(String(error))),
    );
  }

  test('adds and removes its finalizer, and reports the status of its Works', async () => {
    const work = await freshWork();
    const finalizers = ['kubernetes-fleet.io/work-cleanup'];
    const held = await member.update(works, { ...work, metadata: { ...work.metadata, finalizers } });
    assert.deepEqual(held.metadata.finalizers, finalizers);
    const reported = await member.update(
      works,
      { ...held, status: { conditions: [condition] } },
      { subresource: 'status' },
    );
    assert.equal(reported.status?.conditions?.length, 1);
    const freed = await member.update(works, { ...reported, metadata: { ...reported.metadata, finalizers: [] } });
    assert.equal(freed.metadata.finalizers, undefined);
  });

  test('may not change anything else of a Work, and the message says what it may change', async () => {
    const work = await freshWork();
    const { metadata } = work;
    const forbidden: [string, Work][] = [
      ['spec', { ...work, spec: { workload: { manifests: [{ ...manifest, data: { k: 'other' } }] } } }],
      ['metadata.labels', { ...work, metadata: { ...metadata, labels: {} } }],
      ['metadata.annotations', { ...work, metadata: { ...metadata, annotations: { mine: 'x' } } }],
      ['metadata.finalizers', { ...work, metadata: { ...metadata, finalizers: ['member/own'] } }],
    ];
    for (const [field, change] of forbidden) {
      // In every API version.
      const inOther = { ...change, apiVersion: 'placement.kubernetes-fleet.io/v1' };
      assert.match(await refusal(member.update({ ...works, version: 'v1' }, inOther)), /a member may /);
      assert.equal(
        await refusal(member.update(works, change)),
        `works.placement.kubernetes-fleet.io "shop" is forbidden: a member may add or remove the finalizer ` +
          `kubernetes-fleet.io/work-cleanup of its Works and report their status, and nothing else; this would change ${field}`,
      );
    }
    assert.equal((await owner.get(works, key)).metadata.resourceVersion, metadata.resourceVersion);
  });

  test('cannot change entries of other field managers of its Works', async () => {
    const work = await freshWork();
    const { metadata } = work;
    const owners = metadata.managedFields ?? [];
    assert.ok(owners.length > 0);
    const stolen = owners.map((entry) => ({ ...entry, manager: 'thief' }));
    const finalizers = ['kubernetes-fleet.io/work-cleanup'];
    for (const managedFields of [stolen, [...owners, ...stolen], [{}], []]) {
      const fresh = await freshWork();
      const sent = { ...fresh, metadata: { ...fresh.metadata, managedFields, finalizers } };
      const held = await member.update(works, sent, { fieldManager: 'agent' });
      const others = (one: Work): string[] => managersOf(one).filter((manager) => !manager.startsWith('agent'));
      assert.deepEqual(others(held), managersOf(fresh));
      const report = { ...held, metadata: { ...held.metadata, managedFields: [{}] }, status: { conditions: [] } };
      assert.deepEqual(
        others(await member.update(works, report, { subresource: 'status', fieldManager: 'agent' })),
        managersOf(fresh),
      );
    }
  });

  test('is a field manager of its finalizer and of the status, as long as it owns them', async () => {
    const work = await freshWork();
    const finalizers = ['kubernetes-fleet.io/work-cleanup'];
    const options = { fieldManager: 'agent' };
    const held = await member.update(works, { ...work, metadata: { ...work.metadata, finalizers } }, options);
    assert.deepEqual(managersOf(held), [...managersOf(work), 'agent'].sort());
    const conditions = [condition];
    const report = { ...held, status: { conditions } };
    const reported = await member.update(works, report, { ...options, subresource: 'status' });
    assert.deepEqual(managersOf(reported), [...managersOf(held), 'agent status'].sort());
    const released = { ...reported, metadata: { ...reported.metadata, finalizers: [] } };
    const freed = await member.update(works, released, options);
    assert.deepEqual(managersOf(freed), [...managersOf(work), 'agent status'].sort());
  });

  test('may not report a status above the size limit', async () => {
    const internal = { namespace: memberNamespace('sea'), name: 'sea' };
    const observationTime = '2026-01-01T00:00:00Z';
    const names = Array.from({ length: 600 }, (_, index) => `example.com/p${index}`);
    const report = (value: string) => {
      const properties = Object.fromEntries(names.map((name) => [name, { value, observationTime }]));
      return member.patch(
        internalMemberClusters,
        internal,
        { type: 'merge', value: { status: { properties } } },
        { subresource: 'status' },
      );
    };
    await report('small');
    assert.equal(
      await refusal(report('x'.repeat(1000))),
      'internalmemberclusters.cluster.kubernetes-fleet.io "sea" is forbidden: a member may report at most 512 KiB in ' +
        'its status; report fewer properties, agents or conditions',
    );
  });

  test('does not restrict what an administrator changes in its Works', async () => {
    const work = await freshWork();
    const changed = await owner.update(works, { ...work, metadata: { ...work.metadata, labels: {} } });
    assert.equal(changed.metadata.labels, undefined);
  });

  test('authenticates over a socket with a short-lived token that can be renewed', async () => {
    const { token, expiresAt } = await memberCredentials(owner, 'sea', 600);
    const leftMs = expiresAt.getTime() - Date.now();
    assert.ok(leftMs > 0 && leftMs <= 600_000, `it lasts for ${leftMs} ms`);
    const { authority } = hub.server.credentials.server;
    const credentials = fixedCredentials({ authorization: `Bearer ${token}`, authority });
    const client = createClient(httpTransport({ server: hub.url, credentials }));
    const internal = await client.get(internalMemberClusters, { namespace: memberNamespace('sea'), name: 'sea' });
    assert.equal(internal.spec.state, 'Join');
    await refusal(client.list(works, { namespace: memberNamespace('lake') }));
    await client.close();
    const renewed = await memberCredentials(owner, 'sea');
    assert.notEqual(renewed.token, token);
  });

  test('gets the reason from the hub if its namespace would be invalid', async () => {
    const name = 'a'.repeat(51);
    await registerMember(owner, name);
    await assert.rejects(
      untilReadyToJoin(owner, name),
      /its namespace cannot be called fleet-member-a+: must be no more/,
    );
  });

  test('is registered once, and not if the MemberCluster has another identity', async () => {
    const twice = await Promise.all([registerMember(owner, 'bay'), registerMember(owner, 'bay')]);
    assert.equal(twice[0].metadata.uid, twice[1].metadata.uid);
    const again = await registerMember(owner, 'sea');
    assert.deepEqual(again.spec.identity, memberAccount('sea'));
    const spec = { identity: { kind: 'User', name: 'captain' }, heartbeatPeriodSeconds: 60 };
    const { apiVersion, kind } = again;
    await owner.create(memberClusters, { apiVersion, kind, metadata: { name: 'pond' }, spec });
    await assert.rejects(
      registerMember(owner, 'pond'),
      /^MemberHasOtherIdentity: MemberCluster pond has the identity of User captain/,
    );
  });
});
