import type { FieldError, JsonObject, KubeObject, MergeType } from '@flotilla/kube';

/** What a schema does to objects of one version: made once, asked for every request. Objects are edited in place. */
export interface CompiledSchema {
  /**
   * Removes fields that the schema does not know, and tells their paths (`spec.foo[0].bar`), sorted. Nulls that it neither
   * allows nor has a default for go too, without a word.
   */
  prune(object: JsonObject): string[];
  /** Fills in what is missing; a null that is not allowed counts as missing. */
  setDefaults(object: JsonObject): void;
  /** Whether the object's field of that name has a default. */
  hasDefault(field: string): boolean;
  /**
   * Reads the metadata of embedded resources as Go would: fields of wrong types and unknown fields. `drop` is for objects
   * that were stored already, where nobody can be told; without it the first error's sentence comes back.
   */
  coerceEmbedded(object: JsonObject, drop: boolean): { error?: string; unknownFields: string[] };

  /** Everything the schema says of a new object: values, embedded metadata, uniqueness in lists, rules. */
  validate(object: KubeObject, others?: OtherErrors): Validation;
  /** What was wrong before and did not change is let through. */
  validateUpdate(object: KubeObject, old: KubeObject, others?: OtherErrors): Validation;
  /** Only what lies under `status`, but rules may look at everything. */
  validateStatusUpdate(object: KubeObject, old: KubeObject, others?: OtherErrors): Validation;

  /** How server-side apply merges it; kind, apiVersion and metadata included. */
  readonly mergeType: MergeType;
}

/** What is wrong by other rules than the schema's. It has its place among the schema's errors, and may keep rules from running. */
export interface OtherErrors {
  /** Of the object's metadata: they come first. */
  readonly metadata?: readonly FieldError[];
  /** Of the paths of the scale subresource: they come after those of values. */
  readonly scale?: readonly FieldError[];
}

export interface Validation {
  readonly errors: FieldError[];
  /** For `Warning` headers: failures that were let through because nothing about them changed. */
  readonly warnings: string[];
}
