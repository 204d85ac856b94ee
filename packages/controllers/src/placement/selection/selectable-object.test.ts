import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, type JsonObject, type Kind } from '@flotilla/kube';
import { isObjectSelectable } from './selectable-object.ts';

describe('objects that are never placed', () => {
  const kind = (group: string, version: string, name: string): Kind => ({
    group,
    version,
    kind: name,
    plural: `${name.toLowerCase()}s`,
    namespaced: true,
  });
  const owned = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u' }] };
  const rows: readonly [Kind, JsonObject, isPlaced: boolean, runsWorkloads?: boolean][] = [
    [kind('apps', 'v1', 'ReplicaSet'), { metadata: owned }, false],
    [kind('apps', 'v1', 'ReplicaSet'), {}, true],
    [kind('apps', 'v1', 'ControllerRevision'), { metadata: owned }, false],
    [kind('apps', 'v1', 'ControllerRevision'), {}, true],
    [kind('apps', 'v1', 'Deployment'), { metadata: owned }, true],
    [configMaps, { metadata: { name: 'kube-root-ca.crt' } }, false],
    [configMaps, { metadata: { name: 'settings' } }, true],
    [configMaps, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, false],
    [kind('', 'v1', 'ServiceAccount'), { metadata: { name: 'default' } }, false],
    [kind('', 'v1', 'ServiceAccount'), { metadata: { name: 'sailor' } }, true],
    [kind('', 'v1', 'Secret'), { type: 'kubernetes.io/service-account-token' }, false],
    [kind('', 'v1', 'Secret'), { type: 'Opaque' }, true],
    [kind('', 'v1', 'PersistentVolumeClaim'), {}, true],
    [kind('', 'v1', 'PersistentVolumeClaim'), {}, false, true],
    [kind('', 'v1', 'Endpoints'), { metadata: { name: 'with-service' } }, false],
    [kind('', 'v1', 'Endpoints'), { metadata: { name: 'own' } }, true],
    [
      kind('discovery.k8s.io', 'v1', 'EndpointSlice'),
      { metadata: { labels: { 'endpointslice.kubernetes.io/managed-by': '' } } },
      false,
    ],
    [kind('discovery.k8s.io', 'v1', 'EndpointSlice'), { metadata: { labels: {} } }, true],
    [kind('discovery.k8s.io', 'v1', 'EndpointSlice'), {}, true],
  ];
  for (const [kindOf, members, isPlaced, runsWorkloads = false] of rows) {
    test(`${isPlaced ? 'are not' : 'are'} of the kind ${kindOf.kind} with ${JSON.stringify(members)}${runsWorkloads ? ' where workloads run' : ''}`, () => {
      const object = {
        apiVersion: '',
        kind: '',
        ...members,
        metadata: { name: 'a', ...(members['metadata'] as object) },
      };
      const hasService = ({ name }: { readonly name: string }): boolean => name === 'with-service';
      assert.equal(isObjectSelectable(kindOf, object, { runsWorkloads, hasService }), isPlaced);
    });
  }
});
