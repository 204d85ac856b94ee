import type { Columns, KindBehavior, ProtobufListParts, ServedResource } from '@flotilla/builtins';
import type {
  JsonObject,
  JsonValue,
  KubeObject,
  MergeType,
  PatchSchema,
  ScaleParent,
  ObjectMeta,
} from '@flotilla/kube';
import type { OpenApiForm } from '@flotilla/schema';
import type { Transformation } from '../request/negotiate.ts';
import type { Entry, Store, Write } from '../store/store.ts';
import type { Registry } from './registry.ts';
import type { ServiceReservations } from './service-reservations.ts';

/**
 * One served resource: everything the verbs need to know of a kind, whoever defined it. Built-in kinds fill this in from
 * their table; custom resources will from their definition. The verbs ask no further.
 */
export interface Resource extends Omit<ServedResource, 'storage'> {
  readonly storageVersionHash?: string;
  /** False for resources that only answer (bindings, component statuses). */
  readonly isStored: boolean;
  /** Where objects are stored; resources that are versions of one another share it. */
  readonly collection: string;
  /** How kube-apiserver would name the place in etcd: some errors print it. */
  readonly registryPrefix: string;
  readonly listKind: string;
  /**
   * Custom resources are Go maps to Kubernetes, built-in kinds are structs: this shows in the order of fields, in lists whose
   * items repeat their kind, and in how a body of another kind is refused.
   */
  readonly isUnstructured: boolean;

  /** Whether a kind of that name exists in that version, served or not. */
  readonly isKnownKind: (apiVersion: string, kind: string) => boolean;
  readonly behavior: KindBehavior;
  readonly codec: Codec;
  /** Set where stored objects are not always what this version shows. */
  readonly storedForm?: StoredForm;
  /** Set where there are several versions: managers of fields may have written any of them. */
  readonly toVersion?: ToVersion;
  /** Set where `toVersion` cannot always answer at once: runs `work` until it could, and waits in between. */
  readonly whileConverting?: <T>(work: () => T) => Promise<T>;

  /**
   * Takes what the object needs from a shared pool (addresses, ports) and writes it into the object, or refuses. Runs
   * before preparation and validation.
   */
  readonly reserve?: (
    server: ResourceDependencies,
    object: KubeObject,
    old: KubeObject | undefined,
    dryRun: boolean,
  ) => Reservation;
  /** The object is gone; what it held goes back. */
  readonly released?: (server: ResourceDependencies, object: KubeObject) => void;
  /**
   * Writes of other objects that come and go with this one, in the same commit: given what will be stored (undefined: the
   * object goes) and what was (undefined: it is new).
   */
  readonly companions?: (
    server: ResourceDependencies,
    now: KubeObject | undefined,
    before: KubeObject | undefined,
  ) => readonly Write[];
  readonly deletion?: DeletionBehavior;
  /** Set where there is a scale subresource. */
  readonly scale?: ScaleView;

  /** How OpenAPI documents show a kind that is not built in. */
  readonly published?: PublishedKind;

  /** The definition of a custom resource, as it is served now. */
  readonly definedBy?: () => DefinitionState;
  /** Why nothing can be created now, if nothing can. */
  readonly createRefusal?: () => string | undefined;
  /** Aborted when this resource is served no longer, or in another way: watches end then. */
  readonly stopped?: AbortSignal;
  /** What discovery tells, where it is not `verbs`; undefined: the resource is served, but not told of. */
  readonly discoveryVerbs?: () => readonly string[] | undefined;
}

/** What a kind may use of the server, where its objects hold addresses or keep other objects beside them. */
export interface ResourceDependencies {
  readonly store: Store;
  readonly registry: Registry;
  /** Cluster IPs and node ports that are taken. */
  readonly services: Pick<ServiceReservations, 'reserve' | 'released'>;
  readonly now: () => Date;
  readonly uid: () => string;
}

export interface DefinitionState {
  readonly entry: Entry;
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
}

/** The one number of an object that its Scale shows and writes. */
export interface ScaleView {
  /** Undefined where the object has none. Throws what a client should read when there is something else in its place. */
  readonly replicas: (object: KubeObject) => number | undefined;
  readonly statusReplicas: (object: KubeObject) => number;
  readonly selector: (object: KubeObject) => string;
  readonly setReplicas: (object: KubeObject, replicas: number) => void;
  /** Where the number stands in a version of the kind, as `ScaleParent` wants it. */
  readonly replicasPath: ScaleParent['replicasPath'];
  /** How a refusal names the number; absent where a missing one counts as 0. */
  readonly requiredPath?: string;
  /** The one sentence for every body that is no Scale; absent: each has its own. */
  readonly unreadable?: string;
  /** Absent: as workloads show it. */
  readonly columns?: Columns;
  readonly hasStrategicPatch: boolean;
}

export interface PublishedKind {
  /** By model name: of the kind and of its lists. */
  readonly schemas: (form: OpenApiForm) => Record<string, JsonObject>;
  /** The same of version 3: the members of an object, as bytes in pieces. */
  readonly schemaPieces: () => readonly Uint8Array[];
  /** The name of the kind's model, or of that of its lists. */
  readonly modelOf: (kind: string) => string | undefined;
  /** Another one whenever the schemas or paths are others. */
  readonly hash: () => string;
}

/** What is special about deleting a kind. */
export interface DeletionBehavior {
  /** Seconds that the object is given after its first delete. */
  readonly gracePeriod?: (object: KubeObject, asked: number | bigint | undefined) => number | bigint;
  /** Refuses in words of its own when the client means another object or another state of it. */
  readonly checkPreconditions?: (
    name: string,
    asked: { readonly uid: string | undefined; readonly resourceVersion: string | undefined },
    stored: { readonly uid: string; readonly revision: number },
  ) => void;
  /** Something besides metadata.finalizers keeps the object. */
  readonly isHeld?: (object: KubeObject) => boolean;
  /** Edits an object that stays for now. */
  readonly mark?: (object: KubeObject, old: KubeObject, now: Date) => void;
}

/** Something taken for a write that may yet fail. */
export interface Reservation {
  /** The write is stored: what it gave up goes back to the pool. */
  readonly keep: () => void;
  /** The write came to nothing. */
  readonly undo: () => void;
}

/** How objects of a kind are read and written, and what patches and apply must know of their fields. */
export interface Codec {
  /** Reads and normalises one JSON value; defaults are not set yet. */
  readonly decode: (value: JsonValue) => Decoded;
  /** The same for what comes of a strategic merge patch or an apply, where built-in kinds are converted from maps. */
  readonly decodeConverted?: (value: JsonValue) => Decoded;
  /** The same, but keeping empty lists that the store would not tell from absent ones. */
  readonly decodeAsWritten?: (value: JsonValue) => KubeObject;
  readonly decodeProtobuf?: (bytes: Uint8Array) => ProtobufBody;
  readonly encodeProtobuf?: (object: KubeObject) => Uint8Array;
  /** One length-prefixed frame of a watch. */
  readonly encodeProtobufEvent?: (type: string, object: JsonObject) => Uint8Array;
  readonly protobufListParts?: (metadata: JsonObject, as: Transformation) => ProtobufListParts;
  readonly patchSchema?: () => PatchSchema;
  /** Puts fields that defaults or patches added where the wire has them. */
  readonly inWireOrder: (object: KubeObject) => KubeObject;
  /** The same object with a place for its revision. */
  readonly withRevisionPlace: (object: KubeObject) => KubeObject;
  /** Metadata in the order of a struct, where objects have another: it may be shown alone. */
  readonly metadataOf?: (object: KubeObject) => ObjectMeta;
  /** The object that nobody has set a field of. */
  readonly blank: JsonObject;
  /** Undefined for a version that no longer exists: its managers are dropped. */
  readonly mergeType: (apiVersion: string) => MergeType | undefined;
}

export interface Decoded {
  readonly object: KubeObject;
  /** Go's sentence about a value of a wrong type; the object is then not to be used. */
  readonly error?: string;
  /** What a type that reads its own JSON said before Go added the place. Present only beside such an error. */
  readonly ownError?: string;
  /** Paths of fields that the kind does not have. */
  readonly unknownFields: readonly string[];
}

export interface ProtobufBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: KubeObject;
}

/** What a `StoredForm` reads: an entry of the store, or bytes that are not stored and so have no header. */
export type StoredBytes = Pick<Entry, 'bytes'> & Partial<Pick<Entry, 'header'>>;

/** How stored objects and objects of one version become one another. What takes a webhook to find out is promised. */
export interface StoredForm {
  /** Tells ways to read apart: what was made by one need not be made again. */
  readonly key: string;
  /**
   * Written into headers, so that later it is known without parsing by which rules an object was stored. Undefined where
   * reading the object would change it.
   */
  readonly markOf?: (object: KubeObject) => string | undefined;
  /** Whether the stored bytes are what this version shows. */
  readonly isShown: (entry: Entry) => boolean;
  /** Objects as this version shows them, in the order of the entries. One call for many may cost as little as for one. */
  readonly read: (entries: readonly StoredBytes[]) => readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /** Removes in place what a merge left in an object and reading would not show. */
  readonly prune?: (object: KubeObject) => void;
  /** The object as it is to be stored. */
  readonly write: (object: KubeObject) => KubeObject | Promise<KubeObject>;
}

/** Undefined for a version that is not served. */
export type ToVersion = (object: JsonObject, apiVersion: string) => JsonObject | undefined;

/** `namespace/name`, or the name alone at the cluster scope. */
export function storageName(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${namespace}/${name}` : name;
}
