import { apiErrors, apiVersionOf, type ApiResponse, type JsonObject, type KubeObject } from '@flotilla/kube';
import { mediaTypes, type Representation } from '../http/negotiate.ts';
import { bytesResponse, isPretty, textBytes } from '../http/respond.ts';
import { internalType } from '../resources/internal-type.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { tableOf, type TableMeta } from '../tables/table.ts';
import type { Call } from './context.ts';

/** Answers with a list of objects in whatever form the client asked for. */
export function objectsResponse(
  call: Call,
  objects: readonly KubeObject[],
  metadata: TableMeta,
  representation: Representation,
): ApiResponse {
  const { resource, request, info, warnings } = call;
  const { encoding, as } = representation;
  if (as === 'PartialObjectMetadata') {
    const type = resource.isUnstructured
      ? 'unstructured.UnstructuredList'
      : internalType(resource.group, resource.listKind);
    throw apiErrors.wrongTransformation(`you requested ${as}, but the requested object is a list (*${type})`);
  }
  if (encoding === 'protobuf') {
    const items = as === 'object' ? objects : partialObjects(call, objects, representation);
    const bytes = resource.codec.encodeProtobufList?.(items, metadata, as);
    if (!bytes) throw new Error(`${resource.plural} have no protobuf form`);
    return bytesResponse(200, mediaTypes.protobuf, bytes, warnings);
  }
  const shown = listObject(call, objects, metadata, representation);
  const bytes = textBytes(encoding, shown, isPretty(representation, request, info.query));
  return bytesResponse(200, mediaTypes[encoding], bytes, warnings);
}

function listObject(
  call: Call,
  objects: readonly KubeObject[],
  metadata: TableMeta,
  representation: Representation,
): JsonObject {
  const { resource } = call;
  const { as, metaVersion } = representation;
  if (as === 'Table') return tableOf(call, objects, metadata, metaVersion);
  if (as !== 'object') {
    const items = partialObjects(call, objects, representation);
    return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metaVersion}`, metadata, items };
  }
  const { listKind: kind } = resource;
  const apiVersion = apiVersionOf(resource);
  if (resource.isUnstructured) return { apiVersion, items: [...objects], kind, metadata: unstructuredMeta(metadata) };
  return { kind, apiVersion, metadata, items: objects.map(withoutKind) };
}

/** Go's list of maps always names where it goes on. */
export function unstructuredMeta({ continue: next = '', remainingItemCount, resourceVersion }: TableMeta): JsonObject {
  return {
    continue: next,
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

function partialObjects(
  { resource }: Call,
  objects: readonly KubeObject[],
  { metaVersion }: Representation,
): JsonObject[] {
  return objects.map((object) => partialMetadata(object, metaVersion, resource.codec));
}

function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): JsonObject {
  return rest;
}
