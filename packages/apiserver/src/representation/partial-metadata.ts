import type { JsonObject, KubeObject } from '@flotilla/kube';
import type { Codec } from '../resources/resource.ts';

/** An object as PartialObjectMetadata, which garbage collectors and metadata informers request. */
export function partialMetadata(
  object: KubeObject,
  version: string,
  { metadataOf }: Pick<Codec, 'metadataOf'>,
): JsonObject {
  const metadata = metadataOf?.(object) ?? object.metadata;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}
