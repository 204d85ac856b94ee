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

/** What a member may do, and in its own namespace only. */
const allowedAtHome = [
  ...['get', 'list', 'watch', 'update'].map((verb) => `${verb} works.placement.kubernetes-fleet.io`),
  ...['update', 'patch'].map((verb) => `${verb} works/status.placement.kubernetes-fleet.io`),
  ...['get', 'list', 'watch'].map((verb) => `${verb} internalmemberclusters.cluster.kubernetes-fleet.io`),
  ...['update', 'patch'].map((verb) => `${verb} internalmemberclusters/status.cluster.kubernetes-fleet.io`),
  ...['get', 'list', 'watch', 'create', 'update', 'patch'].map((verb) => `${verb} events.`),
];

/** What everybody may who is known at all: to ask who he is, and what he may. */
const allowedToAll = [
  'create selfsubjectaccessreviews.authorization.k8s.io',
  'create selfsubjectrulesreviews.authorization.k8s.io',
  'create selfsubjectreviews.authentication.k8s.io',
];

const namespaces = ['fleet-member-sea', 'fleet-member-lake', 'fleet-system', 'kube-system', 'default'];

interface Question {
  readonly verb: Verb;
  readonly resource: string;
  /** A namespace, or nothing where there is none or all are meant. */
  readonly place: string;
  readonly method: string;
  readonly path: string;
}

/** Every verb on everything that the hub serves, in every namespace that matters. */
async function* allQuestions(client: Client): AsyncGenerator<Question> {
  const { kinds } = await discover(client).all();
  for (const { group, version, plural, namespaced, subresources } of kinds) {
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    for (const place of namespaced ? [...namespaces, ''] : ['']) {
      const collection = `${root}/${place && `namespaces/${place}/`}${plural}`;
      for (const part of ['', ...subresources.map(({ name }) => `/${name}`)]) {
        for (const verb of verbs) {
          const isOfMany = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
          // One object has a namespace; many may be asked for anywhere, but not for their parts.
          if (isOfMany ? part !== '' : namespaced && place === '') continue;
          yield { verb, resource: `${plural}${part}.${group}`, place, ...requestFor(verb, collection, part) };
        }
      }
    }
  }
}

function requestFor(verb: Verb, collection: string, part: string): Pick<Question, 'method' | 'path'> {
  const named = `${collection}/some${part}`;
  switch (verb) {
    case 'get':
      return { method: 'GET', path: named };
    case 'list':
      return { method: 'GET', path: collection };
    case 'watch':
      // A revision that is none is refused, but only to those who may watch.
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

/** Whether the hub lets a request pass its door; what comes of it behind that does not matter. */
async function isLetIn(client: Client, { method, path }: Question): Promise<boolean> {
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

  test('reaches its own namespace, and there only what it needs, of all that is served', async () => {
    const letIn = new Set<string>();
    let asked = 0;
    for await (const question of allQuestions(owner)) {
      asked++;
      const { verb, resource, place } = question;
      if (await isLetIn(member, question)) letIn.add(`${verb} ${resource}${place && ` in ${place}`}`);
    }
    assert.ok(asked > 3000, `only ${asked} questions were asked`);
    const expected = [...allowedAtHome.map((what) => `${what} in fleet-member-sea`), ...allowedToAll];
    assert.deepEqual([...letIn].sort(), expected.sort());
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
    const told = await member.update(
      works,
      { ...held, status: { conditions: [condition] } },
      { subresource: 'status' },
    );
    assert.equal(told.status?.conditions?.length, 1);
    const freed = await member.update(works, { ...told, metadata: { ...told.metadata, finalizers: [] } });
    assert.equal(freed.metadata.finalizers, undefined);
  });

  test('is told what is allowed when it changes anything else of a Work', async () => {
    const work = await freshWork();
    const { metadata } = work;
    const forbidden: [string, Work][] = [
      ['spec', { ...work, spec: { workload: { manifests: [{ ...manifest, data: { k: 'other' } }] } } }],
      ['metadata.labels', { ...work, metadata: { ...metadata, labels: {} } }],
      ['metadata.annotations', { ...work, metadata: { ...metadata, annotations: { mine: 'x' } } }],
      ['metadata.finalizers', { ...work, metadata: { ...metadata, finalizers: ['member/own'] } }],
    ];
    for (const [field, change] of forbidden) {
      // In whatever version it is said.
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

  test('cannot change the managers of its Works', async () => {
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
      const told = { ...held, metadata: { ...held.metadata, managedFields: [{}] }, status: { conditions: [] } };
      assert.deepEqual(
        others(await member.update(works, told, { subresource: 'status', fieldManager: 'agent' })),
        managersOf(fresh),
      );
    }
  });

  test('is noted as the manager of its finalizer and of statuses, while it is that', async () => {
    const work = await freshWork();
    const finalizers = ['kubernetes-fleet.io/work-cleanup'];
    const options = { fieldManager: 'agent' };
    const held = await member.update(works, { ...work, metadata: { ...work.metadata, finalizers } }, options);
    assert.deepEqual(managersOf(held), [...managersOf(work), 'agent'].sort());
    const conditions = [condition];
    const told = await member.update(works, { ...held, status: { conditions } }, { ...options, subresource: 'status' });
    assert.deepEqual(managersOf(told), [...managersOf(held), 'agent status'].sort());
    const freed = await member.update(works, { ...told, metadata: { ...told.metadata, finalizers: [] } }, options);
    assert.deepEqual(managersOf(freed), [...managersOf(work), 'agent status'].sort());
  });

  test('reports no more than can be read with every heartbeat', async () => {
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

  test('does not keep the hub or an administrator from changing its Works', async () => {
    const work = await freshWork();
    const changed = await owner.update(works, { ...work, metadata: { ...work.metadata, labels: {} } });
    assert.equal(changed.metadata.labels, undefined);
  });

  test('comes over a socket with a token that does not last, and can have another', async () => {
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

  test('hears from the hub when it cannot have a place', async () => {
    const name = 'a'.repeat(51);
    await registerMember(owner, name);
    await assert.rejects(
      untilReadyToJoin(owner, name),
      /its namespace cannot be called fleet-member-a+: must be no more/,
    );
  });

  test('is registered once, and not where another comes in its name', async () => {
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
