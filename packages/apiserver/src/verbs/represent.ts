import type { Columns } from '@flotilla/builtins';
import { apiErrors, type ApiResponse, type JsonObject, type KubeObject } from '@flotilla/kube';
import { mediaTypes, negotiate, transformations, type Representation } from '../http/negotiate.ts';
import { bytesResponse, isPretty, textBytes } from '../http/respond.ts';
import { internalType } from '../resources/internal-type.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Codec, Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { tableOf } from '../tables/table.ts';
import type { Call } from './context.ts';

/** How the client wants one object. */
export function objectRepresentation({ request, resource }: Call, codec: Codec = resource.codec): Representation {
  const hasProtobuf = codec.encodeProtobuf !== undefined;
  return negotiate(request.headers['accept'], { at: 'object', transformations, hasProtobuf });
}

/** The object as its resource's version shows it. */
export function readEntry(resource: Resource, bytes: Uint8Array): KubeObject {
  const stored = decodeStored(bytes);
  return resource.conversion ? resource.conversion.fromStorage(stored) : stored;
}

/** Answers with a stored object. What is stored is what most clients want, so most answers cost no encoding. */
export function entryResponse(call: Call, status: number, entry: Entry, representation: Representation): ApiResponse {
  const { resource, request, info } = call;
  const isStoredForm =
    representation.encoding === 'json' && representation.as === 'object' && resource.conversion === undefined;
  if (isStoredForm && !isPretty(representation, request, info.query)) {
    return bytesResponse(status, mediaTypes.json, entry.bytes, call.warnings);
  }
  return objectResponse(call, status, readEntry(resource, entry.bytes), representation);
}

/** A kind as an answer shows it: usually the resource's own, for some subresources another. */
export interface ShownKind {
  readonly group: string;
  readonly kind: string;
  readonly codec: Codec;
  readonly columns?: Columns | undefined;
}

function shownKindOf({ group, kind, codec, behavior }: Resource): ShownKind {
  return { group, kind, codec, columns: behavior.columns };
}

export function objectResponse(
  call: Call,
  status: number,
  object: KubeObject,
  representation: Representation,
  shownKind: ShownKind = shownKindOf(call.resource),
): ApiResponse {
  const { request, info, warnings } = call;
  const shown = transformed(call, object, representation, shownKind);
  if (representation.encoding === 'protobuf') {
    const { encodeProtobuf } = shownKind.codec;
    if (!encodeProtobuf) throw new Error(`${shownKind.kind} has no protobuf form`);
    return bytesResponse(status, mediaTypes.protobuf, encodeProtobuf(shown as KubeObject), warnings);
  }
  const bytes = textBytes(representation.encoding, shown, isPretty(representation, request, info.query));
  return bytesResponse(status, mediaTypes[representation.encoding], bytes, warnings);
}

function transformed(
  call: Call,
  object: KubeObject,
  { as, metaVersion }: Representation,
  shown: ShownKind,
): JsonObject {
  switch (as) {
    case 'object':
      return object;
    case 'PartialObjectMetadata':
      return partialMetadata(object, metaVersion);
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const metadata = resourceVersion ? { resourceVersion } : {};
      return tableOf(call, [object], metadata, metaVersion, shown.columns);
    }
    case 'PartialObjectMetadataList': {
      const type = internalType(shown.group, shown.kind);
      throw apiErrors.wrongTransformation(`you requested ${as}, but the requested object is not a list (*${type})`);
    }
  }
}
