import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterFamily, type Condition, type MemberCluster, type Placement } from '@flotilla/api';
import { plainTerminal } from '../terminal/terminal.ts';
import { fleetStatusOf } from './fleet-status.ts';
import { statusLines } from './status-lines.ts';

const now = new Date('2026-01-01T01:00:00Z');

function aCondition(type: string, status: Condition['status'], secondsAgo: number, message = ''): Condition {
  const lastTransitionTime = new Date(now.getTime() - secondsAgo * 1000).toISOString();
  return { type, status, message, reason: 'Tested', lastTransitionTime };
}

function aCluster(name: string, heartbeatSecondsAgo: number): MemberCluster {
  const lastReceivedHeartbeat = new Date(now.getTime() - heartbeatSecondsAgo * 1000).toISOString();
  const conditions = [aCondition('Joined', 'True', 100), aCondition('Healthy', 'True', 100)];
  return {
    apiVersion: '',
    kind: '',
    metadata: { name },
    spec: { identity: { kind: 'User', name }, heartbeatPeriodSeconds: 60 },
    status: { agentStatus: [{ type: 'MemberAgent', conditions, lastReceivedHeartbeat }] },
  };
}

function aPlacement(name: string, clusters: Readonly<Record<string, Condition>>): Placement {
  const placementStatuses = Object.entries(clusters).map(([clusterName, condition]) => ({
    clusterName,
    conditions: [aCondition('Scheduled', 'True', 100), condition],
  }));
  const spec = { resourceSelectors: [], revisionHistoryLimit: 10, statusReportingScope: 'ClusterScopeOnly' as const };
  return { apiVersion: '', kind: '', metadata: { name }, spec, status: { placementStatuses } };
}

function linesOf(clusters: readonly MemberCluster[], placements: readonly Placement[]): string[] {
  const families = [{ family: clusterFamily, placements, runs: [] }];
  return statusLines('https://hub', fleetStatusOf({ clusters, families }, now), plainTerminal);
}

test('what is stuck stands once with all its clusters, and what only takes its time does not', () => {
  const refused = aCondition('Applied', 'False', 90, 'refused');
  const lines = linesOf(
    [aCluster('east', 10), aCluster('west', 600)],
    [
      aPlacement('broken', { west: refused, east: refused }),
      aPlacement('slow', { east: aCondition('Available', 'False', 5, 'not yet') }),
      aPlacement('waiting', { east: aCondition('RolloutStarted', 'False', 500, 'its turn comes') }),
    ],
  );
  assert.deepEqual(lines, [
    'Hub https://hub: 2 members, 1 ready; 3 placements, 0 done.',
    '',
    'MEMBER   STATE    HEARTBEAT   PLACEMENTS',
    'east     Ready    10s         3',
    'west     Silent   10m         1',
    '',
    'PLACEMENT   DONE   STATE',
    'broken      0/2    not Applied',
    'slow        0/1    not Available',
    'waiting     0/1    not RolloutStarted',
    '',
    'Stuck:',
    '  MemberCluster west for 10m: cluster is not connected to the fleet: no recent heartbeat signals (last received 10.00 minutes ago)',
    '  → flotilla describe membercluster west',
    '  ClusterResourcePlacement broken on east, west for 90s: not Applied: refused',
    '  → flotilla tree broken',
  ]);
});

test('an agent that has just begun to apply is not stuck, unless an object has failed', () => {
  const pending = aPlacement('new', { east: aCondition('Applied', 'False', 5, 'Resources are being applied') });
  assert.equal(linesOf([], [pending]).at(-1), 'Nothing is stuck.');
  const [cluster] = pending.status?.placementStatuses ?? [];
  const failed = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  const failedPlacements = [{ ...failed, condition: aCondition('Applied', 'False', 5, 'refused') }];
  const refused = { ...pending, status: { placementStatuses: [{ ...cluster, failedPlacements }] } };
  assert.match(linesOf([], [refused]).join('\n'), /on east for 5s: not Applied: Deployment shop\/web: refused/);
});

test('of a thousand members those with problems are shown, and the others counted', () => {
  const clusters = Array.from({ length: 1000 }, (_, index) => aCluster(`c${index}`, index === 777 ? 900 : 1));
  const lines = linesOf(clusters, []);
  assert.equal(lines[3], 'c777     Silent   15m         0');
  assert.ok(lines.includes('… and 980 more without problems'));
});
