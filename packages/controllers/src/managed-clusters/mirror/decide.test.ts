import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedCluster, MemberCluster, MemberClusterStatus } from '@flotilla/api';
import type { Plan } from '@flotilla/runtime';
import { aCondition, aMember, anAgent, now, told } from '../../clusters/member.testing.ts';
import { decideMirror, type MirrorSettings } from './decide.ts';

const minute = 60_000;
const settings: MirrorSettings = { listeningSince: new Date(0), isAccepted: true };
const observationTime = '2026-01-01T00:00:00Z';

function joined(changes: Partial<MemberCluster> = {}, status: MemberClusterStatus = {}): MemberCluster {
  const conditions = [aCondition('Joined', 'True', { observedGeneration: 2 })];
  return { ...aMember({}, { agentStatus: [anAgent('True')], conditions, ...status }), ...changes };
}

function withTaints(...taints: NonNullable<MemberCluster['spec']['taints']>): MemberCluster {
  const member = joined();
  return { ...member, spec: { ...member.spec, taints } };
}

function labelled(labels: Record<string, string>): MemberCluster {
  return joined({ metadata: { ...aMember().metadata, labels } });
}

/** What the server stores of a plan that creates or updates a mirror. */
function written({ steps }: Plan): ManagedCluster {
  const [[write] = []] = steps;
  assert.ok(write?.verb === 'create' || write?.verb === 'update');
  const { metadata } = write.object;
  return { ...write.object, metadata: { uid: 'm1', ...metadata } };
}

/** The mirror of a member after all reconciles. */
function mirrorOf(member: MemberCluster, at = now, given = settings): ManagedCluster {
  const fresh = written(decideMirror({ member, managed: undefined }, given, at));
  return written(decideMirror({ member, managed: fresh }, given, at));
}

/** The member after a plan that patches its conditions. */
function markedBy({ steps }: Plan): MemberCluster {
  const write = steps.flat().find(({ verb }) => verb === 'patch');
  assert.ok(write?.verb === 'patch');
  return joined({}, (write.patch as Partial<MemberCluster>).status);
}

function decided(member: MemberCluster | undefined, managed: ManagedCluster | undefined, at = now): Plan {
  return decideMirror({ member, managed }, settings, at);
}

describe('the mirror of a member', () => {
  test('is created when the member has joined, and then gets its status', () => {
    assert.deepEqual(told(decided(aMember(), undefined)), []);
    const plan = decided(joined(), undefined);
    assert.deepEqual(told(plan), [['create ManagedCluster sea']]);
    assert.deepEqual(told(decided(joined(), written(plan))), [['update ManagedCluster/status sea']]);
  });

  test('is owned by the MemberCluster, and accepted', () => {
    const { metadata, spec } = mirrorOf(joined());
    const apiVersion = 'cluster.kubernetes-fleet.io/v1beta1';
    assert.deepEqual(metadata.ownerReferences, [
      { apiVersion, kind: 'MemberCluster', name: 'sea', uid: 'u1', controller: true },
    ]);
    assert.deepEqual(spec, { hubAcceptsClient: true, leaseDurationSeconds: 60 });
  });

  test('is not accepted where OCM runs, which would expect a lease of it', () => {
    const { spec, status } = mirrorOf(joined(), now, { ...settings, isAccepted: false });
    assert.equal(spec?.hubAcceptsClient, false);
    assert.deepEqual(
      status?.conditions?.map(({ type }) => type),
      ['ManagedClusterJoined', 'ManagedClusterConditionAvailable'],
    );
  });

  test('is no longer accepted once OCM is installed', () => {
    const besideOcm = { ...settings, isAccepted: false };
    const before = mirrorOf(joined());
    const denied = written(decideMirror({ member: joined(), managed: before }, besideOcm, now));
    const managed = written(decideMirror({ member: joined(), managed: denied }, besideOcm, now));
    assert.equal(managed.spec?.hubAcceptsClient, false);
    assert.ok(!managed.status?.conditions?.some(({ type }) => type === 'HubAcceptedManagedCluster'));
  });

  test('is deleted with the member, and if the member was replaced', () => {
    const managed = mirrorOf(joined());
    const leaving = joined({ metadata: { ...aMember().metadata, deletionTimestamp: now.toISOString() } });
    const replaced = joined({ metadata: { ...aMember().metadata, uid: 'u2' } });
    for (const member of [undefined, leaving, replaced]) {
      assert.deepEqual(told(decided(member, managed)), [['delete ManagedCluster sea']]);
    }
  });

  test('that waits for a finalizer of others is left alone', () => {
    const { metadata, ...rest } = mirrorOf(joined());
    const going = { ...rest, metadata: { ...metadata, deletionTimestamp: now.toISOString() } };
    for (const member of [undefined, joined()]) assert.deepEqual(told(decided(member, going)), []);
  });

  test('does not replace a ManagedCluster of others: the member says once that it has none', () => {
    const { metadata, ...rest } = mirrorOf(joined());
    const theirs = { ...rest, metadata: { ...metadata, ownerReferences: [] } };
    const leaving = joined({ metadata: { ...aMember().metadata, deletionTimestamp: now.toISOString() } });
    for (const member of [undefined, aMember(), leaving]) assert.deepEqual(told(decided(member, theirs)), []);
    const plan = decided(joined(), theirs);
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.match(plan.steps[0]?.[0]?.event?.message ?? '', /^ManagedCluster "sea" exists and does not mirror this/);
    const marked = markedBy(plan);
    assert.deepEqual(told(decided(marked, theirs)), []);
    assert.deepEqual(told(decided(marked, undefined)), [
      ['create ManagedCluster sea'],
      ['patch MemberCluster/status sea'],
    ]);
  });
});

describe('labels of a mirror', () => {
  test('are those of the member, with a cluster set', () => {
    const set = 'cluster.open-cluster-management.io/clusterset';
    assert.deepEqual(mirrorOf(labelled({ env: 'prod' })).metadata.labels, { env: 'prod', [set]: 'default' });
    assert.equal(mirrorOf(labelled({ [set]: '' })).metadata.labels?.[set], 'default');
    assert.equal(mirrorOf(labelled({ [set]: 'sea' })).metadata.labels?.[set], 'sea');
  });

  test('follow the member, and keep what add-ons of OCM say', () => {
    const managed = mirrorOf(labelled({ env: 'prod' }));
    const feature = 'feature.open-cluster-management.io/addon-work';
    const labels = { ...managed.metadata.labels, [feature]: 'available', stray: 'x' };
    const marked = { ...managed, metadata: { ...managed.metadata, labels } };
    assert.deepEqual(written(decided(labelled({ env: 'test' }), marked)).metadata.labels, {
      env: 'test',
      [feature]: 'available',
      'cluster.open-cluster-management.io/clusterset': 'default',
    });
  });
});

describe('taints of a mirror', () => {
  test('keep new Placements away, as those of the member do', () => {
    const member = withTaints({ key: 'cordon-key', value: 'cordon-value', effect: 'NoSchedule' });
    assert.deepEqual(mirrorOf(member).spec?.taints, [
      { key: 'cordon-key', value: 'cordon-value', effect: 'NoSelectIfNew' },
    ]);
  });

  test('keep their times', () => {
    const member = withTaints({ key: 'a', effect: 'NoSchedule' });
    const managed = mirrorOf(member);
    const timed = [{ key: 'a', effect: 'NoSelectIfNew' as const, timeAdded: '2026-01-01T10:00:00Z' }];
    const stored = { ...managed, spec: { ...managed.spec, leaseDurationSeconds: 60, taints: timed } };
    const more = withTaints({ key: 'b', effect: 'NoSchedule' }, { key: 'a', effect: 'NoSchedule' });
    assert.deepEqual(written(decided(more, stored)).spec?.taints, [{ key: 'b', effect: 'NoSelectIfNew' }, ...timed]);
  });

  test('stand in for a taint that OCM cannot express', () => {
    const member = withTaints({ key: 'not a key', effect: 'NoSchedule' });
    assert.deepEqual(mirrorOf(member).spec?.taints, [{ key: 'flotilla.dev/other-taint', effect: 'NoSelectIfNew' }]);
  });
});

describe('claims of a mirror', () => {
  const property = (value: string) => ({ value, observationTime });

  test('are the properties of the member that a claim can hold', () => {
    const properties = {
      'k8s.io/k8s-version': property('v1.36.0'),
      region: property('north'),
      long: property('x'.repeat(1025)),
      empty: property(''),
    };
    const { status } = mirrorOf(joined({}, { properties }));
    assert.deepEqual(status?.clusterClaims, [
      { name: 'k8s.io/k8s-version', value: 'v1.36.0' },
      { name: 'kubeversion.open-cluster-management.io', value: 'v1.36.0' },
      { name: 'region', value: 'north' },
    ]);
    assert.deepEqual(status.version, { kubernetes: 'v1.36.0' });
  });

  test('come with the resources and the address of the member', () => {
    const properties = {
      'k8s.io/cluster-entrypoint': property('https://sea:6443'),
      'k8s.io/cluster-certificate-authority-data': property('UEVN'),
    };
    const [capacity, allocatable] = [{ cpu: '8' }, { cpu: '7' }];
    const resourceUsage = { capacity, allocatable, available: { cpu: '1' }, observationTime };
    const { spec, status } = mirrorOf(joined({}, { properties, resourceUsage }));
    assert.deepEqual(spec?.managedClusterClientConfigs, [{ url: 'https://sea:6443', caBundle: 'UEVN' }]);
    assert.deepEqual([status?.capacity, status?.allocatable], [capacity, allocatable]);
    const plain = { 'k8s.io/cluster-entrypoint': property('http://sea') };
    assert.equal(mirrorOf(joined({}, { properties: plain })).spec?.managedClusterClientConfigs, undefined);
  });
});

describe('the availability of a mirror', () => {
  const agent = (healthy: 'True' | 'False' | 'Unknown', lastReceivedHeartbeat = '2026-01-01T12:00:00Z') =>
    joined(
      {},
      {
        agentStatus: [{ type: 'MemberAgent', lastReceivedHeartbeat, conditions: [aCondition('Healthy', healthy)] }],
        conditions: [aCondition('Joined', 'True', { observedGeneration: 2 })],
      },
    );
  const taintKeys = ({ spec }: ManagedCluster) => spec?.taints?.map(({ key, effect }) => `${key}:${effect}`);
  const available = ({ status }: ManagedCluster) => {
    const condition = status?.conditions?.find(({ type }) => type === 'ManagedClusterConditionAvailable');
    return `${condition?.status} ${condition?.reason}`;
  };

  test('is what the agent reports, with a taint', () => {
    const rows = [
      [agent('True'), 'True ManagedClusterAvailable', undefined],
      [
        agent('False'),
        'False ManagedClusterKubeAPIServerUnavailable',
        ['cluster.open-cluster-management.io/unavailable:NoSelect'],
      ],
      [
        agent('Unknown'),
        'Unknown ManagedClusterKubeAPIServerUnavailable',
        ['cluster.open-cluster-management.io/unreachable:NoSelect'],
      ],
      [
        agent('True', '2026-01-01T11:54:59Z'),
        'Unknown ManagedClusterLeaseUpdateStopped',
        ['cluster.open-cluster-management.io/unreachable:NoSelect'],
      ],
    ] as const;
    for (const [member, words, taints] of rows) {
      const mirror = mirrorOf(member);
      assert.deepEqual([available(mirror), taintKeys(mirror)], [words, taints]);
    }
  });

  test('ends after five periods without a heartbeat, and is checked then', () => {
    const member = agent('True');
    const managed = mirrorOf(member);
    assert.equal(decided(member, managed).requeueAfterMs, 5 * minute + 1);
    const inTime = new Date(now.getTime() + 5 * minute);
    assert.deepEqual(told(decided(member, managed, inTime)), [['update ManagedCluster/status sea']]);
    const late = new Date(inTime.getTime() + 1);
    const tainted = written(decided(member, managed, late));
    assert.deepEqual(taintKeys(tainted), ['cluster.open-cluster-management.io/unreachable:NoSelect']);
    assert.equal(available(written(decided(member, tainted, late))), 'Unknown ManagedClusterLeaseUpdateStopped');
  });

  test('survives a restart of the hub, and does not return with it', () => {
    const member = agent('True', '2026-01-01T10:00:00Z');
    const restarted = { ...settings, listeningSince: now };
    const [available1, lost] = [mirrorOf(member, now, restarted), mirrorOf(member)];
    const after = (managed: ManagedCluster) => available(written(decideMirror({ member, managed }, restarted, now)));
    assert.equal(after(available1), 'True ManagedClusterAvailable');
    assert.equal(after(lost), 'Unknown ManagedClusterLeaseUpdateStopped');
  });

  test('is not that of another agent', () => {
    const conditions = [aCondition('Joined', 'True', { observedGeneration: 2 })];
    const member = joined({}, { agentStatus: [anAgent('True', 'MultiClusterServiceAgent')], conditions });
    assert.equal(available(mirrorOf(member)), 'Unknown ManagedClusterLeaseUpdateStopped');
  });
});
