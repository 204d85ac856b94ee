/** Embedded resources: their types and metadata are decoded like those of the object that contains them. */
import {
  compareBytes,
  fieldErrorText,
  isJsonObject,
  pushAll,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';
import { invalidValue } from './problem.ts';
import { fieldBelow, WalkPath } from './walk-path.ts';

export interface Coercion {
  /** The first error, unless fields are dropped. */
  readonly error?: string;
  /** Sorted. */
  readonly unknownFields: string[];
}

interface CoerceOptions {
  readonly read: ReadMetadata;
  /** Drops fields of wrong types without an error: for stored objects. */
  readonly drop: boolean;
}

export function coerceEmbedded(object: JsonObject, root: SchemaNode, options: CoerceOptions): Coercion {
  const coercing = new Coercing(options);
  const error = coercing.value(object, root);
  const unknownFields = coercing.unknownFields.sort(compareBytes);
  return error === undefined ? { unknownFields } : { error: fieldErrorText(error), unknownFields };
}

/** The first wrong type in any value. Coerces the value. */
export function embeddedTypeError(value: JsonValue, root: SchemaNode, read: ReadMetadata): FieldError | undefined {
  return new Coercing({ read, drop: false }).value(value, root);
}

class Coercing {
  readonly unknownFields: string[] = [];
  readonly #options: CoerceOptions;
  readonly #walkPath = new WalkPath();

  constructor(options: CoerceOptions) {
    this.#options = options;
  }

  value(value: JsonValue | undefined, node: SchemaNode | undefined): FieldError | undefined {
    if (node?.below.hasEmbedded !== true) return undefined;
    if (Array.isArray(value)) return this.#list(value, node.items);
    return isJsonObject(value) ? this.#object(value, node) : undefined;
  }

  #list(list: readonly JsonValue[], items: SchemaNode | undefined): FieldError | undefined {
    for (const [i, item] of list.entries()) {
      this.#walkPath.enterIndex(i);
      const error = this.value(item, items);
      this.#walkPath.leave();
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #object(object: JsonObject, node: SchemaNode): FieldError | undefined {
    const own = node.isEmbedded ? this.#resource(object) : undefined;
    if (own !== undefined) return own;
    for (const key of Object.keys(object)) {
      if (node.properties.has(key)) this.#walkPath.enterField(key);
      else this.#walkPath.enterKey(key);
      const error = this.value(object[key], node.child(key));
      this.#walkPath.leave();
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #resource(object: JsonObject): FieldError | undefined {
    return this.#word(object, 'apiVersion') ?? this.#word(object, 'kind') ?? this.#metadata(object);
  }

  #word(object: JsonObject, name: 'apiVersion' | 'kind'): FieldError | undefined {
    const value = object[name];
    if (value === undefined || typeof value === 'string') return undefined;
    if (!this.#options.drop) return this.#invalid(name, value, 'must be a string');
    delete object[name];
    return undefined;
  }

  #metadata(object: JsonObject): FieldError | undefined {
    const { metadata } = object;
    if (metadata === undefined) return undefined;
    const result = this.#read(metadata);
    if (result?.error !== undefined) return this.#invalid('metadata', metadata, result.error);
    if (result === undefined) return undefined;
    const path = fieldBelow(this.#walkPath.toString(), 'metadata');
    pushAll(
      this.unknownFields,
      result.unknownFields.map((field) => `${path}.${field}`),
    );
    if (result.metadata['creationTimestamp'] === null) delete result.metadata['creationTimestamp'];
    object['metadata'] = result.metadata;
    return undefined;
  }

  /** Undefined if metadata is not an object and nothing may be reported. */
  #read(metadata: JsonValue): ReadMetadataResult | undefined {
    const { read, drop } = this.#options;
    if (!drop || metadata === null) return read(metadata);
    return isJsonObject(metadata) ? readWithoutMalformed(metadata, read) : undefined;
  }

  #invalid(name: string, value: JsonValue, detail: string): FieldError {
    return invalidValue(fieldBelow(this.#walkPath.toString(), name), value, detail);
  }
}

/** Decodes metadata as Go decodes JSON into ObjectMeta. The server provides it, because it has the table of types. */
export type ReadMetadata = (metadata: JsonValue) => ReadMetadataResult;

interface ReadMetadataResult {
  /** In Go's encoding: known fields only. */
  readonly metadata: JsonObject;
  /** Go's message if a field has a wrong type. */
  readonly error?: string;
  /** Relative to the metadata: `labls`, `ownerReferences[0].nme`. */
  readonly unknownFields: readonly string[];
}

/** Omits the fields that cannot be decoded. */
function readWithoutMalformed(metadata: JsonObject, read: ReadMetadata): ReadMetadataResult {
  const whole = read(metadata);
  if (whole.error === undefined) return whole;
  const fields = Object.entries(metadata).filter(
    ([key, value]) => read(Object.fromEntries([[key, value]])).error === undefined,
  );
  return read(Object.fromEntries(fields));
}
