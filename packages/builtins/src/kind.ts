import type { FieldError, KubeObject } from '@flotilla/kube';

/**
 * How one built-in kind behaves beyond its fields: what Kubernetes spreads over defaults, strategies, validation and
 * printers stands here as one value per kind. All hooks get objects in wire form, already decoded against the field table
 * (so their types hold) and owned by the request: defaulting and preparing edit them in place.
 */
export interface KindBehavior {
  readonly group: string;
  readonly version: string;
  readonly kind: string;

  /** Server defaults, applied to every decoded object of this kind, including on reads of other versions. */
  readonly setDefaults?: (object: KubeObject) => void;

  /** Clears what users may not set on create (status, mostly), sets first values. */
  readonly prepareForCreate?: (object: KubeObject, context: WriteContext) => void;
  /** Restores what a main-endpoint update may not touch (status), bumps generation when spec changed. */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => void;

  /** Spec rules. Metadata is checked by the caller with `nameRule`. */
  readonly validate?: (object: KubeObject, context: WriteContext) => FieldError[];
  /** What may not change, plus (usually) everything `validate` checks. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => FieldError[];

  /** After a new object was validated: gives it what every later read would add. */
  readonly canonicalize?: (object: KubeObject) => void;

  /** Sentences for the Warning header on create and update. */
  readonly warnings?: (object: KubeObject, old: KubeObject | undefined) => string[];

  /** Sent as a warning with every answer about the kind, reads included. */
  readonly deprecation?: string;

  /** `validate` and `validateUpdate` look at metadata too: which name is right depends on the rest. */
  readonly checksMetadata?: boolean;

  /** Which names the kind accepts: the validation sentences, or none. `prefix`: it is a generateName. */
  readonly nameRule?: (name: string, prefix: boolean) => readonly string[];

  /** Finalizers without a slash are as good as others. */
  readonly allowsShortFinalizers?: boolean;

  /** Subresources that write part of the object: status, and the likes of `approval`, `resize`, `ephemeralcontainers`. */
  readonly subresources?: Readonly<Record<string, SubresourceBehavior>>;

  /** PUT to a missing name creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without resourceVersion is refused. */
  readonly requiresResourceVersion?: boolean;
  /** DELETE answers with the deleted object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** What a delete without propagationPolicy means, when it is not Background. */
  readonly defaultPropagation?: 'Orphan';
  /** Sent as a warning with a delete that does not say what becomes of dependents. */
  readonly unsaidPropagationWarning?: string;
  /** Why the object of that name may not be deleted, if it may not. */
  readonly deleteRefusal?: (name: string) => string | undefined;

  /** Values for field selectors beyond metadata.name and metadata.namespace, by label. The keys are the supported labels. */
  readonly fieldLabels?: readonly string[];
  readonly selectableFields?: (object: KubeObject) => Record<string, string>;
  /** The refusal of any other label, where the kind has a sentence of its own. */
  readonly unsupportedLabel?: (label: string) => string;

  /** What `kubectl get` prints; absent: Name and Created At. */
  readonly columns?: Columns;

  /** Fields that a manager never owns through the main endpoint (server-side apply), as paths from the root: [['status']]. */
  readonly resetFields?: readonly (readonly string[])[];
}

export interface SubresourceBehavior {
  /** Copies everything that this subresource may not change from `old`. */
  readonly prepareForUpdate: (object: KubeObject, old: KubeObject, context: WriteContext) => void;
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => FieldError[];
  /** Sentences for the Warning header. */
  readonly warnings?: (object: KubeObject, old: KubeObject) => string[];
  readonly resetFields?: readonly (readonly string[])[];
}

export interface WriteContext {
  readonly now: Date;
  /** For `Warning` headers: what was let through. */
  readonly warn?: (sentence: string) => void;
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string | undefined;
  /** What else is known of the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The columns `kubectl get` prints for a kind, and how to fill them. */
export interface Columns {
  readonly definitions: readonly ColumnDefinition[];
  /** One cell per definition; `now` is for ages. */
  readonly cells: (object: KubeObject, now: Date) => Cell[];
}

/** A bigint where an int64 is too large for a number. */
export type Cell = string | number | bigint | boolean | null;

export interface ColumnDefinition {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the first column. */
  readonly format?: string;
  readonly description: string;
  /** 0: always shown; 1: only with -o wide. */
  readonly priority: number;
}
