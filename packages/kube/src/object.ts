import type { JsonObject } from './json/value.ts';

/** What every Kubernetes object carries. Field order is Go's, which is also the order on the wire. */
export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

export interface KubeObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Which of a group's kinds, in which version: `apps/v1, Kind=Deployment` in Go's words. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `v1` for the core group, `apps/v1` for the others. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, or `pods` in the core group: how errors name a resource or a kind. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

/** Names a kind to a client: where it is served, and what its objects look like. */
export interface Kind<T extends KubeObject = KubeObject> extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Carries T for inference; never set. */
  readonly object?: T;
}

/** Names one object of a known kind. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or the name alone: a key for maps and logs. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The generation after a change. An int64 in Go, so it may be a bigint, and wraps around at its end. */
export function nextGeneration(metadata: Pick<ObjectMeta, 'generation'>): number {
  const generation: number | bigint = (metadata.generation as number | bigint | undefined) ?? 0;
  const next = Number(generation) + 1;
  if (Number.isSafeInteger(next)) return next;
  return BigInt.asIntN(64, BigInt(generation) + 1n) as unknown as number;
}
