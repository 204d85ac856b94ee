import { apiErrors, apiVersionOf, errorMessage, type GroupVersionKind, type KubeObject } from '@flotilla/kube';
import type { Resource } from '../../resources/resource.ts';
import type { Attributes } from '../admission.ts';
import type { MatchedResource } from './match-criteria.ts';

/** The objects of a request in the version that a webhook or policy asks for. */
export interface VersionedObjects {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** Async only if a conversion webhook is called. */
export function inMatchedVersion(
  { resource, object, oldObject }: Pick<Attributes, 'resource' | 'object' | 'oldObject'>,
  { kind }: MatchedResource,
): VersionedObjects | Promise<VersionedObjects> {
  const converted = object && inVersion(resource, object, kind);
  const old = oldObject && inVersion(resource, oldObject, kind);
  if (converted instanceof Promise || old instanceof Promise) {
    return Promise.all([converted, old]).then(([now, before]) => ({ object: now, oldObject: before }));
  }
  return { object: converted, oldObject: old };
}

/** The object in another version of its kind. `resource` is any version of it. */
export function inVersion(
  { toVersion, whileConverting }: Resource,
  object: KubeObject,
  gvk: GroupVersionKind,
): KubeObject | Promise<KubeObject> {
  const apiVersion = apiVersionOf(gvk);
  if (object.apiVersion === apiVersion) return object;
  const convert = (): KubeObject => {
    const converted = toVersion?.(object, apiVersion);
    if (converted) return converted as KubeObject;
    throw apiErrors.internalError(`unable to convert to ${apiVersion}, Kind=${gvk.kind}`);
  };
  return whileConverting ? whileConverting(convert).catch(failConversion) : convert();
}

function failConversion(error: unknown): never {
  throw apiErrors.internalError(errorMessage(error), { cause: error });
}
