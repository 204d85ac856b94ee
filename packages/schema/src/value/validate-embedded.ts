import {
  dns1035LabelProblems,
  isJsonObject,
  nameIsPathSegment,
  pushAll,
  required,
  validateObjectMeta,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
} from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';
import type { ReadMetadata } from './coerce-embedded.ts';
import { invalidValue } from './problem.ts';
import { fieldBelow, WalkPath } from './walk-path.ts';

/** Embedded resources must have apiVersion and kind, and metadata that is valid by itself. */
export function validateEmbedded(object: JsonObject, root: SchemaNode, read: ReadMetadata): FieldError[] {
  const errors: FieldError[] = [];
  if (root.below.hasEmbedded) visit(object, root, { walkPath: new WalkPath(), read, errors });
  return errors;
}

interface Walk {
  readonly walkPath: WalkPath;
  readonly read: ReadMetadata;
  readonly errors: FieldError[];
}

function visit(value: JsonValue | undefined, node: SchemaNode | undefined, walk: Walk): void {
  if (node?.below.hasEmbedded !== true) return;
  const { walkPath } = walk;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      walkPath.enterIndex(i);
      visit(item, node.items, walk);
      walkPath.leave();
    }
  } else if (isJsonObject(value)) {
    if (node.isEmbedded) pushAll(walk.errors, validateResource(value, walkPath.toString(), walk.read));
    for (const key of Object.keys(value)) {
      if (node.properties.has(key)) walkPath.enterField(key);
      else walkPath.enterKey(key);
      visit(value[key], node.child(key), walk);
      walkPath.leave();
    }
  }
}

function validateResource(resource: JsonObject, path: string, read: ReadMetadata): FieldError[] {
  const { apiVersion, kind, metadata } = resource;
  return [
    ...(apiVersion === undefined ? [required(fieldBelow(path, 'apiVersion'))] : []),
    ...(kind === undefined ? [required(fieldBelow(path, 'kind'))] : []),
    ...(apiVersion === undefined ? [] : validateWord(apiVersion, fieldBelow(path, 'apiVersion'), apiVersionProblem)),
    ...(kind === undefined ? [] : validateWord(kind, fieldBelow(path, 'kind'), kindProblem)),
    ...(metadata === undefined ? [] : validateMetadata(metadata, fieldBelow(path, 'metadata'), read)),
  ];
}

function validateWord(value: JsonValue, field: string, problemOf: (text: string) => string | undefined): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
  const problem = value === '' ? 'must not be empty' : problemOf(value);
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}

function apiVersionProblem(text: string): string | undefined {
  return text.split('/', 3).length > 2 ? `unexpected GroupVersion string: ${text}` : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = dns1035LabelProblems(text.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}

function validateMetadata(value: JsonValue, field: string, read: ReadMetadata): FieldError[] {
  const { metadata, error } = read(value);
  if (error !== undefined) return [invalidValue(field, value, error)];
  const { name = '', namespace = '' } = metadata;
  // A template has no name: the objects made from it do.
  const meta = (name === '' ? { ...metadata, name: 'fakename' } : metadata) as ObjectMeta;
  return validateObjectMeta(meta, {
    isNamespaced: namespace !== '',
    nameRule: nameIsPathSegment,
    allowsShortFinalizers: true,
    field,
  });
}
