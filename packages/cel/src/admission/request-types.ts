/** The declared types of `request` and `namespaceObject`. Their values are plain JSON. */
import { types, type CelType, type ObjectType } from '../type.ts';

const { bool, dyn, int, string, timestamp } = types;
const strings = types.list(string);
const textMap = types.map(string, string);

function struct(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  const byName = new Map(Object.entries(fields));
  return types.object(`kubernetes.${name}`, (field) => byName.get(field));
}

const kind = struct('GroupVersionKind', { group: string, version: string, kind: string });
const resource = struct('GroupVersionResource', { group: string, version: string, resource: string });

const userInfo = struct('UserInfo', {
  username: string,
  uid: string,
  groups: strings,
  extra: types.map(string, strings),
});

export const requestType = struct('AdmissionRequest', {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo,
  dryRun: bool,
  options: dyn,
});

const namespaceCondition = struct('NamespaceCondition', {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
});

export const namespaceType = struct('Namespace', {
  metadata: struct('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: textMap,
    annotations: textMap,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: strings,
  }),
  spec: struct('NamespaceSpec', { finalizers: strings }),
  status: struct('NamespaceStatus', { conditions: types.list(namespaceCondition), phase: string }),
});
