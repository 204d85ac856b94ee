/** Which object an override selects: kind, namespace and name. */
import { isJsonObject, textOf, type GroupVersionKind, type JsonObject, type JsonValue } from '@flotilla/kube';

export interface ResourceIdentity extends GroupVersionKind {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** Whether the hub serves this kind as a cluster-scoped one. Kinds that it does not serve count as namespaced. */
export type IsClusterScoped = (kind: GroupVersionKind) => boolean;

/** The identity of an object that users wrote. Parts that are missing or of another type are empty. */
export function identityOf(object: JsonObject): ResourceIdentity {
  const metadata = own(object, 'metadata');
  const { group, version } = groupVersionFrom(textOf(own(object, 'apiVersion')));
  return {
    group,
    version,
    kind: textOf(own(object, 'kind')),
    namespace: isJsonObject(metadata) ? textOf(own(metadata, 'namespace')) : '',
    name: isJsonObject(metadata) ? textOf(own(metadata, 'name')) : '',
  };
}

/** The Namespace that a ClusterResourceOverride selects to change all objects in it. */
export function namespaceIdentity(name: string): ResourceIdentity {
  return { group: '', version: 'v1', kind: 'Namespace', namespace: '', name };
}

/** A key for maps and indexes. No part can contain the separator: names have no spaces. */
export function identityText({ group, version, kind, namespace, name }: ResourceIdentity): string {
  return `${group} ${version} ${kind} ${namespace} ${name}`;
}

function groupVersionFrom(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return slash === -1
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
