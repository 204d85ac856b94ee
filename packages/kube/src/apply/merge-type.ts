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
  /**
   * Used when a list-map's key field is missing in an item. Fields that Go always writes have their zero value as default:
   * a container without a name is found under `name=""`.
   */
  readonly default?: string | number | boolean;
}

const noField = (): undefined => undefined;

/** JSON that nobody looks into: owned and replaced as a whole (RawExtension, JSON). */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  list: { relationship: 'atomic', element: () => untypedAtomic },
  map: { relationship: 'atomic', field: noField, element: () => untypedAtomic },
};

/** JSON without a schema, owned field by field: maps are merged, lists replaced. */
export const deduced: MergeType = {
  scalar: 'untyped',
  list: { relationship: 'atomic', element: () => untypedAtomic },
  map: { relationship: 'separable', field: noField, element: () => deduced },
};
