import type { JsonValue } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from './json-schema.ts';

/** What some walks look for: they skip parts of a schema without it. */
interface Contents {
  readonly hasDefaults: boolean;
  readonly hasEmbedded: boolean;
  readonly hasListTypes: boolean;
  readonly hasRules: boolean;
}

/** A schema node for walking objects, with its children and a summary of what lies below it. */
export class SchemaNode {
  readonly schema: JsonSchema;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly items: SchemaNode | undefined;
  /** The values of a map. Undefined also if the schema says `true` or `false`. */
  readonly values: SchemaNode | undefined;
  /** Undeclared keys with any value are allowed. */
  readonly allowsAnyKey: boolean;
  readonly preservesUnknown: boolean;
  readonly isEmbedded: boolean;
  readonly isNullable: boolean;
  /** Null is not a default. */
  readonly default: JsonValue | undefined;
  /** At this node or below. */
  readonly below: Contents;

  constructor(schema: JsonSchema) {
    const items = itemsOf(schema);
    const values = valuesOf(schema);
    this.schema = schema;
    this.properties = nodesOf(schema.properties);
    this.items = items && new SchemaNode(items);
    this.values = values && new SchemaNode(values);
    this.allowsAnyKey = schema.additionalProperties !== undefined;
    this.preservesUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
    this.isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
    this.isNullable = schema.nullable === true;
    this.default = schema.default ?? undefined;
    this.below = contentsOf(this);
  }

  get isList(): boolean {
    return this.schema.type === 'array';
  }

  /** The keys that identify the items of a list. Undefined for other lists. */
  get listKeys(): readonly string[] | undefined {
    return this.schema['x-kubernetes-list-type'] === 'map'
      ? (this.schema['x-kubernetes-list-map-keys'] ?? [])
      : undefined;
  }

  child(key: string): SchemaNode | undefined {
    return this.properties.get(key) ?? this.values;
  }
}

const noProperties: ReadonlyMap<string, SchemaNode> = new Map();

function nodesOf(properties: JsonSchema['properties']): ReadonlyMap<string, SchemaNode> {
  if (properties === undefined) return noProperties;
  return new Map(Object.entries(properties).map(([name, schema]) => [name, new SchemaNode(schema)]));
}

function contentsOf(node: SchemaNode): Contents {
  const { schema } = node;
  const listType = schema['x-kubernetes-list-type'];
  const contents = {
    hasDefaults: node.default !== undefined,
    hasEmbedded: node.isEmbedded,
    hasListTypes: listType === 'set' || listType === 'map',
    hasRules: (schema['x-kubernetes-validations'] ?? []).length > 0,
  };
  for (const child of [...node.properties.values(), node.items, node.values]) {
    contents.hasDefaults ||= child?.below.hasDefaults === true;
    contents.hasEmbedded ||= child?.below.hasEmbedded === true;
    contents.hasListTypes ||= child?.below.hasListTypes === true;
    contents.hasRules ||= child?.below.hasRules === true;
  }
  return contents;
}
