import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters, works } from '@flotilla/api';
import { namespaces, roleBindings, roles } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const minute = 60_000;

describe('a member of the hub', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub();
  });
  after(() => hub.stop());

  test('gets a namespace, a Role, a RoleBinding and an InternalMemberCluster, and is ready to join', async () => {
    await hub.addMember('sea', { heartbeatPeriodSeconds: 30 });
    const member = await hub.member('sea');
    assert.deepEqual(member.metadata.finalizers, ['kubernetes-fleet.io/membercluster-finalizer']);
    assert.deepEqual(member.metadata.labels, { 'kubernetes-fleet.io/member-name': 'sea' });
    const owner = {
      apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
      kind: 'MemberCluster',
      name: 'sea',
      uid: member.metadata.uid,
      controller: true,
    };
    const key = { namespace: 'fleet-member-sea', name: 'sea' };
    const namespace = await hub.find(namespaces, { name: 'fleet-member-sea' });
    assert.equal(namespace?.metadata.labels?.['kubernetes-fleet.io/is-fleet-resource'], 'true');
    const binding = await hub.find(roleBindings, { ...key, name: 'fleet-rolebinding-sea' });
    assert.deepEqual(binding?.subjects, [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'agent-of-sea' },
    ]);
    const internal = await hub.find(internalMemberClusters, key);
    assert.deepEqual(internal?.spec, { state: 'Join', heartbeatPeriodSeconds: 30 });
    for (const object of [namespace, binding, internal]) assert.deepEqual(object?.metadata.ownerReferences, [owner]);
    assert.deepEqual(await hub.conditions('sea'), {
      ReadyToJoin: 'True MemberClusterReadyToJoin',
      Joined: 'Unknown MemberClusterJoinStateUnknown',
    });
    assert.deepEqual(member.status?.resourceUsage, {});
  });

  test('has joined when its agent reports it, and shows what the agent reports', async () => {
    const observationTime = '2026-01-01T00:00:00Z';
    await hub.report('sea', {
      agentStatus: [hub.heartbeat('True')],
      properties: { 'kubernetes-fleet.io/node-count': { value: '3', observationTime } },
      resourceUsage: { capacity: { cpu: '4' }, observationTime },
      namespaces: { shop: 'work-1' },
    });
    await hub.settle();
    assert.equal((await hub.conditions('sea'))['Joined'], 'True MemberClusterJoined');
    const { status, metadata } = await hub.member('sea');
    assert.equal(status?.properties?.['kubernetes-fleet.io/node-count']?.value, '3');
    assert.deepEqual(status?.resourceUsage, { capacity: { cpu: '4' }, observationTime });
    assert.deepEqual(status?.namespaces, { shop: 'work-1' });
    for (const { observedGeneration } of status?.agentStatus?.[0]?.conditions ?? []) {
      assert.equal(observedGeneration, metadata.generation);
    }
    assert.match(hub.metrics.text(), /^join_result_counter\{result="success"\} 1$/m);
  });

  test('gets each event once, in order', async () => {
    assert.deepEqual(await hub.events(), [
      'NamespaceCreated',
      'RoleCreated',
      'RoleBindingCreated',
      'InternalMemberClusterCreated',
      'MemberClusterReadyToJoin',
      'MemberClusterJoinStateUnknown',
      'MemberClusterJoined',
    ]);
  });

  test('follows changes of its identity and its heartbeat period', async () => {
    const member = await hub.member('sea');
    const identity = { kind: 'ServiceAccount', name: 'sea', namespace: 'fleet-system' };
    await hub.client.update(memberClusters, { ...member, spec: { identity, heartbeatPeriodSeconds: 60 } });
    await hub.settle();
    const key = { namespace: 'fleet-member-sea', name: 'sea' };
    const binding = await hub.find(roleBindings, { ...key, name: 'fleet-rolebinding-sea' });
    assert.deepEqual(binding?.subjects, [{ kind: 'ServiceAccount', name: 'sea', namespace: 'fleet-system' }]);
    assert.equal((await hub.find(internalMemberClusters, key))?.spec.heartbeatPeriodSeconds, 60);
    const events = await hub.events();
    assert.deepEqual(events.slice(-2), ['RoleBindingUpdated', 'InternalMemberClusterSpecUpdated']);
  });

  test('gets back objects that were deleted or changed', async () => {
    const namespace = 'fleet-member-sea';
    const role = await hub.find(roles, { namespace, name: 'fleet-role-sea' });
    assert.ok(role);
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    await hub.client.update(roles, { ...role, rules: [everything] });
    await hub.client.delete(internalMemberClusters, { namespace, name: 'sea' });
    await hub.client.delete(roleBindings, { namespace, name: 'fleet-rolebinding-sea' });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    await hub.client.create(roleBindings, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { namespace, name: 'fleet-rolebinding-sea' },
      roleRef,
    });
    await hub.settle();
    assert.deepEqual((await hub.find(roles, { namespace, name: 'fleet-role-sea' }))?.rules, role.rules);
    assert.ok(await hub.find(internalMemberClusters, { namespace, name: 'sea' }));
    const binding = await hub.find(roleBindings, { namespace, name: 'fleet-rolebinding-sea' });
    assert.equal(binding?.roleRef.name, 'fleet-role-sea');
    await hub.client.patch(
      memberClusters,
      { name: 'sea' },
      {
        type: 'merge',
        value: { metadata: { labels: { 'kubernetes-fleet.io/member-name': null } } },
      },
    );
    await hub.settle();
    assert.equal((await hub.member('sea')).metadata.labels?.['kubernetes-fleet.io/member-name'], 'sea');
  });

  test('adopts a namespace that exists already', async () => {
    const metadata = { name: 'fleet-member-lake', labels: { color: 'blue' } };
    await hub.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    await hub.addMember('lake');
    const { labels } = (await hub.find(namespaces, { name: 'fleet-member-lake' }))?.metadata ?? {};
    assert.equal(labels?.['color'], 'blue');
    assert.equal(labels?.['kubernetes-fleet.io/is-fleet-resource'], 'true');
    assert.equal((await hub.conditions('lake'))['ReadyToJoin'], 'True MemberClusterReadyToJoin');
    assert.ok((await hub.events()).includes('NamespacePatched'));
  });

  test('waits for a terminating namespace of its name, and then gets a new one', async () => {
    const name = 'fleet-member-pond';
    await hub.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const held = { namespace: name, name: 'held', finalizers: ['test/held'] };
    await hub.client.create(works, {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'Work',
      metadata: held,
    });
    await hub.client.delete(namespaces, { name });
    await hub.clock.advance(1000);
    const going = await hub.find(namespaces, { name });
    await hub.addMember('pond');
    assert.deepEqual(await hub.conditions('pond'), {});
    await hub.client.patch(
      works,
      { namespace: name, name: 'held' },
      {
        type: 'merge',
        value: { metadata: { finalizers: null } },
      },
    );
    await hub.clock.advance(minute);
    await hub.settle();
    assert.notEqual((await hub.find(namespaces, { name }))?.metadata.uid, going?.metadata.uid);
    assert.equal((await hub.conditions('pond'))['ReadyToJoin'], 'True MemberClusterReadyToJoin');
  });

  test('whose name makes no valid namespace gets a condition that says why, and nothing else', async () => {
    await hub.addMember('bay.of.biscay');
    const [condition] = (await hub.member('bay.of.biscay')).status?.conditions ?? [];
    assert.equal(
      `${condition?.type} ${condition?.status} ${condition?.reason}`,
      'ReadyToJoin False MemberClusterNotReadyToJoin',
    );
    assert.match(
      condition?.message ?? '',
      /^Member cluster is not ready to join the fleet: its namespace cannot be called fleet-member-bay\.of\.biscay: must /,
    );
    await hub.client.delete(memberClusters, { name: 'bay.of.biscay' });
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'bay.of.biscay' }), undefined);
  });
});

describe('a member that leaves', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ forceDeleteWaitMs: 10 * minute });
  });
  after(() => hub.stop());

  async function joined(name: string): Promise<void> {
    await hub.addMember(name);
    await hub.report(name, { agentStatus: [hub.heartbeat('True')] });
    await hub.settle();
  }

  async function asked(name: string): Promise<string | undefined> {
    return (await hub.find(internalMemberClusters, { namespace: `fleet-member-${name}`, name }))?.spec.state;
  }

  test('is asked to leave, and is deleted with its objects when its agent has left', async () => {
    await joined('sea');
    await hub.addWork('sea', 'shop', ['kubernetes-fleet.io/work-cleanup', 'test/more']);
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.settle();
    assert.equal(await asked('sea'), 'Leave');
    assert.equal((await hub.conditions('sea'))['Joined'], 'True MemberClusterJoined');

    await hub.report('sea', { agentStatus: [hub.heartbeat('False')] });
    await hub.clock.advance(minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'sea' }), undefined);
    assert.equal(await hub.find(namespaces, { name: 'fleet-member-sea' }), undefined);
    assert.match(hub.metrics.text(), /^leave_result_counter\{result="success"\} 1$/m);
    assert.deepEqual((await hub.events()).slice(-2), ['InternalMemberClusterSpecUpdated', 'MemberClusterJoined']);
  });

  test('can join again under the same name', async () => {
    await joined('sea');
    assert.deepEqual(await hub.conditions('sea'), {
      ReadyToJoin: 'True MemberClusterReadyToJoin',
      Joined: 'True MemberClusterJoined',
    });
    assert.equal(await asked('sea'), 'Join');
  });

  test('is not waited for longer than the settings say', async () => {
    await joined('lake');
    await hub.addWork('lake', 'shop', ['kubernetes-fleet.io/work-cleanup']);
    await hub.client.delete(memberClusters, { name: 'lake' });
    await hub.clock.advance(10 * minute - 2000);
    assert.equal(await asked('lake'), 'Leave');
    await hub.clock.advance(minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'lake' }), undefined);
    assert.equal(await hub.find(namespaces, { name: 'fleet-member-lake' }), undefined);
  });

  test('is not waited for anew after a restart of the hub', async () => {
    await joined('pond');
    await hub.client.delete(memberClusters, { name: 'pond' });
    await hub.settle();
    await hub.stopControllers();
    await hub.clock.advance(10 * minute);
    await hub.startControllers();
    await hub.clock.advance(minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'pond' }), undefined);
  });

  test('cannot block its deletion with Works that it changes too late', async () => {
    await joined('bog');
    await hub.client.delete(memberClusters, { name: 'bog' });
    await hub.settle();
    await hub.stopControllers();
    // The finalizer comes back before the namespace is deleted.
    await hub.addWork('bog', 'late', ['kubernetes-fleet.io/work-cleanup']);
    await hub.client.delete(namespaces, { name: 'fleet-member-bog' });
    await hub.clock.advance(minute);
    await hub.startControllers();
    await hub.clock.advance(minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'bog' }), undefined);
  });
});

describe('a member that reports more than the hub keeps', () => {
  const observationTime = '2026-01-01T00:00:00Z';
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ forceDeleteWaitMs: 10 * minute });
    hub.shouldRefuse = areLarge;
  });
  after(() => hub.stop());

  const areLarge: TestHub['shouldRefuse'] = ({ body }) => (body?.bytes.length ?? 0) > 128 * 1024;

  async function report(name: string, joined: 'True' | 'False', count = 6000): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `example.com/p${index}`);
    const properties = Object.fromEntries(names.map((property) => [property, { value: 'v', observationTime }]));
    await hub.report(name, { agentStatus: [hub.heartbeat(joined)], properties });
    await hub.clock.advance(1000);
    await hub.settle();
  }

  test('joins, and its MemberCluster lists what was left out', async () => {
    await hub.addMember('sea');
    await report('sea', 'True');
    const { status } = await hub.member('sea');
    assert.equal(Object.keys(status?.properties ?? {}).length, 1000);
    assert.deepEqual(await hub.conditions('sea'), {
      ReadyToJoin: 'True MemberClusterReadyToJoin',
      Joined: 'True MemberClusterJoined',
      StatusTrimmed: 'True Oversized',
    });
  });

  test('loses that condition when it reports less', async () => {
    await report('sea', 'True', 10);
    assert.equal(Object.keys((await hub.member('sea')).status?.properties ?? {}).length, 10);
    assert.equal((await hub.conditions('sea'))['StatusTrimmed'], undefined);
  });

  test('leaves when it is asked to', async () => {
    await report('sea', 'True');
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.settle();
    const internal = await hub.find(internalMemberClusters, { namespace: 'fleet-member-sea', name: 'sea' });
    assert.equal(internal?.spec.state, 'Leave');
    await report('sea', 'False');
    await hub.clock.advance(minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'sea' }), undefined);
  });

  test('is deleted by force when it does not answer, though its objects cannot be updated', async () => {
    await hub.addMember('lake');
    await report('lake', 'True');
    await hub.addWork('lake', 'shop', ['kubernetes-fleet.io/work-cleanup']);
    hub.shouldRefuse = ({ path }) => /\/internalmemberclusters|\/status$/.test(path);
    await hub.client.delete(memberClusters, { name: 'lake' });
    await hub.clock.advance(30 * minute);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'lake' }), undefined);
    assert.equal(await hub.find(namespaces, { name: 'fleet-member-lake' }), undefined);
  });

  test('has no rights on the hub once its deletion has begun', async () => {
    hub.shouldRefuse = areLarge;
    await hub.addMember('pond');
    await report('pond', 'True');
    await hub.addWork('pond', 'shop', ['test/held']);
    const agent = hub.server.connect({ user: { name: 'agent-of-pond', groups: ['system:authenticated'] } });
    const key = { namespace: 'fleet-member-pond', name: 'pond' };
    assert.ok(await agent.get(internalMemberClusters, key));
    // A finalizer that the hub may not remove blocks the namespace.
    hub.shouldRefuse = ({ path }) => path.includes('/works/');
    await hub.client.delete(memberClusters, { name: 'pond' });
    await hub.clock.advance(30 * minute);
    assert.ok(await hub.find(namespaces, { name: 'fleet-member-pond' }));
    await assert.rejects(agent.get(internalMemberClusters, key), { code: 403 });
  });
});

describe('a hub with many members', () => {
  const count = 1000;
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ clusterProfiles: false });
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    await hub.stopControllers();
    await Promise.all(names.map((name) => hub.client.create(memberClusters, member(name))));
    await hub.startControllers();
    await reportAll();
    await hub.settle();
  });
  after(() => hub.stop());

  function member(name: string) {
    const identity = { kind: 'User', name };
    const spec = { identity, heartbeatPeriodSeconds: 60 };
    return { apiVersion: 'cluster.kubernetes-fleet.io/v1beta1', kind: 'MemberCluster', metadata: { name }, spec };
  }

  async function reportAll(agentStatus = [hub.heartbeat('True')]): Promise<void> {
    const { items } = await hub.client.list(internalMemberClusters);
    const report = (internal: (typeof items)[number]) =>
      hub.client.update(internalMemberClusters, { ...internal, status: { agentStatus } }, { subresource: 'status' });
    await Promise.all(items.map(report));
  }

  function turns(): number {
    const found = /^controller_runtime_reconcile_time_seconds_count\{controller="membercluster-controller"\} (\d+)$/m;
    return Number(found.exec(hub.metrics.text())?.[1]);
  }

  test('mirrors each report with one reconcile and one write', async () => {
    await hub.clock.advance(minute);
    const [turnsBefore, revisionBefore] = [turns(), hub.revision];
    await reportAll();
    await hub.settle();
    assert.equal(turns() - turnsBefore, count);
    assert.equal(hub.revision - revisionBefore, 2 * count);
  });

  test('writes nothing when a report is unchanged', async () => {
    const { status } = await hub.member('m0');
    const revisionBefore = hub.revision;
    await reportAll(status?.agentStatus);
    await hub.settle();
    // Only the agents wrote.
    assert.equal(hub.revision - revisionBefore, count);
  });

  test('writes nothing after a restart', async () => {
    await hub.stopControllers();
    const revisionBefore = hub.revision;
    await hub.clock.advance(30 * minute);
    await hub.startControllers();
    await hub.settle();
    assert.equal(hub.revision, revisionBefore);
    assert.equal(turns(), count);
  });
});
