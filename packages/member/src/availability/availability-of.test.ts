import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { availabilityOf, type AvailabilityOptions } from './availability-of.ts';

type Case = readonly [
  sentence: string,
  result: string,
  parts: { readonly spec?: JsonObject; readonly status?: JsonObject },
];

describe('a Deployment', () => {
  const ready = { observedGeneration: 3, availableReplicas: 2, updatedReplicas: 2, replicas: 2 };
  table('apps/v1/deployments', [
    ['is available if all replicas are available and updated', 'Available', { spec: { replicas: 2 }, status: ready }],
    ['defaults to one replica', 'ManifestNotAvailableYet', { status: ready }],
    ['is not available without a status', 'ManifestNotAvailableYet', { spec: { replicas: 2 } }],
    [
      'waits for the status of this generation',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, observedGeneration: 2 } },
    ],
    [
      'waits for old replicas to be replaced',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, updatedReplicas: 1 } },
    ],
    [
      'is not available with too few available replicas',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, availableReplicas: 1 } },
    ],
    [
      'waits while any is unavailable',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, unavailableReplicas: 1 } },
    ],
    ['with zero replicas is available', 'Available', { spec: { replicas: 0 }, status: { observedGeneration: 3 } }],
  ]);
});

describe('a StatefulSet', () => {
  const ready = {
    observedGeneration: 3,
    availableReplicas: 2,
    currentReplicas: 2,
    updatedReplicas: 2,
    currentRevision: 'a',
    updateRevision: 'a',
  };
  table('apps/v1/statefulsets', [
    [
      'is available if all replicas are available and of one revision',
      'Available',
      { spec: { replicas: 2 }, status: ready },
    ],
    ['defaults to one replica', 'ManifestNotAvailableYet', { status: ready }],
    [
      'waits for the status of this generation',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, observedGeneration: 4 } },
    ],
    [
      'waits for the new revision',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, updateRevision: 'b' } },
    ],
    [
      'waits for all to be updated',
      'ManifestNotAvailableYet',
      { spec: { replicas: 2 }, status: { ...ready, updatedReplicas: 1 } },
    ],
  ]);
});

describe('a DaemonSet', () => {
  const ready = {
    observedGeneration: 3,
    numberAvailable: 4,
    desiredNumberScheduled: 4,
    currentNumberScheduled: 4,
    updatedNumberScheduled: 4,
  };
  table('apps/v1/daemonsets', [
    ['is available if it runs on every scheduled node', 'Available', { status: ready }],
    [
      'waits for the status of this generation',
      'ManifestNotAvailableYet',
      { status: { ...ready, observedGeneration: 1 } },
    ],
    [
      'is not available with too few available pods',
      'ManifestNotAvailableYet',
      { status: { ...ready, numberAvailable: 3 } },
    ],
    [
      'waits for old pods to be replaced',
      'ManifestNotAvailableYet',
      { status: { ...ready, updatedNumberScheduled: 3 } },
    ],
  ]);
});

describe('a Service', () => {
  const ingress = (entry: JsonObject): JsonObject => ({ loadBalancer: { ingress: [entry] } });
  table('v1/services', [
    ['is available with a cluster IP', 'Available', { spec: { clusterIPs: ['10.0.0.1'] } }],
    [
      'of a node port is available with an address',
      'Available',
      { spec: { type: 'NodePort', clusterIPs: ['10.0.0.1'] } },
    ],
    ['is available if it is headless', 'Available', { spec: { type: 'ClusterIP', clusterIPs: ['None'] } }],
    [
      'is not available without a cluster IP',
      'ManifestNotAvailableYet',
      { spec: { type: 'ClusterIP', clusterIPs: [] } },
    ],
    ['is not available with an empty cluster IP', 'ManifestNotAvailableYet', { spec: { clusterIPs: [''] } }],
    [
      'of a load balancer needs its IP',
      'Available',
      { spec: { type: 'LoadBalancer' }, status: ingress({ ip: '1.2.3.4' }) },
    ],
    [
      'of a load balancer takes a host name',
      'Available',
      { spec: { type: 'LoadBalancer' }, status: ingress({ hostname: 'a.b' }) },
    ],
    [
      'of a load balancer waits for either',
      'ManifestNotAvailableYet',
      { spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.1'] } },
    ],
    [
      'of a load balancer depends on the first entry',
      'ManifestNotAvailableYet',
      { spec: { type: 'LoadBalancer' }, status: ingress({}) },
    ],
    ['of type ExternalName cannot be tracked', 'NotTrackable', { spec: { type: 'ExternalName', externalName: 'a.b' } }],
  ]);
});

describe('a CustomResourceDefinition', () => {
  const conditions = (...entries: readonly JsonObject[]): JsonObject => ({ conditions: [...entries] });
  const named = { type: 'NamesAccepted', status: 'True' };
  table('apiextensions.k8s.io/v1/customresourcedefinitions', [
    [
      'is available when it is established under its names',
      'Available',
      { status: conditions(named, { type: 'Established', status: 'True' }) },
    ],
    [
      'waits to be established',
      'ManifestNotAvailableYet',
      { status: conditions(named, { type: 'Established', status: 'False' }) },
    ],
    [
      'is not available before its names are accepted',
      'ManifestNotAvailableYet',
      { status: conditions({ type: 'Established', status: 'True' }) },
    ],
  ]);
});

describe('a PodDisruptionBudget', () => {
  const status = (disruptionsAllowed: number, answer: string, reason: string, observedGeneration = 3): JsonObject => ({
    observedGeneration,
    disruptionsAllowed,
    conditions: [{ type: 'DisruptionAllowed', status: answer, reason }],
  });
  table('policy/v1/poddisruptionbudgets', [
    ['is available if it allows disruptions', 'Available', { status: status(1, 'True', 'SufficientPods') }],
    [
      'is available if it has the condition that it allows none',
      'Available',
      { status: status(0, 'False', 'InsufficientPods') },
    ],
    [
      'waits while condition and count differ',
      'ManifestNotAvailableYet',
      { status: status(0, 'True', 'SufficientPods') },
    ],
    ['is not available with another reason', 'ManifestNotAvailableYet', { status: status(1, 'True', 'SyncFailed') }],
    [
      'waits for the status of this generation',
      'ManifestNotAvailableYet',
      { status: status(1, 'True', 'SufficientPods', 2) },
    ],
    [
      'waits for its condition',
      'ManifestNotAvailableYet',
      { status: { observedGeneration: 3, disruptionsAllowed: 1 } },
    ],
  ]);
});

describe('objects without a status', () => {
  const resources = [
    ...['namespaces', 'secrets', 'configmaps', 'serviceaccounts', 'limitranges', 'resourcequotas'].map(
      (name) => `v1/${name}`,
    ),
    ...['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
      (name) => `rbac.authorization.k8s.io/v1/${name}`,
    ),
    ...['networkpolicies', 'ingressclasses'].map((name) => `networking.k8s.io/v1/${name}`),
    ...['csidrivers', 'csinodes', 'storageclasses', 'csistoragecapacities'].map((name) => `storage.k8s.io/v1/${name}`),
    'apps/v1/controllerrevisions',
    'scheduling.k8s.io/v1/priorityclasses',
  ];
  for (const resource of resources) {
    test(`${resource} are available at once`, () => assert.equal(resultOf(resource, {}), 'Available'));
  }
});

describe('kinds without a rule', () => {
  const resources = [
    'batch/v1/jobs',
    'batch/v1/cronjobs',
    'v1/pods',
    'v1/persistentvolumeclaims',
    'example.com/v1/things',
  ];
  for (const resource of [...resources, 'apps/v1beta1/deployments', 'storage.k8s.io/v1beta1/storageclasses']) {
    test(`${resource} cannot be tracked`, () => assert.equal(resultOf(resource, {}), 'NotTrackable'));
  }
});

test('a Job is available with one ready or succeeded pod if trackJobs is set', () => {
  const ofJob = (status?: JsonObject): string =>
    resultOf('batch/v1/jobs', status ? { status } : {}, { trackJobs: true });
  assert.deepEqual(
    [ofJob(), ofJob({ active: 1, ready: 0 }), ofJob({ ready: 1 }), ofJob({ succeeded: 1 }), ofJob({ failed: 6 })],
    ['ManifestNotAvailableYet', 'ManifestNotAvailableYet', 'Available', 'Available', 'ManifestNotAvailableYet'],
  );
});

test('an object with a field of the wrong type has failed, with the field in the message', () => {
  const status = { observedGeneration: 'three' };
  assert.deepEqual(availabilityOf(identifierOf('apps/v1/deployments'), anObject({ status })), {
    result: 'Failed',
    problem: 'the Some on the member is invalid: observedGeneration is not an integer',
  });
});

function table(resource: string, cases: readonly Case[]): void {
  for (const [sentence, result, parts] of cases) {
    test(sentence, () => assert.equal(resultOf(resource, parts), result));
  }
}

function resultOf(resource: string, parts: Case[2], options?: AvailabilityOptions): string {
  return availabilityOf(identifierOf(resource), anObject(parts), options).result;
}

function identifierOf(text: string): { group: string; version: string; resource: string } {
  const [resource = '', version = '', group = ''] = text.split('/').reverse();
  return { group, version, resource };
}

function anObject(parts: Case[2]): KubeObject {
  return { apiVersion: 'any/v1', kind: 'Some', metadata: { name: 'x', generation: 3 }, ...parts };
}
