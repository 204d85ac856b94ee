/**
 * How values of a type are owned and merged by server-side apply: the "atoms" of structured merge diff. A type may be
 * several atoms at once (untyped JSON is any of the three). Both the built-in kinds' table and structural schemas give this
 * form; references are functions because types recurse (JSONSchemaProps).
 */
export interface MergeType {
  readonly scalar?: 'numeric' | 'string' | 'boolean' | 'untyped';
  readonly list?: ListMerge;
  readonly map?: MapMerge;
}

export interface ListMerge {
  readonly relationship: 'atomic' | 'associative';
  /** Associative with keys: a list-map; associative without: a set. */
  readonly keys?: readonly string[];
  readonly element: () => MergeType;
}

export interface MapMerge {
  readonly relationship: 'separable' | 'atomic';
  /** Declared struct fields. */
  readonly field: (name: string) => MergeField | undefined;
  /** Type of entries that are no declared field; undefined: unknown fields are errors. */
  readonly element?: () => MergeType;
}

export interface MergeField {
  readonly type: () => MergeType;
  /** Used when a list-map's key field is missing in an item. */
  readonly default?: string | number | boolean;
}
