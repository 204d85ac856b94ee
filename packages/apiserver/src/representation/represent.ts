import type { Columns } from '@flotilla/builtins';
import { apiErrors, type ApiResponse, type JsonObject, type KubeObject, type ObjectIdentity } from '@flotilla/kube';
import {
  mediaTypes,
  metadataTransformations,
  negotiate,
  transformations,
  type Offer,
  type Representation,
} from '../request/negotiate.ts';
import { bytesResponse, isPretty, textBytes } from '../response/respond.ts';
import { internalType } from '../resources/internal-type.ts';
import { keyOf, type Codec, type Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { partialMetadata } from './partial-metadata.ts';
import { isServedAsStored, readEntry } from './read-entry.ts';
import { knownObject } from './shared-objects.ts';
import { tableOf } from './table.ts';
import type { Call } from '../call/call.ts';
import { unlessTooManyParts } from '../resources/too-many-parts.ts';

/** The representation that the client accepts for one object. */
export function objectRepresentation(call: Call, codec: Codec = call.resource.codec): Representation {
  const accept = call.request.headers['accept'];
  const offer = offerOf(codec, 'object');
  // Few clients request tables, and fewer where there is none.
  const lacksTable = accept?.includes('as=Table') === true && !hasTable(call);
  return negotiate(accept, lacksTable ? { ...offer, transformations: metadataTransformations } : offer);
}

export function offerOf({ encodeProtobuf, metadataOf }: Codec, at: Offer['at']): Offer {
  const hasProtobuf = encodeProtobuf !== undefined;
  return { at, transformations, hasProtobuf, isUnstructured: metadataOf !== undefined };
}

/** Responds with a stored object. Most clients accept the stored bytes, so most responses need no encoding. */
export function entryResponse(
  call: Call,
  status: number,
  entry: Entry,
  representation: Representation,
): ApiResponse | Promise<ApiResponse> {
  const { resource, request, info } = call;
  const isStoredForm =
    representation.encoding === 'json' && representation.as === 'object' && isServedAsStored(resource, entry);
  if (isStoredForm && !isPretty(representation, request, info.query)) {
    const response = bytesResponse(status, mediaTypes.json, entry.bytes, call.warnings);
    return {
      ...response,
      identity: () => identityOf(resource, entry),
      sharedObject: () => knownObject(resource, entry),
    };
  }
  const { heavy } = call.server;
  if (heavy?.isHeavy(entry.bytes.length) && info.verb === 'get') return heavy.run(call);
  const object = readEntry(resource, entry);
  if (!(object instanceof Promise)) return objectResponse(call, status, object, representation);
  const response = object.then((read) => objectResponse(call, status, read, representation));
  return heavy && info.verb === 'get' ? unlessTooManyParts(response, () => heavy.run(call)) : response;
}

function identityOf(resource: Resource, { key, header: { uid }, revision }: Entry): ObjectIdentity {
  return { ...keyOf(resource, key.name), uid, resourceVersion: String(revision) };
}

/** The kind of a response: usually the resource's own, for some subresources another. */
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
      return partialMetadata(object, metaVersion, shown.codec);
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const metadata = resourceVersion ? { resourceVersion } : {};
      return tableOf(call, [object], metadata, metaVersion, shown);
    }
    case 'PartialObjectMetadataList': {
      if (shown.codec.metadataOf) throw apiErrors.unknown('content is not a list');
      const type = internalType(shown.group, shown.kind);
      throw apiErrors.wrongTransformation(`you requested ${as}, but the requested object is not a list (*${type})`);
    }
  }
}

/** What kube-apiserver has no Table for, in its own groups: `resource.group/subresource`. */
const withoutTable: ReadonlySet<string> = new Set([
  'bindings.',
  'namespaces./finalize',
  'pods./binding',
  'pods./ephemeralcontainers',
  'pods./eviction',
  'pods./resize',
  'serviceaccounts./token',
  'apiservices.apiregistration.k8s.io/status',
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'certificatesigningrequests.certificates.k8s.io/approval',
  'customresourcedefinitions.apiextensions.k8s.io/status',
  'resourceclaims.resource.k8s.io/status',
]);

/** Whether one object at this path has a Table. */
function hasTable({ resource, info }: Pick<Call, 'resource' | 'info'>): boolean {
  const { plural, group } = resource;
  return !withoutTable.has(`${plural}.${group}${info.subresource === '' ? '' : `/${info.subresource}`}`);
}
