import {
  decodeTyped,
  emptyObject,
  inWireOrder,
  mergeTypeOf,
  patchSchemaOf,
  typeOfKind,
  type KindBehavior,
  type ServedResource,
  type StructType,
} from '@flotilla/builtins';
import {
  apiVersionOf,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MergeType,
} from '@flotilla/kube';
import { protobufCodec } from './protobuf-codec.ts';
import { withRevisionSlot } from './object-bytes.ts';
import type { Codec, Decoded, Resource, ScaleView, StoredForm, ToVersion } from './resource.ts';
import { jsonGroups } from './stored-size.ts';

interface BuiltinParts {
  readonly behavior: KindBehavior;
  readonly storedForm?: StoredForm;
  readonly toVersion?: ToVersion;
  readonly equivalents?: NonNullable<Resource['equivalents']>;
  readonly scale?: ScaleView;
}

/** A built-in kind as a Resource: from its row of the discovery table, its field table and its behaviour. */
export function builtinResource(served: ServedResource, parts: BuiltinParts): Resource {
  const { storage } = served;
  return {
    ...served,
    ...(storage && { storageVersionHash: storage.versionHash }),
    isStored: storage !== undefined,
    collection: storage?.collection ?? '',
    registryPrefix: `/registry/${storage?.registryPrefix ?? served.plural}`,
    listKind: `${served.kind}List`,
    isUnstructured: false,
    isKnownKind,
    codec: builtinCodec(served),
    ...parts,
  };
}

export function isKnownKind(apiVersion: string, kind: string): boolean {
  return typeOfKind({ ...splitApiVersion(apiVersion), kind }) !== undefined;
}

export function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Decodes and merges objects of a built-in kind by the generated field table. */
export function builtinCodec(gvk: GroupVersionKind): Codec {
  const type = typeOfKind(gvk);
  const apiVersion = apiVersionOf(gvk);
  if (!type) throw new Error(`no field table for ${apiVersion} ${gvk.kind}`);
  return {
    blank: named(type, emptyObject(type), gvk),
    decode: (value) => decode(type, value, gvk, false),
    decodeConverted: (value) => decode(type, value, gvk, true),
    decodeAsWritten: (value) => named(type, decodeTyped(type, value, { keepsEmpty: true }).object, gvk) as KubeObject,
    patchSchema: () => patchSchemaOf(type),
    // Almost all managers write the version of the resource.
    mergeType: (version) => (version === apiVersion ? mergeTypeOf(type) : mergeTypeIn(version, gvk)),
    inWireOrder: (object) => inWireOrder(type, object),
    withRevisionSlot,
    ...protobufCodec(gvk),
  };
}

function decode(type: StructType, value: JsonValue, gvk: GroupVersionKind, isConverted: boolean): Decoded {
  const keepsEmpty = jsonGroups.has(gvk.group);
  const { object, problems } = decodeTyped(type, value, { keepsEmpty, isConverted });
  return { object: named(type, object, gvk) as KubeObject, ...problems };
}

/** Kind and apiVersion come first on the wire, even if the body had none. Options of connections have no metadata. */
function named(type: StructType, object: JsonObject, gvk: GroupVersionKind): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const head = { kind: gvk.kind, apiVersion: apiVersionOf(gvk) };
  if (metadata === undefined && !hasMetadata(type)) return { ...head, ...rest };
  return { ...head, metadata: metadata ?? {}, ...rest };
}

function hasMetadata({ fields }: StructType): boolean {
  return fields.some(({ name }) => name === 'metadata');
}

/** Events are served in two groups, but managers of the other group are dropped, as in kube-apiserver. */
function mergeTypeIn(apiVersion: string, { group, kind }: GroupVersionKind): MergeType | undefined {
  const requested = splitApiVersion(apiVersion);
  const type = requested.group === group ? typeOfKind({ ...requested, kind }) : undefined;
  return type && mergeTypeOf(type);
}
