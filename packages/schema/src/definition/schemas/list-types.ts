/** Validates how lists and maps merge: `x-kubernetes-list-type`, its keys, and `x-kubernetes-map-type`. */
import { forbidden, invalid, notSupported, required, type FieldError } from '@flotilla/kube';
import { itemsOf, propertyOf, type JsonSchema } from '../../json-schema.ts';
import { invalidPrinted, printItems } from './internal-form.ts';

const listTypeKeyword = 'x-kubernetes-list-type';
const mapTypeKeyword = 'x-kubernetes-map-type';
const listMapKeysKeyword = 'x-kubernetes-list-map-keys';

interface ListTypeRules {
  readonly atomicSetItems: boolean;
  readonly definiteKeys: boolean;
}

export function validateListAndMapTypes(schema: JsonSchema, path: string, rules: ListTypeRules): FieldError[] {
  const listType = schema[listTypeKeyword];
  if (listType === undefined && schema[mapTypeKeyword] === undefined && schema[listMapKeysKeyword] === undefined)
    return [];
  return [
    ...validateMapType(schema, path),
    ...validateListType(schema, path, rules.atomicSetItems),
    ...validateKeysBelong(schema, path),
    ...(listType === 'map' ? validateListByKey(schema, path) : []),
    ...(rules.definiteKeys ? validateKeysOfItems(schema, path) : []),
  ];
}

/** Items of a set are compared as a whole, so they must be atomic. */
export function hasNonAtomicSetItems(schema: JsonSchema): boolean {
  return schema[listTypeKeyword] === 'set' && nonAtomicKeyword(itemsOf(schema)) !== undefined;
}

/** The newer rules of lists by key and of sets: keys are required, items are not nullable. */
export function validateKeysOfItems(schema: JsonSchema, path: string): FieldError[] {
  const items = itemsOf(schema);
  const listType = schema[listTypeKeyword];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const detail = `cannot be nullable when ${listTypeKeyword} is ${listType}`;
    errors.push(forbidden(`${path}.items.nullable`, detail));
  }
  if (listType === 'map') checkKeys(schema[listMapKeysKeyword] ?? [], items, path, errors);
  return errors;
}

function checkKeys(keys: readonly string[], items: JsonSchema, path: string, errors: FieldError[]): void {
  const requiredNames = new Set(items.required);
  const why = `this property is in ${listMapKeysKeyword}, so it`;
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const keyPath = `${path}.items.properties[${key}]`;
    if (!requiredNames.has(key) && property.default === undefined) {
      errors.push(required(`${keyPath}.default`, `${why} must have a default or be a required property`));
    }
    if (property.nullable === true) errors.push(forbidden(`${keyPath}.nullable`, `${why} cannot be nullable`));
  }
}

function validateMapType(schema: JsonSchema, path: string): FieldError[] {
  const mapType = schema[mapTypeKeyword];
  if (mapType === undefined) return [];
  const isKnown = mapType === 'atomic' || mapType === 'granular';
  return [
    ...validateTypeIs('object', schema, mapTypeKeyword, path),
    ...(isKnown ? [] : [notSupported(`${path}.${mapTypeKeyword}`, mapType, ['atomic', 'granular'])]),
  ];
}

function validateListType(schema: JsonSchema, path: string, atomicSetItems: boolean): FieldError[] {
  const listType = schema[listTypeKeyword];
  if (listType === undefined) return [];
  const typeErrors = validateTypeIs('array', schema, listTypeKeyword, path);
  const itemErrors = typeErrors.length === 0 && atomicSetItems ? validateSetItems(schema, path) : [];
  const isKnown = ['atomic', 'set', 'map'].includes(listType);
  return [
    ...typeErrors,
    ...itemErrors,
    ...(isKnown ? [] : [notSupported(`${path}.${listTypeKeyword}`, listType, ['atomic', 'set', 'map'])]),
  ];
}

function validateTypeIs(type: string, schema: JsonSchema, keyword: string, path: string): FieldError[] {
  if (schema.type === type) return [];
  const detail = `must be ${type} if ${keyword} is specified`;
  return [schema.type === undefined ? required(`${path}.type`, detail) : invalid(`${path}.type`, schema.type, detail)];
}

function validateSetItems(schema: JsonSchema, path: string): FieldError[] {
  const items = itemsOf(schema);
  const keyword = schema[listTypeKeyword] === 'set' ? nonAtomicKeyword(items) : undefined;
  if (keyword === undefined) return [];
  const detail = `must be atomic as item of a list with ${listTypeKeyword}=set`;
  // Kubernetes prints the list type of the items for either keyword.
  return [invalid(`${path}.items.${keyword}`, items?.[listTypeKeyword], detail)];
}

/** Lists are atomic by default, maps are not. */
function nonAtomicKeyword(items: JsonSchema | undefined): typeof listTypeKeyword | typeof mapTypeKeyword | undefined {
  if (items?.type === 'array') return (items[listTypeKeyword] ?? 'atomic') === 'atomic' ? undefined : listTypeKeyword;
  if (items?.type === 'object') return items[mapTypeKeyword] === 'atomic' ? undefined : mapTypeKeyword;
  return undefined;
}

function validateKeysBelong(schema: JsonSchema, path: string): FieldError[] {
  const listType = schema[listTypeKeyword];
  if ((schema[listMapKeysKeyword] ?? []).length === 0 || listType === 'map') return [];
  const detail = `must be map if ${listMapKeysKeyword} is non-empty`;
  const field = `${path}.${listTypeKeyword}`;
  return [listType === undefined ? required(field, detail) : invalid(field, listType, detail)];
}

function validateListByKey(schema: JsonSchema, path: string): FieldError[] {
  const keys = schema[listMapKeysKeyword] ?? [];
  const missing =
    keys.length === 0
      ? [required(`${path}.${listMapKeysKeyword}`, `must not be empty if ${listTypeKeyword} is map`)]
      : [];
  return [...missing, ...validateItemsByKey(schema, keys, path)];
}

function validateItemsByKey(schema: JsonSchema, keys: readonly string[], path: string): FieldError[] {
  if (schema.items === undefined) {
    return [required(`${path}.items`, `must have a schema if ${listTypeKeyword} is map`)];
  }
  const items = itemsOf(schema);
  if (items === undefined) {
    const detail = `must only have a single schema if ${listTypeKeyword} is map`;
    return [invalidPrinted(`${path}.items`, printItems(schema.items), detail)];
  }
  if (items.type !== 'object') {
    const detail = `must be object if parent array's ${listTypeKeyword} is map`;
    return [invalid(`${path}.items.type`, items.type ?? '', detail)];
  }
  return validateKeys(keys, items, path);
}

function validateKeys(keys: readonly string[], items: JsonSchema, path: string): FieldError[] {
  // One of each is enough however many keys there are: the error prints all of them.
  const field = `${path}.${listMapKeysKeyword}`;
  const stranger = invalid(field, [...keys], 'entries must all be names of item properties');
  const repeated = invalid(field, [...keys], 'must not contain duplicate entries');
  const seen = new Set<string>();
  return keys.flatMap((key) => {
    const property = propertyOf(items, key);
    const errors = property === undefined ? [stranger] : validateKeyType(property, `${path}.items.properties[${key}]`);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? [...errors, repeated] : errors;
  });
}

function validateKeyType({ type }: JsonSchema, path: string): FieldError[] {
  if (type !== 'array' && type !== 'object') return [];
  // Kubernetes prints the type of the items here.
  return [invalid(`${path}.type`, 'object', `must be a scalar type if parent array's ${listTypeKeyword} is map`)];
}
