/** Which object controls which, by controller reference. */
import { apiVersionOf, type Kind, type KubeObject, type ObjectKey, type OwnerReference } from '@flotilla/kube';
import type { Cache, Indexes } from '@flotilla/runtime';

/** The reference to the one owner that manages an object. */
export function controllerOf({ metadata }: Readonly<KubeObject>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function isControlledBy(object: Readonly<KubeObject>, owner: Readonly<KubeObject>): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

export function controllerReference(kind: Kind, { metadata }: Readonly<KubeObject>): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

const indexName = 'controller';

/** Finds objects by the uid of their controller, and those of a namespace that have none. */
export const controllerIndex: Indexes = {
  [indexName]: (object) => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)],
};

/** The objects that the owner controls. The watch on their kind needs `controllerIndex`. */
export function controlledBy<T extends KubeObject>(
  owner: Readonly<KubeObject>,
  kind: Kind<T>,
  cache: Cache,
): readonly Readonly<T>[] {
  return cache.indexed(kind, indexName, owner.metadata.uid ?? '');
}

/** The objects that the owner controls or could adopt. */
export function claimable<T extends KubeObject>(
  owner: Readonly<KubeObject>,
  kind: Kind<T>,
  cache: Cache,
): readonly Readonly<T>[] {
  const orphans = cache.indexed(kind, indexName, orphansOf(owner.metadata.namespace));
  return [...controlledBy(owner, kind, cache), ...orphans];
}

function orphansOf(namespace = ''): string {
  return `orphans in ${namespace}`;
}

/**
 * For `concerns`: the controllers of this kind that the object has or had. Without any, those that could adopt it: `adopters` finds them
 * by their selectors.
 */
export function concernsController(
  kind: Kind,
  adopters: (orphan: KubeObject, cache: Cache) => Iterable<ObjectKey> = () => [],
): (now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache) => ObjectKey[] {
  const keyOfController = (object: KubeObject | undefined): ObjectKey[] => {
    const reference = object && controllerOf(object);
    if (reference === undefined || reference.kind !== kind.kind) return [];
    if (reference.apiVersion !== apiVersionOf(kind)) return [];
    return [{ namespace: object?.metadata.namespace, name: reference.name }];
  };
  return (now, old, cache) => {
    const keys = [...keyOfController(now), ...keyOfController(old)];
    if (now !== undefined && controllerOf(now) === undefined) keys.push(...adopters(now, cache));
    return keys;
  };
}
