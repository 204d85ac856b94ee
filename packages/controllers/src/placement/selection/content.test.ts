import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, deployments, type JsonObject, type Kind } from '@flotilla/kube';
import { contentOf } from './content.ts';
import { services } from './interests.ts';

const jobs: Kind = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };

function content(kind: Kind, members: JsonObject, metadata: JsonObject = {}): JsonObject {
  return contentOf(kind, { apiVersion: '', kind: '', metadata: { name: 'a', ...metadata }, ...members });
}

describe('the content of an object', () => {
  test('has neither status nor what the server of the hub sets, and everything else', () => {
    const kept = {
      labels: { app: 'web' },
      finalizers: ['x'],
      generateName: 'a-',
      deletionGracePeriodSeconds: 3,
      annotations: { note: 'kept' },
    };
    const dropped = {
      resourceVersion: '1',
      generation: 2,
      uid: 'u',
      selfLink: '/a',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [],
      ownerReferences: [],
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    const annotations = {
      ...kept.annotations,
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deployment.kubernetes.io/revision': '2',
    };
    const object = { spec: { replicas: 2 }, status: { replicas: 1 } };
    assert.deepEqual(content(deployments, object, { ...kept, ...dropped, annotations }), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', ...kept },
      spec: { replicas: 2 },
    });
  });

  test('has no annotations if none is left', () => {
    const annotations = { 'deployment.kubernetes.io/revision': '2' };
    for (const some of [annotations, {}]) {
      assert.deepEqual(content(configMaps, {}, { annotations: some })['metadata'], { name: 'a' });
    }
  });

  test('leaves the object as it was', () => {
    const object = Object.freeze({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: Object.freeze({ name: 'a', uid: 'u' }),
      spec: Object.freeze({ clusterIP: '10.0.0.1', ports: Object.freeze([Object.freeze({ nodePort: 1 })]) as never }),
    });
    contentOf(services, object);
    assert.equal(object.metadata.uid, 'u');
  });

  const specs: readonly [claim: string, kind: Kind, spec: JsonObject, expected: JsonObject][] = [
    [
      'of a Service has no addresses and ports of the hub',
      services,
      {
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1'],
        healthCheckNodePort: 1,
        ports: [{ port: 80, nodePort: 30000 }],
      },
      { ports: [{ port: 80 }] },
    ],
    [
      'of a headless Service says so',
      services,
      { clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 80, nodePort: 30000 }] },
      { clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 80 }] },
    ],
    ['of a Service survives ports that are none', services, { ports: [7, null] }, { ports: [7, null] }],
    [
      'of a Job has no selector by the uid of the hub',
      jobs,
      jobSpec(
        { 'controller-uid': 'u', 'batch.kubernetes.io/controller-uid': 'u', app: 'web' },
        { creationTimestamp: null },
      ),
      jobSpec({ app: 'web' }, {}),
    ],
    [
      'of a Job with a selector of its own keeps it',
      jobs,
      { ...jobSpec({ 'controller-uid': 'u' }, {}), manualSelector: true },
      { ...jobSpec({ 'controller-uid': 'u' }, {}), manualSelector: true },
    ],
    ['of a Job keeps what is left of its selector', jobs, jobSpec({ 'controller-uid': 'u' }, {}), jobSpec({}, {})],
  ];
  for (const [claim, kind, spec, expected] of specs) {
    test(claim, () => assert.deepEqual(content(kind, { spec })['spec'], expected));
  }

  test('of a Service or Job in another group is left alone', () => {
    const spec = { clusterIP: '10.0.0.1' };
    const knative = { ...services, group: 'serving.knative.dev' };
    assert.deepEqual(content(knative, { spec })['spec'], spec);
  });
});

function jobSpec(labels: JsonObject, metadata: JsonObject): JsonObject {
  return { selector: { matchLabels: labels }, template: { metadata: { ...metadata, labels }, spec: {} } };
}
