import {
  deduced,
  JsonFloat,
  once,
  untypedAtomic,
  type ListMerge,
  type MergeField,
  type MergeType,
} from '@flotilla/kube';
import type { SchemaNode } from './schema-node.ts';

const stringType: MergeType = { scalar: 'string' };
const untypedType: MergeType = { scalar: 'untyped' };

type MapMerge = NonNullable<MergeType['map']>;

/** `metadata`: how ObjectMeta merges, here and in embedded resources. */
export function mergeTypeOf(root: SchemaNode, metadata: MergeType): MergeType {
  return new MergeTypes(metadata).resource(root);
}

/** Unknown fields are preserved everywhere below a node that says so. */
interface NodeContext {
  readonly preservesUnknown: boolean;
}

class MergeTypes {
  readonly #resourceFields: ReadonlyMap<string, MergeField>;

  constructor(metadata: MergeType) {
    this.#resourceFields = new Map([
      ['apiVersion', { type: () => stringType }],
      ['kind', { type: () => stringType }],
      ['metadata', { type: () => metadata }],
    ]);
  }

  resource(node: SchemaNode): MergeType {
    return { map: this.#map(node, { preservesUnknown: node.preservesUnknown }, true) };
  }

  #type(node: SchemaNode, context: NodeContext): MergeType {
    const here = { preservesUnknown: context.preservesUnknown || node.preservesUnknown };
    switch (node.schema.type ?? '') {
      case 'object':
        return { map: this.#map(node, here, node.isEmbedded) };
      case 'array':
        return { list: this.#list(node, here) };
      case 'integer':
      case 'number':
        return { scalar: 'numeric' };
      case 'boolean':
        return { scalar: 'boolean' };
      case 'string':
        return isPlainString(node) ? stringType : untypedType;
      default:
        return { scalar: 'untyped', list: this.#list(node, here), map: this.#map(node, here, node.isEmbedded) };
    }
  }

  #list(node: SchemaNode, context: NodeContext): ListMerge {
    const { items, listKeys: keys } = node;
    const element = items === undefined ? (): MergeType => untypedAtomic : once(() => this.#type(items, context));
    if (keys !== undefined) return { relationship: 'associative', keys, element };
    return { relationship: node.schema['x-kubernetes-list-type'] === 'set' ? 'associative' : 'atomic', element };
  }

  #map(node: SchemaNode, context: NodeContext, isResource: boolean): MapMerge {
    const fields = new Map<string, MergeField>();
    for (const [name, property] of node.properties) fields.set(name, this.#field(property, context));
    if (isResource) for (const [name, field] of this.#resourceFields) fields.set(name, field);
    const element = this.#unknownFields(node, context, fields.size);
    return {
      relationship: node.schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable',
      field: (name) => fields.get(name),
      ...(element !== undefined && { element }),
    };
  }

  #field(node: SchemaNode, context: NodeContext): MergeField {
    const type = once(() => this.#type(node, context));
    const preset = node.default instanceof JsonFloat ? node.default.value : node.default;
    const isScalar = typeof preset === 'string' || typeof preset === 'number' || typeof preset === 'boolean';
    return isScalar ? { type, default: preset } : { type };
  }

  /** Undefined if unknown fields are not allowed. */
  #unknownFields(node: SchemaNode, context: NodeContext, fieldCount: number): (() => MergeType) | undefined {
    const { values } = node;
    if (values !== undefined) return once(() => this.#type(values, context));
    const { additionalProperties } = node.schema;
    const isFree =
      additionalProperties === undefined ? context.preservesUnknown || fieldCount === 0 : additionalProperties;
    return isFree === false ? undefined : () => deduced;
  }
}

/** Strings of other formats have several spellings. */
function isPlainString({ schema: { format = '' } }: SchemaNode): boolean {
  return format === '' || format === 'byte';
}
