import type { JsonObject, KubeObject } from '@flotilla/kube';

/** An object without its inside: what garbage collectors and metadata informers ask for. */
export function partialMetadata({ metadata }: KubeObject, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}
