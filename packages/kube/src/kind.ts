import type { GroupVersionKind, KubeObject } from './object.ts';

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
