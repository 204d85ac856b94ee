/**
 * Hashes of Go structs as KubeFleet computes them, so that it can take over from us, and we from it, without a new snapshot of
 * everything.
 */
import { createHash } from 'node:crypto';
import { goJson, isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';

/** A Go type: a struct with its fields in the order of their declaration, a map, or anything else. */
export type GoType = GoStruct | GoListOf | 'map' | undefined;

export interface GoStruct {
  readonly fields: readonly GoField[];
}

/** A slice of structs. */
export interface GoListOf {
  readonly of: GoStruct;
}

export interface GoField {
  readonly name: string;
  readonly type?: GoType;
  /** Printed even if it is empty; a missing one as this value. Other fields are omitted then. */
  readonly whenEmpty?: JsonValue;
}

/** SHA-256 of Go's JSON for this value, in lower-case hexadecimal. */
export function goHash(value: JsonValue, type?: GoType): string {
  return createHash('sha256').update(textOf(value, type)).digest('hex');
}

/**
 * The hash of a group of resource snapshots, of Go's `{"selectedResources":[…]}`. Takes one resource after another, because all
 * together may be too large for one string, or for one turn of the event loop.
 */
export class ResourceHash {
  readonly #hash = createHash('sha256').update('{"selectedResources":[');
  #isEmpty = true;

  /** Returns the size of the resource as KubeFleet counts it: its JSON and a newline, in bytes. */
  add(resource: JsonObject): number {
    const bytes = Buffer.from(goJson(resource));
    if (!this.#isEmpty) this.#hash.update(',');
    this.#hash.update(bytes);
    this.#isEmpty = false;
    return bytes.length + 1;
  }

  /** Call once, after the last resource. */
  hex(): string {
    return this.#hash.update(']}').digest('hex');
  }
}

/** Printed, not reordered: an object cannot keep keys such as `10` and `9` in Go's order. */
function textOf(value: JsonValue, type: GoType): string {
  if (type === undefined || type === 'map') return goJson(value);
  if ('of' in type) {
    return Array.isArray(value) ? `[${value.map((item) => textOf(item, type.of)).join(',')}]` : goJson(value);
  }
  return isJsonObject(value) ? structText(value, type) : goJson(value);
}

function structText(value: JsonObject, { fields }: GoStruct): string {
  const printed: string[] = [];
  for (const { name, type, whenEmpty } of fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined && !isEmpty(given, type)) printed.push(`"${name}":${textOf(given, type)}`);
    else if (whenEmpty !== undefined) printed.push(`"${name}":${goJson(given ?? whenEmpty)}`);
  }
  return `{${printed.join(',')}}`;
}

/** The zero values of Go's `omitempty`. An object that is no map stands for a pointer, which is omitted only if it is absent. */
function isEmpty(value: JsonValue, type: GoType): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (type === 'map') return isJsonObject(value) && Object.keys(value).length === 0;
  return value === null || value === '' || value === 0 || value === false;
}
