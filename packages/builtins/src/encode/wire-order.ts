/**
 * Defaults, patches and preparation append fields to an object; Go writes them in struct order. This restores the
 * order, and copies only what is out of order.
 */
import { setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import { isObject } from '../decode/container-readers.ts';
import { sortedByKey, withKeys } from '../decode/key-order.ts';
import { pointee, type GoType, type WellKnownForm } from '../table/go-type.ts';
import type { StructType } from '../table/struct-type.ts';
import { structType } from '../table/type-table.ts';

/** Returns the same value if it is in order already. */
type Orderer = (value: JsonValue) => JsonValue;

/** The object with the fields of all its structs in Go's order, and its maps sorted by key. */
export function inWireOrder<T extends JsonObject>(type: StructType, object: T): T {
  return ordererOf(type)?.(object) as T;
}

const orderers = new WeakMap<GoType, Orderer>();

/** Undefined for types that have nothing to order. */
function ordererOf(type: GoType): Orderer | undefined {
  const target = pointee(type);
  switch (target.kind) {
    case 'struct':
      return structOrderer(target);
    case 'list':
      return listOrderer(ordererOf(target.element));
    case 'map':
      return mapOrderer(ordererOf(target.value));
    case 'well-known':
      return isSchemaForm(target.form) ? orderSchema : undefined;
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bytes':
    case 'any':
      return undefined;
  }
}

function structOrderer(type: StructType): Orderer {
  const known = orderers.get(type);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<string, FieldOrder> | undefined;
  const orderer: Orderer = (value) => {
    if (!isObject(value)) return value;
    fields ??= fieldOrders(type);
    return orderStruct(value, fields);
  };
  orderers.set(type, orderer);
  return orderer;
}

interface FieldOrder {
  readonly index: number;
  readonly order: Orderer | undefined;
}

function fieldOrders(type: StructType): ReadonlyMap<string, FieldOrder> {
  return new Map(type.fields.map(({ name, type }, index) => [name, { index, order: ordererOf(type) }]));
}

function orderStruct(object: JsonObject, fields: ReadonlyMap<string, FieldOrder>): JsonObject {
  let last = -1;
  let isOrdered = true;
  let copy: JsonObject | undefined;
  for (const name in object) {
    const field = fields.get(name);
    if (field === undefined) continue;
    if (field.index < last) isOrdered = false;
    last = field.index;
    const value = field.order && object[name];
    if (value === undefined) continue;
    const ordered = field.order?.(value);
    if (ordered !== value) (copy ??= { ...object })[name] = ordered;
  }
  const content = copy ?? object;
  return isOrdered ? content : withKeys(content, namesInOrder(object, fields));
}

/** Only a few fields are out of place, those that defaults added. `sort` would allocate more than the object itself. */
function namesInOrder(object: JsonObject, fields: ReadonlyMap<string, FieldOrder>): string[] {
  const names = Object.keys(object);
  const indexAt = (at: number): number => fields.get(names[at] as string)?.index ?? 0;
  for (let from = 1; from < names.length; from++) {
    const name = names[from] as string;
    const index = indexAt(from);
    let to = from;
    for (; to > 0 && indexAt(to - 1) > index; to--) names[to] = names[to - 1] as string;
    names[to] = name;
  }
  return names;
}

function listOrderer(order: Orderer | undefined): Orderer | undefined {
  if (order === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    let list = value;
    for (let i = 0; i < value.length; i++) {
      const element = value[i] as JsonValue;
      const ordered = order(element);
      if (ordered === element) continue;
      if (list === value) list = [...value];
      list[i] = ordered;
    }
    return list;
  };
}

function mapOrderer(order: Orderer | undefined): Orderer {
  return (value) => {
    if (!isObject(value)) return value;
    const map = sortedByKey(value);
    return order === undefined ? map : orderEntries(map, order);
  };
}

function orderEntries(map: JsonObject, order: Orderer): JsonObject {
  let result = map;
  for (const key in map) {
    const value = map[key] ?? null;
    const ordered = order(value);
    if (ordered === value) continue;
    if (result === map) result = { ...map };
    setOwn(result, key, ordered);
  }
  return result;
}

function isSchemaForm(form: WellKnownForm): boolean {
  return form.startsWith('schema-');
}

/** Orders a JSON schema, or a list of them; returns booleans and strings as they are. */
const orderSchema: Orderer = (value) => {
  const order = structOrderer(structType('apiextensions/v1', 'JSONSchemaProps'));
  return Array.isArray(value) ? (listOrderer(order)?.(value) ?? value) : order(value);
};
