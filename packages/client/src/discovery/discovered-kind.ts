import { isJsonObject, type JsonObject, type JsonValue, type Kind } from '@flotilla/kube';

/** A kind that a server serves, with its verbs and subresources. */
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

export interface DiscoveredKinds {
  /** Groups in the server's order, the preferred version of each first. */
  readonly kinds: readonly DiscoveredKind[];
  /** Versions whose aggregated API server did not answer. Their kinds may be missing, and must not count as deleted. */
  readonly stale: readonly GroupVersion[];
}

/** Documents come from any server. Ignores what has not the expected shape. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

export function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
