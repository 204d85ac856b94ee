import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterProfile, Condition, MemberCluster, MemberClusterStatus } from '@flotilla/api';
import type { Plan } from '@flotilla/runtime';
import { aCondition, aMember, anAgent, now, told } from '../clusters/member.testing.ts';
import { decideProfile } from './decide.ts';

const minute = 60_000;
const claimed = ['kubernetes-fleet.io/membercluster-finalizer', 'kubernetes-fleet.io/cluster-profile-cleanup'];

function joined(status: MemberClusterStatus = { agentStatus: [anAgent('True')] }, finalizers = claimed): MemberCluster {
  const conditions = [aCondition('Joined', 'True', { observedGeneration: 2 }), ...(status.conditions ?? [])];
  return aMember({ finalizers }, { ...status, conditions });
}

function aProfile(changes: Partial<ClusterProfile> = {}): ClusterProfile {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: {
      namespace: 'fleet-system',
      name: 'sea',
      uid: 'p1',
      generation: 3,
      labels: { 'x-k8s.io/cluster-manager': 'KubeFleet' },
    },
    spec: { displayName: 'sea', clusterManager: { name: 'KubeFleet' } },
    ...changes,
  };
}

interface Scene {
  readonly cluster?: MemberCluster | undefined;
  readonly profile?: ClusterProfile | undefined;
  readonly at?: Date;
  readonly listeningSince?: Date;
}

function decided(scene: Scene): Plan {
  const { cluster, profile, at = now, listeningSince = new Date(0) } = scene;
  return decideProfile({ name: 'sea', cluster, profile }, { unhealthyAfterMs: minute, listeningSince }, at);
}

function statusOf(scene: Scene): ClusterProfile['status'] {
  const write = decided({ profile: aProfile(), ...scene }).steps.flat()[0];
  return write?.verb === 'update' ? (write.object as ClusterProfile).status : undefined;
}

describe('a member in the inventory', () => {
  test('gets a finalizer, then a profile, then its status', () => {
    const fresh = decided({ cluster: joined(undefined, claimed.slice(0, 1)) });
    assert.deepEqual(told(fresh), [['patch MemberCluster sea']]);
    const shown = decided({ cluster: joined() });
    assert.deepEqual(told(shown), [['create ClusterProfile sea']]);
    const [[write] = []] = shown.steps;
    const { uid: _, generation: __, ...metadata } = aProfile().metadata;
    assert.deepEqual(write?.verb === 'create' && write.object, { ...aProfile(), metadata });
    assert.deepEqual(told(decided({ cluster: joined(), profile: aProfile() })), [['update ClusterProfile/status sea']]);
  });

  test('has no profile before it has joined, and no change while that is unknown', () => {
    assert.deepEqual(told(decided({ cluster: aMember() })), []);
    const outdated = aMember({ generation: 3 }, joined().status);
    assert.deepEqual(told(decided({ cluster: outdated, profile: aProfile() })), []);
  });

  test('gets name and label of the profile back', () => {
    const profile = aProfile({ spec: { displayName: 'lake', clusterManager: { name: 'KubeFleet' } } });
    assert.deepEqual(told(decided({ cluster: joined(), profile })), [['update ClusterProfile sea']]);
    const unlabelled = aProfile({ metadata: { ...aProfile().metadata, labels: { a: 'b' } } });
    const [[write] = []] = decided({ cluster: joined(), profile: unlabelled }).steps;
    const labels = write?.verb === 'update' && write.object.metadata.labels;
    assert.deepEqual(labels, { a: 'b', 'x-k8s.io/cluster-manager': 'KubeFleet' });
  });

  test('loses its profile when it leaves, and when it is deleted', () => {
    const cluster = aMember({ deletionTimestamp: now.toISOString(), finalizers: claimed });
    const leaving = decided({ cluster, profile: aProfile() });
    assert.deepEqual(told(leaving), [['delete ClusterProfile sea'], ['patch MemberCluster sea']]);
    assert.deepEqual(told(decided({ profile: aProfile() })), [['delete ClusterProfile sea']]);
    assert.deepEqual(told(decided({})), []);
  });

  test('does not replace a profile of another manager', () => {
    const theirs = aProfile({ spec: { clusterManager: { name: 'Other' } } });
    assert.deepEqual(told(decided({ cluster: joined(), profile: theirs })), []);
    assert.deepEqual(told(decided({ profile: theirs })), []);
    const leaving = aMember({ deletionTimestamp: now.toISOString(), finalizers: claimed });
    assert.deepEqual(told(decided({ cluster: leaving, profile: theirs })), [['patch MemberCluster sea']]);
  });
});

describe('the status of a profile', () => {
  const observationTime = '2026-01-01T00:00:00Z';
  const properties = {
    'k8s.io/k8s-version': { value: 'v1.36.0', observationTime },
    'k8s.io/cluster-entrypoint': { value: 'https://sea', observationTime },
    'k8s.io/cluster-certificate-authority-data': { value: 'UEVN', observationTime },
  };
  const collected = aCondition('ClusterPropertyCollectionSucceeded', 'True', { observedGeneration: 2 });

  test('has the version, and how to reach the cluster', () => {
    const status = statusOf({ cluster: joined({ properties, conditions: [collected] }) });
    assert.deepEqual(status?.version, { kubernetes: 'v1.36.0' });
    const cluster = { server: 'https://sea', 'certificate-authority-data': 'VUVWTg==' };
    assert.deepEqual(status?.accessProviders, [{ name: 'KubeFleet', cluster }]);
  });

  test('is empty before properties are collected, and keeps its values when collection fails', () => {
    const nothing = statusOf({ cluster: joined({ properties }) });
    assert.deepEqual([nothing?.version, nothing?.accessProviders], [{}, undefined]);
    const before = { version: { kubernetes: 'v1.35.0' }, accessProviders: [{ name: 'KubeFleet' }] };
    const after = statusOf({ cluster: joined({ properties }), profile: aProfile({ status: before }) });
    assert.deepEqual([after?.version, after?.accessProviders], [before.version, before.accessProviders]);
  });

  test('has an empty address if the member reports none', () => {
    const status = statusOf({ cluster: joined({ conditions: [collected] }) });
    assert.deepEqual(status?.accessProviders, [{ name: 'KubeFleet', cluster: { server: '' } }]);
  });
});

describe('the health of a member', () => {
  function health(scene: Scene): string {
    const condition = statusOf(scene)?.conditions?.[0];
    assert.equal(condition?.type, 'ControlPlaneHealthy');
    assert.equal(condition.observedGeneration, 3);
    return `${condition.status} ${condition.reason}: ${condition.message}`;
  }

  function agent(healthy: Condition['status'] | undefined, lastReceivedHeartbeat = '2026-01-01T11:59:30Z') {
    const conditions = healthy ? [aCondition('Healthy', healthy)] : [];
    return joined({ agentStatus: [{ type: 'MemberAgent', lastReceivedHeartbeat, conditions }] });
  }

  test('is what its agent reports', () => {
    const of = 'The Fleet member agent';
    const cases: [MemberCluster, string][] = [
      [joined({}), `Unknown MemberAgentReportedNoStatus: ${of} has not reported its status yet`],
      [
        agent(undefined),
        `Unknown MemberAgentReportedNoHealthInfo: ${of} has reported its status, but the health condition is missing`,
      ],
      [
        agent('Unknown'),
        `Unknown MemberAgentReportedNoHealthInfo: ${of} health check result is out of date or unknown`,
      ],
      [agent('False'), `False MemberClusterAPIServerUnhealthy: ${of} reports that the API server is unhealthy`],
      [agent('True'), `True MemberClusterAPIServerHealthy: ${of} reports that the API server is healthy`],
      [
        agent('True', '2026-01-01T11:58:00Z'),
        `False MemberAgentHeartbeatLost: ${of} has lost its heartbeat connection to the Fleet hub cluster`,
      ],
    ];
    for (const [cluster, sentence] of cases) assert.equal(health({ cluster }), sentence);
  });

  test('is checked again when the heartbeat is overdue, not when it is merely late', () => {
    const cluster = agent('True', '2026-01-01T12:00:00Z');
    const { requeueAfterMs } = decided({ cluster, profile: aProfile() });
    // One and a half periods, which is longer than the configured limit.
    assert.equal(requeueAfterMs, 90_001);
    assert.match(health({ cluster, at: new Date(now.getTime() + 90_000) }), /^True /);
    assert.match(health({ cluster, at: new Date(now.getTime() + 90_001) }), /^False MemberAgentHeartbeatLost/);
  });

  test('is checked again in time, whatever the clock of the member', () => {
    const ahead = agent('True', '9999-12-31T23:59:59Z');
    assert.match(health({ cluster: ahead }), /^True /);
    assert.equal(decided({ cluster: ahead, profile: aProfile() }).requeueAfterMs, 90_001);
    assert.match(health({ cluster: agent('True', 'some day') }), /^False MemberAgentHeartbeatLost/);
  });

  test('does not count the time in which the hub was down', () => {
    const cluster = agent('True', '2026-01-01T10:00:00Z');
    const scene = { cluster, listeningSince: now };
    assert.match(health(scene), /^True /);
    assert.match(health({ ...scene, at: new Date(now.getTime() + 90_001) }), /^False MemberAgentHeartbeatLost/);
  });
});
