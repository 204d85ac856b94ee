/** What commands say about workloads that are not available: what their pods wait for, on members that can be asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemIn } from '../../apps/flotilla/src/placement-view/workload-problem.ts';
import { Story } from '../placements/story.ts';
import { runCommand } from './command-shell.ts';

const twoMembers = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
members: [{ name: east }, { name: west }]
`;

const broken = `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: apps/v1
kind: Deployment
metadata: { namespace: web, name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'registry.invalid/web:1' }] }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  policy: { placementType: PickAll }
  strategy: { rollingUpdate: { maxUnavailable: 100% } }
`;

test('tree and status name what the pods of an unavailable workload wait for', async (t) => {
  const story = await Story.start(t, twoMembers);
  await story.apply(broken);
  await story.pass(60);
  const reason = /pod web-\w+-\w+: ImagePullBackOff: registry\.invalid\/web:1 \(and 1 more\)$/;
  const tree = (await runCommand(story, 'tree', 'web')).lines.filter((line) => line.includes('Deployment/web'));
  assert.equal(tree.length, 2);
  for (const line of tree) assert.match(line, reason);
  const stuck = (await runCommand(story, 'status')).lines.find((line) => line.includes('ClusterResourcePlacement web'));
  assert.match(stuck ?? '', /on east, west for .*: not Available: Deployment web\/web: .*; on east, /);
  assert.match(stuck ?? '', reason);
});

test('a pod that cannot be scheduled says why, and one that is starting says nothing', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0' } };
  const starting = { containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] };
  assert.equal(problemIn([{ ...pod, status: starting }, pod]), undefined);
  const message = '0/1 nodes are available: 1 Insufficient cpu.';
  const unscheduled = { conditions: [{ type: 'PodScheduled', status: 'False', message }] };
  assert.equal(problemIn([{ ...pod, status: unscheduled }]), `pod web-0: ${message}`);
  const waiting = { reason: 'CreateContainerConfigError', message: 'configmap "settings" not found' };
  const misconfigured = { initContainerStatuses: [{ image: 'web:1', state: { waiting } }] };
  assert.equal(
    problemIn([pod, { ...pod, status: misconfigured }]),
    'pod web-0: CreateContainerConfigError: configmap "settings" not found',
  );
});
