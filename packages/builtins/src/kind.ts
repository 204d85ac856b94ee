import type { FieldError, KubeObject } from '@flotilla/kube';

/**
 * How one built-in kind behaves beyond its fields. Kubernetes spreads this over defaults, strategies, validation and
 * printers; here it is one value per kind. All hooks get objects in wire form, decoded against the field table (so
 * their types hold) and owned by the request. `setDefaults` and the prepare hooks edit them in place.
 */
export interface KindBehavior {
  readonly group: string;
  readonly version: string;
  readonly kind: string;

  /** Server defaults, applied to every decoded object of this kind, including on reads of other versions. */
  readonly setDefaults?: (object: KubeObject) => void;

  /** Clears what users may not set on create (mostly status), and sets initial values. */
  readonly prepareForCreate?: (object: KubeObject, context: WriteContext) => void;
  /** Restores what an update of the main endpoint may not change (status); bumps the generation if the spec changed. */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => void;

  /** Validates the spec. The caller validates metadata with `nameRule`. */
  readonly validate?: (object: KubeObject, context: WriteContext) => FieldError[];
  /** Validates immutable fields, plus (usually) everything that `validate` checks. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => FieldError[];

  /** Runs after a new object was validated: adds what every later read would add. */
  readonly canonicalize?: (object: KubeObject) => void;

  /** Texts for the Warning header on create and update. */
  readonly warnings?: (object: KubeObject, old: KubeObject | undefined) => string[];

  /** Sent as a warning with every response about the kind, reads included. */
  readonly deprecation?: string;

  /** Whether `validate` and `validateUpdate` check metadata too, because the valid name depends on other fields. */
  readonly checksMetadata?: boolean;

  /** Returns the problems of a name, or none. `prefix`: it is a generateName. */
  readonly nameRule?: (name: string, prefix: boolean) => readonly string[];

  /** Whether finalizers need no slash. */
  readonly allowsShortFinalizers?: boolean;

  /**
   * Subresources that write part of the object: status, and others such as `approval`, `resize`, `ephemeralcontainers`.
   */
  readonly subresources?: Readonly<Record<string, SubresourceBehavior>>;

  /** PUT to a missing name creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without resourceVersion is refused. */
  readonly requiresResourceVersion?: boolean;
  /** DELETE answers with the deleted object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** What a delete without propagationPolicy means, when it is not Background. */
  readonly defaultPropagation?: 'Orphan';
  /** Sent as a warning with a delete without propagationPolicy. */
  readonly missingPropagationWarning?: string;
  /** Returns the reason if the object of that name may not be deleted. */
  readonly deleteRefusal?: (name: string) => string | undefined;

  /** Labels for field selectors beyond metadata.name and metadata.namespace; `selectableFields` has their values. */
  readonly fieldLabels?: readonly string[];
  readonly selectableFields?: (object: KubeObject) => Record<string, string>;
  /** The message for an unsupported label, where it differs from the usual one. */
  readonly unsupportedLabel?: (label: string) => string;

  /** What `kubectl get` prints. If absent: Name and Created At. */
  readonly columns?: Columns;

  /**
   * Fields that no manager owns through the main endpoint (server-side apply), as paths from the root: [['status']].
   */
  readonly resetFields?: readonly (readonly string[])[];
}

export interface SubresourceBehavior {
  /** Copies everything that this subresource may not change from `old`. */
  readonly prepareForUpdate: (object: KubeObject, old: KubeObject, context: WriteContext) => void;
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, context: WriteContext) => FieldError[];
  /** Texts for the Warning header. */
  readonly warnings?: (object: KubeObject, old: KubeObject) => string[];
  readonly resetFields?: readonly (readonly string[])[];
}

/** Returns undefined if the expression can be used. */
export type CheckDeviceSelector = (expression: string) => DeviceSelectorFault | undefined;

export interface DeviceSelectorFault {
  readonly kind: 'invalid' | 'forbidden';
  readonly detail: string;
}

/** Where an expression of a policy or webhook stands: this decides its variables and its result. */
export type ExpressionUse =
  | 'matchCondition'
  | 'validation'
  | 'messageExpression'
  | 'auditAnnotation'
  | 'applyConfiguration'
  | 'jsonPatch';

export interface ExpressionFault {
  readonly kind: 'invalid' | 'internal';
  readonly detail: string;
}

/** Compiles the CEL expressions of one policy or webhook. The results are undefined if an expression can be used. */
export interface ExpressionChecker {
  /** Expressions after it may read the variable, even if it is faulty. */
  readonly addVariable: (name: string, expression: string) => ExpressionFault | undefined;
  readonly check: (use: ExpressionUse, expression: string) => ExpressionFault | undefined;
}

export type StartChecking = (policy: {
  readonly hasParams: boolean;
  readonly hasVariables: boolean;
}) => ExpressionChecker;

export interface WriteContext {
  readonly now: Date;
  /** Compiles a CEL expression that selects devices. Without it only the length of expressions is checked. */
  readonly checkDeviceSelector?: CheckDeviceSelector;
  /** Compiles the expressions of admission policies and match conditions. Without it they are not checked. */
  readonly checkExpressions?: StartChecking;
  /** Makes the error to throw if validation takes too long for this thread. Absent: there is no other. */
  readonly retry?: { tooHeavy(): Error } | undefined;
  /** Adds a Warning header for something invalid that was accepted. */
  readonly warn?: (text: string) => void;
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface Columns {
  readonly definitions: readonly ColumnDefinition[];
  /** One cell per definition. `now` is for ages. */
  readonly cells: (object: KubeObject, now: Date) => Cell[];
}

/** A bigint if the int64 exceeds the safe integers. */
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
