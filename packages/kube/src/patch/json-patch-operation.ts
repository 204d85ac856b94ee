import { getOwn } from '../json/untrusted.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { PatchError } from './patch-error.ts';

/** One operation of a JSON Patch. Absent members matter: `add` without a value adds null. */
export interface JsonPatchOperation {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

const memberNames = ['op', 'path', 'from', 'value'];
const textMembers = ['op', 'path', 'from'] as const;

/**
 * Decodes a parsed patch body. With `strict` (`fieldValidation` Warn or Strict), a member of a wrong type is a 400.
 * Otherwise it fails when the patch is applied.
 */
export function decodeJsonPatch(patch: JsonValue, strict: boolean): readonly JsonPatchOperation[] {
  if (patch === null) return [];
  const types = strict ? strictTypes : lenientTypes;
  if (!Array.isArray(patch)) throw cannotDecode(types, patch, types.patch);
  return patch.map((operation) => decodeOperation(operation, types));
}

/** Unknown members, as strict decoding reports them: `unknown field "[0].foo"`. */
export function unknownJsonPatchFields(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) => {
    if (!isJsonObject(operation)) return [];
    const unknown = Object.keys(operation).filter((name) => !memberNames.includes(name));
    return unknown.map((name) => `unknown field "[${index}].${name}"`);
  });
}

interface GoTypes {
  readonly prefix: string;
  readonly patch: string;
  readonly operation: string;
  readonly checksMembers: boolean;
}

const strictTypes: GoTypes = {
  prefix: 'error decoding patch: ',
  patch: '[]handlers.jsonPatchOp',
  operation: 'handlers.jsonPatchOp',
  checksMembers: true,
};

const lenientTypes: GoTypes = {
  prefix: '',
  patch: 'jsonpatch.Patch',
  operation: 'jsonpatch.Operation',
  checksMembers: false,
};

function decodeOperation(operation: JsonValue, types: GoTypes): JsonPatchOperation {
  if (operation === null) return {};
  if (!isJsonObject(operation)) throw cannotDecode(types, operation, types.operation);
  if (types.checksMembers) checkMembers(operation, types);
  return membersOf(operation);
}

function checkMembers(operation: JsonObject, { prefix }: GoTypes): void {
  for (const [name, value] of Object.entries(operation)) {
    const isText = typeof value === 'string' || value === null;
    if (isText || name === 'value' || !memberNames.includes(name)) continue;
    const type = jsonTypeName(value);
    const message = `${prefix}json: cannot unmarshal ${type} into Go struct field jsonPatchOp.${name} of type string`;
    throw new PatchError('malformed', message);
  }
}

function membersOf(operation: JsonObject): JsonPatchOperation {
  const members: { op?: string; path?: string; from?: string; value?: JsonValue } = {};
  for (const name of textMembers) {
    const value = getOwn(operation, name);
    if (typeof value === 'string') members[name] = value;
  }
  const value = getOwn(operation, 'value');
  if (value !== undefined) members.value = value;
  return members;
}

function cannotDecode({ prefix }: GoTypes, value: JsonValue, type: string): PatchError {
  return new PatchError(
    'malformed',
    `${prefix}json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${type}`,
  );
}

/** The JSON type as Go's decoder names it. */
export function jsonTypeName(value: JsonValue | undefined): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}
