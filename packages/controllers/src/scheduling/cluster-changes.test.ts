import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentStatus, Condition, MemberCluster, MemberClusterStatus, Taint } from '@flotilla/api';
import { changedDependencies } from './cluster-changes.ts';

const minute = 60_000;
const noon = Date.parse('2026-01-01T12:00:00Z');

interface Changes {
  readonly labels?: Record<string, string>;
  readonly taints?: Taint[];
  readonly status?: MemberClusterStatus;
}

function cluster({ labels = {}, taints = [], status }: Changes = {}): MemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name: 'sea', labels },
    spec: { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60, taints },
    ...(status && { status }),
  };
}

function leaving(member: MemberCluster): MemberCluster {
  return { ...member, metadata: { ...member.metadata, deletionTimestamp: '2026-01-01T12:00:00Z' } };
}

type Statuses = Readonly<Record<string, Condition['status']>>;

function agent(conditions: Statuses = { Joined: 'True', Healthy: 'True' }, at = noon): AgentStatus {
  const lastTransitionTime = new Date(noon).toISOString();
  const said = { reason: 'Said', message: '', lastTransitionTime };
  return {
    type: 'MemberAgent',
    lastReceivedHeartbeat: new Date(at).toISOString(),
    conditions: Object.entries(conditions).map(([type, status]) => ({ type, status, ...said })),
  };
}

function agentCluster(conditions?: Statuses, at?: number): MemberCluster {
  return cluster({ status: { agentStatus: [agent(conditions, at)] } });
}

const timeouts = { heartbeatTimeoutMs: 5 * minute, healthTimeoutMs: 5 * minute };

function changed(old: MemberCluster | undefined, now: MemberCluster | undefined, at = noon): string[] {
  return [...changedDependencies(now, old, { timeouts }, at)].sort();
}

const itself = ['cluster/sea', 'clusters'];
const gpu: Taint = { key: 'gpu', effect: 'NoSchedule' };

describe('a change of a MemberCluster concerns', () => {
  const unhealthy = { Joined: 'True', Healthy: 'False' } as const;
  const later = noon + 6 * minute;
  type Row = readonly [string, MemberCluster | undefined, MemberCluster | undefined, string[], number?];
  const rows: readonly Row[] = [
    ['placements that want clusters: one that joins', cluster(), agentCluster(), itself],
    ['them, when a joined one appears', undefined, agentCluster(), itself],
    ['them, when one is gone', cluster(), undefined, itself],
    ['them, when the agent joins but is unhealthy', cluster(), agentCluster(unhealthy), itself],
    [
      'them, when it is healthy after long',
      agentCluster(unhealthy, later),
      agentCluster(undefined, later),
      itself,
      later,
    ],
    ['them, after a long silence', agentCluster(), agentCluster(undefined, later), itself, later],
    [
      'them, after a silence by a clock that is slow',
      agentCluster(),
      agentCluster(undefined, noon + minute),
      itself,
      noon + 5.5 * minute,
    ],
    ['them, when it loses a taint', cluster({ taints: [gpu] }), cluster(), ['clusters']],
    [
      'them, when a taint has another value',
      cluster({ taints: [gpu] }),
      cluster({ taints: [{ ...gpu, value: 'a' }] }),
      ['clusters'],
    ],
    ['a placement that names it: a cluster that has not joined yet', undefined, cluster(), ['cluster/sea']],
    ['no placement: a heartbeat', agentCluster(), agentCluster(undefined, noon + minute), [], noon + minute],
    ['no placement: an agent that has not joined', cluster(), agentCluster({ Joined: 'False', Healthy: 'True' }), []],
    ['no placement: one that was unhealthy for a moment', agentCluster(unhealthy), agentCluster(), []],
    ['no placement: an agent that is no longer healthy', agentCluster(), agentCluster(unhealthy), []],
    ['no placement: a new taint', cluster({ taints: [gpu] }), cluster({ taints: [gpu, { ...gpu, key: 'b' }] }), []],
    ['no placement: a member that begins to leave', agentCluster(), leaving(agentCluster()), []],
    [
      'those that use a label that changed',
      cluster({ labels: { a: '1', b: '1', c: '1' } }),
      cluster({ labels: { a: '1', b: '2', d: '1' } }),
      ['label/b', 'label/c', 'label/d'],
    ],
  ];
  for (const [title, old, now, expected, at] of rows) {
    test(title, () => assert.deepEqual(changed(old, now, at), expected));
  }

  test('those that use a property whose value changed, not only its time', () => {
    const reported = (value: string, at: string, cpu: string): MemberCluster => {
      const properties = { 'a.io/x': { value, observationTime: at }, 'a.io/y': { value: '1', observationTime: at } };
      const resourceUsage = { capacity: { cpu: '8' }, allocatable: { cpu }, available: { cpu, memory: '1Gi' } };
      return cluster({ status: { properties, resourceUsage } });
    };
    assert.deepEqual(changed(reported('1', 'then', '4'), reported('1', 'now', '4')), []);
    assert.deepEqual(changed(reported('1', 'then', '4'), reported('2', 'now', '2')), [
      'property/a.io/x',
      'property/resources.kubernetes-fleet.io/allocatable-cpu',
      'property/resources.kubernetes-fleet.io/available-cpu',
    ]);
    assert.deepEqual(changed(cluster(), reported('1', 'now', '4')).length, 6);
  });

  test('placements in a namespace that appears or disappears', () => {
    const having = (...names: string[]): MemberCluster =>
      cluster({ status: { namespaces: Object.fromEntries(names.map((name) => [name, ''])) } });
    assert.deepEqual(changed(having('a', 'b'), having('b', 'c')), ['namespace/a', 'namespace/c']);
    assert.deepEqual(changed(cluster(), having('a')), ['clusters', 'namespace/a']);
  });

  test('every placement where plugins run, if more than a time changed', () => {
    const options = { timeouts, hasPlugins: true };
    const heartbeat = changedDependencies(agentCluster(undefined, noon + minute), agentCluster(), options, noon);
    assert.deepEqual([...heartbeat], []);
    const labelled = changedDependencies(cluster({ labels: { a: '1' } }), cluster(), options, noon);
    assert.deepEqual([...labelled], ['label/a', 'clusters']);
    const tainted = changedDependencies(cluster({ taints: [gpu] }), cluster(), options, noon);
    assert.deepEqual([...tainted], ['clusters']);
  });

  test('what has the name of a property that every object has', () => {
    assert.deepEqual(changed(cluster(), cluster({ labels: { constructor: 'x' } })), ['label/constructor']);
  });
});
