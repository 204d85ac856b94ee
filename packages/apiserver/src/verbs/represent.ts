import { apiErrors, type ApiResponse, type JsonObject, type KubeObject } from '@flotilla/kube';
import { acceptedTypes, mediaTypes, negotiate, type Representation, type Transformation } from '../http/negotiate.ts';
import { bytesResponse, jsonBytes, textBytes, wantsPretty } from '../http/respond.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Codec, Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { tableOf } from '../tables/table.ts';
import type { Call } from './context.ts';

const forObjects: ReadonlySet<Transformation> = new Set(['Table', 'PartialObjectMetadata']);

/** How the client wants one object. */
export function objectRepresentation({ request, resource }: Call, codec: Codec = resource.codec): Representation {
  const hasProtobuf = codec.encodeProtobuf !== undefined;
  return negotiate(request.headers['accept'], { transformations: forObjects, hasProtobuf, isWatch: false });
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
  if (isStoredForm && !wantsPretty(request, info.query)) {
    return bytesResponse(status, mediaTypes.json, entry.bytes, call.warnings);
  }
  return objectResponse(call, status, readEntry(resource, entry.bytes), representation);
}

export function objectResponse(
  call: Call,
  status: number,
  object: KubeObject,
  representation: Representation,
  codec: Codec = call.resource.codec,
): ApiResponse {
  const { request, info, warnings } = call;
  const shown = transformed(call, object, representation);
  if (representation.encoding === 'protobuf') {
    return bytesResponse(status, mediaTypes.protobuf, protobufOf(codec, shown, representation), warnings);
  }
  const bytes = textBytes(representation.encoding, shown, wantsPretty(request, info.query));
  return bytesResponse(status, mediaTypes[representation.encoding], bytes, warnings);
}

function transformed(call: Call, object: KubeObject, representation: Representation): JsonObject {
  switch (representation.as) {
    case 'object':
      return object;
    case 'PartialObjectMetadata':
      return partialMetadata(object, representation.metaVersion);
    case 'Table':
      return tableOf(
        call,
        [object],
        { resourceVersion: object.metadata.resourceVersion ?? '' },
        representation.metaVersion,
      );
    case 'PartialObjectMetadataList':
      throw apiErrors.notAcceptable(acceptedTypes({ hasProtobuf: true, isWatch: false }));
  }
}

/** Tables have no protobuf form worth having: whoever asks for one reads JSON. */
function protobufOf(codec: Codec, object: JsonObject, { as }: Representation): Uint8Array {
  if (!codec.encodeProtobuf || as === 'Table') return jsonBytes(object, false);
  return codec.encodeProtobuf(object as KubeObject);
}
