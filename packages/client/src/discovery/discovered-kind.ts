import { isJsonObject, type JsonObject, type JsonValue, type Kind } from '@flotilla/kube';

/** A kind that a server has, and what can be done with it there. */
export interface DiscoveredKind extends Kind {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly DiscoveredSubresource[];
}

export interface DiscoveredSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** All that a server serves. */
export interface DiscoveredKinds {
  /** Groups in the server's order, in each the preferred version first. */
  readonly kinds: readonly DiscoveredKind[];
  /** Versions whose server could not be asked: what they have may be missing, and is not gone. */
  readonly stale: readonly GroupVersion[];
}

/** Documents come from any server; what has not the expected shape is as good as not there. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

export function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function textIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
