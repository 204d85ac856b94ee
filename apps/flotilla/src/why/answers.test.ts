import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterFamily, type MemberCluster, type Placement, type PolicySnapshot } from '@flotilla/api';
import { whyAnswers } from './answers.ts';

const now = new Date('2026-01-01T00:00:00Z');
const meta = { apiVersion: '', kind: '' };

function aCluster(name: string): MemberCluster {
  const condition = { status: 'True', reason: '', message: '', lastTransitionTime: now.toISOString() } as const;
  const conditions = [
    { type: 'Joined', ...condition },
    { type: 'Healthy', ...condition },
  ];
  const agentStatus = [{ type: 'MemberAgent' as const, conditions, lastReceivedHeartbeat: now.toISOString() }];
  const spec = { identity: { kind: 'User', name }, heartbeatPeriodSeconds: 60 };
  return { ...meta, metadata: { name }, spec, status: { agentStatus } };
}

test('clusters that an OCM Placement has not selected are no candidates, as for the hub', () => {
  const annotations = { 'flotilla.dev/candidates-from': 'west/lakes' };
  const placement = { ...meta, metadata: { name: 'web', annotations }, spec: {} } as unknown as Placement;
  const labels = { 'kubernetes-fleet.io/is-latest-snapshot': 'true' };
  const snapshot = { ...meta, metadata: { name: 'web-0', labels }, spec: {} } as unknown as PolicySnapshot;
  const inputs = {
    family: clusterFamily,
    namespace: undefined,
    name: 'web',
    placement,
    policySnapshots: [snapshot],
    bindings: [],
    clusters: ['lake', 'sea'].map(aCluster),
  };
  const decision = { ...meta, metadata: {}, status: { decisions: [{ clusterName: 'lake', reason: '' }] } };
  const { clusters } = whyAnswers({ ...inputs, placementDecisions: [decision] }, [], now);
  assert.deepEqual(
    clusters.map(({ cluster, chosen, decidedBy }) => `${cluster} ${chosen} ${decidedBy}`),
    ['lake next PickAll', 'sea no Candidates'],
  );
  assert.match(
    whyAnswers({ ...inputs, placementDecisions: [] }, [], now).scheduled,
    /; candidates: Placement west\/lakes has no PlacementDecision$/,
  );
});
