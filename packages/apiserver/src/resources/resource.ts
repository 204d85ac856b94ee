import type { Columns, KindBehavior, ProtobufListParts, ServedResource } from '@flotilla/builtins';
import type {
  JsonObject,
  JsonValue,
  KubeObject,
  MergeType,
  PatchSchema,
  ObjectKey,
  ScaleParent,
  ObjectMeta,
} from '@flotilla/kube';
import type { OpenApiForm } from '@flotilla/schema';
import type { Transformation } from '../request/negotiate.ts';
import type { Entry, Store, Write } from '../store/store.ts';
import type { Registry } from './registry.ts';
import type { ServiceReservations } from './service-reservations.ts';
import type { StopSignal } from './stop-signal.ts';

/**
 * One served resource: all that the verbs need to know of a kind. Built-in kinds fill it from their tables, custom resources
 * from their definition.
 */
export interface Resource extends Omit<ServedResource, 'storage'> {
  readonly storageVersionHash?: string;
  /** False for resources without stored objects (bindings, component statuses). */
  readonly isStored: boolean;
  /** The collection in the store; versions of one kind share it. */
  readonly collection: string;
  /** The prefix that kube-apiserver uses in etcd: some errors contain it. */
  readonly registryPrefix: string;
  readonly listKind: string;
  /**
   * Custom resources are Go maps in Kubernetes, built-in kinds are structs. This shows in the order of fields, in lists whose
   * items repeat their kind, and in the error for a body of another kind.
   */
  readonly isUnstructured: boolean;

  /** Whether a kind of that name exists in that version, served or not. */
  readonly isKnownKind: (apiVersion: string, kind: string) => boolean;
  readonly behavior: KindBehavior;
  readonly codec: Codec;
  /** Set if stored objects may differ from what this version serves. */
  readonly storedForm?: StoredForm;
  /** Other resources with the same objects: all other versions of the kind, in order. Absent: there are none. */
  readonly equivalents?: () => readonly Resource[];
  /** Set if there are several versions: field managers may have written any of them. */
  readonly toVersion?: ToVersion;
  /** Set if `toVersion` may need a webhook: runs `work` again after each webhook call, until it completes. */
  readonly whileConverting?: <T>(work: () => T) => Promise<T>;

  /**
   * Allocates what the object needs from a shared pool (addresses, ports) and writes it into the object, or refuses. Runs
   * before preparation and validation.
   */
  readonly reserve?: (
    server: ResourceDependencies,
    object: KubeObject,
    old: KubeObject | undefined,
    dryRun: boolean,
  ) => Reservation;
  /** Returns the allocations of a deleted object to the pool. */
  readonly release?: (server: ResourceDependencies, object: KubeObject) => void;
  /**
   * Writes of other objects in the same commit: of those that are created and deleted with this one. Arguments are the new
   * state (undefined: deleted) and the old one (undefined: created).
   */
  readonly companions?: (
    server: ResourceDependencies,
    now: KubeObject | undefined,
    before: KubeObject | undefined,
  ) => readonly Write[];
  readonly deletion?: DeletionBehavior;
  /** Set if there is a scale subresource. */
  readonly scale?: ScaleView;

  /** The OpenAPI documents of a kind that is not built-in. */
  readonly published?: PublishedKind;

  /** The definition of a custom resource, as it is served. */
  readonly definedBy?: () => DefinitionState;
  /** Why creates are refused now, if they are. */
  readonly createRefusal?: () => string | undefined;
  /** Stops when this resource is removed or replaced; its watches then end. */
  readonly stopped?: StopSignal;
  /** The verbs in discovery, if they differ from `verbs`; undefined: the resource is served, but not in discovery. */
  readonly discoveryVerbs?: () => readonly string[] | undefined;
}

/** What a kind may use of the server, if its objects have addresses or companion objects. */
export interface ResourceDependencies {
  readonly store: Store;
  readonly registry: Registry;
  /** Allocated cluster IPs and node ports. */
  readonly services: Pick<ServiceReservations, 'reserve' | 'release'>;
  readonly now: () => Date;
  readonly uid: () => string;
}

export interface DefinitionState {
  readonly entry: Entry;
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
}

/** The replica count of an object as its Scale reads and writes it. */
export interface ScaleView {
  /** Undefined if the object has none. Throws an error for clients if the value is not a number. */
  readonly replicas: (object: KubeObject) => number | undefined;
  readonly statusReplicas: (object: KubeObject) => number;
  readonly selector: (object: KubeObject) => string;
  readonly setReplicas: (object: KubeObject, replicas: number) => void;
  /** The path of the replica count in a version of the kind, for `ScaleParent`. */
  readonly replicasPath: ScaleParent['replicasPath'];
  /** The path in errors; absent if a missing value counts as 0. */
  readonly requiredPath?: string;
  /** The message for every invalid Scale; absent: each error has its own. */
  readonly invalidMessage?: string;
  /** Absent: the columns of workloads. */
  readonly columns?: Columns;
  readonly hasStrategicPatch: boolean;
}

export interface PublishedKind {
  /** By model name: those of the kind and of its list. */
  readonly schemas: (form: OpenApiForm) => Record<string, JsonObject>;
  /** The same for version 3: the members of an object, as pieces of bytes. */
  readonly schemaPieces: () => readonly Uint8Array[];
  /** The model name of the kind, or of its list. */
  readonly modelOf: (kind: string) => string | undefined;
  /** Changes with the schemas and the paths. */
  readonly hash: () => string;
}

/** What differs in deleting a kind. */
export interface DeletionBehavior {
  /** Seconds between the first delete and the removal. */
  readonly gracePeriod?: (object: KubeObject, requested: number | bigint | undefined) => number | bigint;
  /** Refuses with the kind's own message if the uid or the resourceVersion differs. */
  readonly checkPreconditions?: (
    name: string,
    preconditions: { readonly uid: string | undefined; readonly resourceVersion: string | undefined },
    stored: { readonly uid: string; readonly revision: number },
  ) => void;
  /** Whether something besides metadata.finalizers keeps the object. */
  readonly isHeld?: (object: KubeObject) => boolean;
  /** Changes an object that is marked for deletion. */
  readonly mark?: (object: KubeObject, old: KubeObject, now: Date) => void;
}

/** An allocation for a write that may still fail. */
export interface Reservation {
  /** The write is stored: returns what it no longer needs to the pool. */
  readonly keep: () => void;
  /** The write failed. */
  readonly undo: () => void;
}

/** How objects of a kind are decoded and encoded, and how patches and apply merge their fields. */
export interface Codec {
  /** Decodes and normalises a JSON value, without defaults. Neither changes the value nor keeps a part of it. */
  readonly decode: (value: JsonValue) => Decoded;
  /** The same, but the object may share parts with the value. For values that nothing else uses. */
  readonly decodeOwned?: (value: JsonValue) => Decoded;
  /** The same for the result of a strategic merge patch or an apply, where Kubernetes converts built-in kinds from maps. */
  readonly decodeConverted?: (value: JsonValue) => Decoded;
  /** The same, but keeps empty lists, which the store does not distinguish from absent ones. */
  readonly decodeAsWritten?: (value: JsonValue) => KubeObject;
  readonly decodeProtobuf?: (bytes: Uint8Array) => ProtobufBody;
  readonly encodeProtobuf?: (object: KubeObject) => Uint8Array;
  /** One length-prefixed frame of a watch. */
  readonly encodeProtobufEvent?: (type: string, object: JsonObject) => Uint8Array;
  readonly protobufListParts?: (metadata: JsonObject, as: Transformation) => ProtobufListParts;
  readonly patchSchema?: () => PatchSchema;
  /** Moves fields that defaults or patches added to their position on the wire. */
  readonly inWireOrder: (object: KubeObject) => KubeObject;
  /** The same object with a slot for its resourceVersion. */
  readonly withRevisionSlot: (object: KubeObject) => KubeObject;
  /** Metadata in struct order for PartialObjectMetadata, if objects have another order. */
  readonly metadataOf?: (object: KubeObject) => ObjectMeta;
  /** An object without any fields set. */
  readonly blank: JsonObject;
  /** Undefined for a version that no longer exists: its managedFields are dropped. */
  readonly mergeType: (apiVersion: string) => MergeType | undefined;
}

export interface Decoded {
  readonly object: KubeObject;
  /** Go's message about a value of a wrong type; the object must then not be used. */
  readonly error?: string;
  /** The message of a custom unmarshaller before Go added the path. Present only with such an error. */
  readonly ownError?: string;
  /** Paths of fields that the kind does not have. */
  readonly unknownFields: readonly string[];
}

export interface ProtobufBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: KubeObject;
}

/** Input of a `StoredForm`: an entry of the store, or bytes that are not stored and so have no header. */
export type StoredBytes = Pick<Entry, 'bytes'> & Partial<Pick<Entry, 'header'>>;

/** Converts between stored objects and objects of one version. Returns a promise if a webhook must convert. */
export interface StoredForm {
  /** Identifies the conversion, for caches of its results. */
  readonly key: string;
  /**
   * Written into headers: tells later without parsing by which rules an object was stored. Undefined if reading the object
   * would change it.
   */
  readonly markOf?: (object: KubeObject) => string | undefined;
  /** Whether the stored bytes are what this version serves. */
  readonly isServedAsStored: (entry: Entry) => boolean;
  /** Objects in this version, in the order of the entries. One call for many may cost no more than for one. */
  readonly read: (entries: readonly StoredBytes[]) => readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /** Removes in place what a merge left in an object and a read would drop. */
  readonly prune?: (object: KubeObject) => void;
  /** The object in the form to store. `old`, the object before an update, has that form already. */
  readonly write: (object: KubeObject, old?: KubeObject) => KubeObject | Promise<KubeObject>;
}

/** Undefined for a version that is not served. */
export type ToVersion = (object: JsonObject, apiVersion: string) => JsonObject | undefined;

/** `namespace/name`, or the name alone for cluster-scoped resources. */
export function storageName(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${namespace}/${name}` : name;
}

/** The key of the object with this storage name. */
export function keyOf({ namespaced }: Resource, storedAs: string): ObjectKey {
  if (!namespaced) return { name: storedAs };
  const slash = storedAs.indexOf('/');
  return { namespace: storedAs.slice(0, slash), name: storedAs.slice(slash + 1) };
}
