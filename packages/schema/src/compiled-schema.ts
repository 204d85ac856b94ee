import type { RuleEvaluator } from './rules/run-rules.ts';
import type { FieldError, JsonObject, KubeObject, MergeType } from '@flotilla/kube';

/** The compiled form of a schema, made once for each version and used by every request. Edits objects in place. */
export interface CompiledSchema {
  /**
   * Removes unknown fields, and returns their paths (`spec.foo[0].bar`), sorted. Also removes nulls that are neither
   * allowed nor have a default, without reporting them.
   */
  prune(object: JsonObject): string[];
  /** Sets missing fields. A null that is not allowed counts as missing. */
  setDefaults(object: JsonObject): void;
  /** Whether the object's field of that name has a default. */
  hasDefault(field: string): boolean;
  /**
   * Decodes the metadata of embedded resources as Go would. With `drop`, for stored objects, it drops fields of wrong
   * types; otherwise it returns the first error.
   */
  coerceEmbedded(object: JsonObject, drop: boolean): { error?: string; unknownFields: string[] };

  /** Validates a new object: values, embedded metadata, uniqueness in lists, rules. */
  validate(object: KubeObject, others?: ValidationContext): Validation;
  /** Accepts an error that existed before if the value did not change. */
  validateUpdate(object: KubeObject, old: KubeObject, others?: ValidationContext): Validation;
  /** Validates only `status`, but rules may read everything. */
  validateStatusUpdate(object: KubeObject, old: KubeObject, others?: ValidationContext): Validation;

  /** For server-side apply; includes kind, apiVersion and metadata. */
  readonly mergeType: MergeType;
}

/**
 * Errors of other rules than the schema's, and how its own rules are evaluated. These errors have a place among the
 * schema's, and may prevent rules from running.
 */
export interface ValidationContext {
  /** Errors of the object's metadata; they come first. */
  readonly metadata?: readonly FieldError[];
  /** Errors of the paths of the scale subresource; they come after those of values. */
  readonly scale?: readonly FieldError[];
  /** Called if there are rules to run. */
  readonly evaluator?: () => RuleEvaluator;
}

export interface Validation {
  readonly errors: FieldError[];
  /** For `Warning` headers: errors that were accepted because nothing about them changed. */
  readonly warnings: string[];
}
