import type { JsonObject } from './json/value.ts';

/** Metadata of every Kubernetes object. The field order is Go's, which is the order on the wire. */
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

/** `apps/v1, Kind=Deployment` in Go's notation. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `v1` for the core group, `apps/v1` for the others. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, or `pods` in the core group: how errors name a resource or kind. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

/** A kind as a client needs it: its path, and the type of its objects. */
export interface Kind<T extends KubeObject = KubeObject> extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Carries T for inference; never set. */
  readonly object?: T;
}

/** An object of a known kind. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or the name alone. A key for maps and logs. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The next generation. It is an int64 in Go, so it may be a bigint and wraps around. */
export function nextGeneration(metadata: Pick<ObjectMeta, 'generation'>): number {
  const generation: number | bigint = (metadata.generation as number | bigint | undefined) ?? 0;
  const next = Number(generation) + 1;
  if (Number.isSafeInteger(next)) return next;
  return BigInt.asIntN(64, BigInt(generation) + 1n) as unknown as number;
}
