import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clusterFamily,
  envelopeTypeLabel,
  families,
  type ManifestCondition,
  type Placement,
  type PlacementSpec,
  type Work,
} from '@flotilla/api';
import { apiErrors, deployments, type JsonObject } from '@flotilla/kube';
import { aPlacement, earlier } from '../placement/status/status.testing.ts';
import { backReportProblem } from './back-report-problem.ts';
import { decideBackReport, type BackReportState } from './decide.ts';
import { isWritable } from './writable-kinds.ts';

const strategy = {
  type: 'RollingUpdate',
  reportBackStrategy: { type: 'Mirror', destination: 'OriginalResource' },
} as const;
const onOne: Partial<PlacementSpec> = { strategy, policy: { placementType: 'PickN', numberOfClusters: 1 } };
const original = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team', name: 'web' };

function reported(status: unknown, identifier: object = original): ManifestCondition {
  const observedStatus = { apiVersion: 'apps/v1', kind: 'Deployment', status } as JsonObject;
  return {
    identifier: { ordinal: 0, resource: 'secrets', ...identifier },
    conditions: [],
    backReportedStatus: { observedStatus, observationTime: earlier },
  };
}

function aWork(manifest: ManifestCondition, applied: 'True' | 'False' = 'True', observedGeneration = 2): Work {
  const condition = { type: 'Applied', status: applied, observedGeneration, lastTransitionTime: earlier };
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { namespace: 'fleet-member-sea', name: 'web-work', generation: 2 },
    status: { conditions: [{ ...condition, reason: 'x', message: '' }], manifestConditions: [manifest] },
  };
}

function aState(
  changes: Partial<BackReportState> = {},
  spec = onOne,
  status: Placement['status'] = {},
): BackReportState {
  return {
    work: aWork(reported({ replicas: 3 })),
    member: 'sea',
    placement: aPlacement(clusterFamily, spec, {
      selectedResources: [original],
      placementStatuses: [{ clusterName: 'sea' }],
      ...status,
    }),
    writableKind: () => deployments,
    ...changes,
  };
}

const writesOf = (state: BackReportState) => decideBackReport(state).steps.flat();

describe('a back-report', () => {
  test('replaces the status of the selected object, and nothing else', () => {
    assert.deepEqual(writesOf(aState()), [
      {
        verb: 'json-patch',
        kind: deployments,
        key: { namespace: 'team', name: 'web' },
        operations: [{ op: 'add', path: '/status', value: { replicas: 3 } }],
        subresource: 'status',
      },
    ]);
  });

  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`) as JsonObject;
  const refusedRows: Readonly<Record<string, BackReportState>> = {
    'a Work that is not applied': aState({ work: aWork(reported({}), 'False') }),
    'a Work that was applied before it changed': aState({ work: aWork(reported({}), 'True', 1) }),
    'a Work that is being deleted': aState({
      work: {
        ...aState().work,
        metadata: { ...aState().work.metadata, deletionTimestamp: earlier },
      },
    }),
    'a Work of an envelope': aState({
      work: {
        ...aState().work,
        metadata: { ...aState().work.metadata, labels: { [envelopeTypeLabel]: 'ResourceEnvelope' } },
      },
    }),
    'a manifest without a status': aState({ work: aWork({ identifier: { ordinal: 0 }, conditions: [] }) }),
    'a status that is no object': aState({ work: aWork(reported('up')) }),
    'a status that is too large': aState({ work: aWork(reported({ log: 'x'.repeat(300_000) })) }),
    'a status that is too deep': aState({ work: aWork(reported(deep)) }),
    'an object that was not selected': aState({ work: aWork(reported({}, { ...original, name: 'other' })) }),
    'an object in an envelope': aState({}, onOne, {
      selectedResources: [{ ...original, envelope: { name: 'e', type: 'ResourceEnvelope' } }],
    }),
    'a kind that members may not write': aState({ writableKind: () => undefined }),
    'a member that the placement has left': aState({ member: 'sky' }),
    'a placement that reports to Works': aState(
      {},
      { ...onOne, strategy: { ...strategy, reportBackStrategy: { type: 'Mirror', destination: 'WorkAPI' } } },
    ),
    'a placement that reports nothing': aState(
      {},
      { ...onOne, strategy: { ...strategy, reportBackStrategy: { type: 'Disabled' } } },
    ),
    'a placement on several clusters': aState({}, { strategy }),
  };
  for (const [title, state] of Object.entries(refusedRows)) {
    test(`ignores ${title}`, () => assert.deepEqual(writesOf(state), []));
  }

  test('waits for another report if the hub refuses the status, and says so', () => {
    const { refused } = decideBackReport(aState());
    const refusal = refused?.(apiErrors.badRequest('replicas must not be negative'));
    assert.equal(refusal?.awaitsChange, true);
    assert.deepEqual(
      refusal?.events?.map(({ reason, message }) => [reason, message]),
      [['StatusBackReportFailed', 'The status that a member reports cannot be written: replicas must not be negative']],
    );
    assert.equal(refused?.(apiErrors.tooManyRequests('later', 1)).awaitsChange, false);
  });
});

test('a placement can report to the originals if it picks one cluster', () => {
  const cannot = 'cannot back-report status to original resources';
  const rows: readonly (readonly [PlacementSpec['policy'], string | undefined])[] = [
    [{ placementType: 'PickN', numberOfClusters: 1 }, undefined],
    [{ placementType: 'PickFixed', clusterNames: ['sea'] }, undefined],
    [undefined, `the scheduling policy in use is of the PickAll type; ${cannot}`],
    [{ placementType: 'PickAll' }, `the scheduling policy in use is of the PickAll type; ${cannot}`],
    [
      { placementType: 'PickFixed', clusterNames: ['a', 'b'] },
      `the scheduling policy in use is of the PickFixed type, but it has more than one target cluster (2 clusters); ${cannot}`,
    ],
    [
      { placementType: 'PickN', numberOfClusters: 2 },
      `the scheduling policy in use is of the PickN type, but the number of target clusters is not set to 1; ${cannot}`,
    ],
  ];
  for (const family of families) {
    for (const [policy, expected] of rows) {
      assert.equal(backReportProblem(aPlacement(family, policy && { policy }).spec), expected);
    }
  }
});

test('members may write statuses of workloads and custom resources', () => {
  const rows: readonly (readonly [group: string, kind: string, isCustom: boolean, isWritable: boolean])[] = [
    ['apps', 'Deployment', false, true],
    ['batch', 'Job', false, true],
    ['', 'Service', false, true],
    ['', 'PersistentVolumeClaim', false, true],
    ['networking.k8s.io', 'Ingress', false, true],
    ['example.com', 'Database', true, true],
    ['gateway.networking.k8s.io', 'Gateway', true, true],
    ['', 'Namespace', false, false],
    ['', 'Node', false, false],
    ['certificates.k8s.io', 'CertificateSigningRequest', false, false],
    ['apiextensions.k8s.io', 'CustomResourceDefinition', false, false],
    ['placement.kubernetes-fleet.io', 'ClusterResourcePlacement', true, false],
    ['cluster.kubernetes-fleet.io', 'MemberCluster', true, false],
    ['multicluster.x-k8s.io', 'ClusterProfile', true, false],
  ];
  const plain = {
    version: 'v1',
    plural: 'x',
    namespaced: true,
    singular: 'x',
    shortNames: [],
    categories: [],
    verbs: [],
  };
  const subresources = [{ name: 'status', verbs: ['get', 'patch'] }];
  for (const [group, kind, isCustom, expected] of rows) {
    assert.equal(isWritable({ ...plain, group, kind, subresources }, isCustom), expected, `${kind}.${group}`);
    assert.equal(isWritable({ ...plain, group, kind, subresources: [] }, isCustom), false);
  }
});
