/**
 * JSON Patch (RFC 6902) as kube-apiserver implements it.
 * `replace` may create a member, indices may be negative, a
 * missing value is null, and the size of copies is limited.
 */
import { copyJson } from '../json/copy-json.ts';
import { goJson } from '../json/go-json.ts';
import { jsonTextEquals } from '../json/json-equals.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import {
  inapplicable,
  insertAt,
  isContainer,
  JsonPatchDocument,
  overwrite,
  readLocation,
  removeAt,
} from './json-patch-document.ts';
import type { Location } from './json-patch-document.ts';
import type { JsonPatchOperation } from './json-patch-operation.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';

interface JsonPatchLimits {
  readonly maxOperations: number;
  /** Bytes of JSON that all `copy` operations together may add. */
  readonly maxCopiedBytes: number;
}

/** kube-apiserver's limits. */
const jsonPatchLimits: JsonPatchLimits = { maxOperations: 10_000, maxCopiedBytes: 3 * 1024 * 1024 };

export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  limits: JsonPatchLimits = jsonPatchLimits,
): JsonValue {
  if (operations.length > limits.maxOperations) throw tooManyOperations(operations.length, limits);
  if (!isContainer(document)) throw inapplicable('the document is neither an object nor an array');
  const draft = new JsonPatchDocument(document);
  const budget = { copiedBytes: 0, maxCopiedBytes: limits.maxCopiedBytes };
  for (const operation of operations) perform(operation, draft, budget);
  return draft.result();
}

interface CopyBudget {
  copiedBytes: number;
  readonly maxCopiedBytes: number;
}

function perform(operation: JsonPatchOperation, draft: JsonPatchDocument, budget: CopyBudget): void {
  const kind = operation.op ?? 'unknown';
  switch (kind) {
    case 'add':
      return insertAt(locationOf(draft, operation.path, 'add'), operation.value ?? null);
    case 'remove':
      return removeAt(locationOf(draft, operation.path, 'remove'));
    case 'replace':
      return replace(operation, draft);
    case 'move':
      return move(operation, draft);
    case 'copy':
      return copy(operation, draft, budget);
    case 'test':
      return test(operation, draft);
    default:
      throw inapplicable(`Unexpected kind: ${kind}`);
  }
}

function replace({ path, value = null }: JsonPatchOperation, draft: JsonPatchDocument): void {
  if (path === '') {
    if (!isContainer(value)) throw inapplicable('replace operation value must be object or array');
    return draft.replaceRoot(value);
  }
  overwrite(locationOf(draft, path, 'replace'), value);
}

function move({ from, path }: JsonPatchOperation, draft: JsonPatchDocument): void {
  const source = locationOf(draft, from, 'move');
  const value = readLocation(source) ?? null;
  removeAt(source);
  insertAt(locationOf(draft, path, 'move'), value);
}

function copy({ from, path }: JsonPatchOperation, draft: JsonPatchDocument, budget: CopyBudget): void {
  const value = readLocation(locationOf(draft, from, 'copy')) ?? null;
  const target = locationOf(draft, path, 'copy');
  // The copy must share nothing with its source, because the document is edited in place.
  checkDepth(value);
  const copied = copyJson(value);
  spend(budget, value === null ? 0 : Buffer.byteLength(goJson(copied)));
  insertAt(target, copied);
}

/** A document could be copied into itself repeatedly. */
function checkDepth(value: JsonValue | undefined, depth = 0): void {
  checkPatchDepth(depth);
  if (Array.isArray(value)) for (const element of value) checkDepth(element, depth + 1);
  else if (isJsonObject(value)) for (const child of Object.values(value)) checkDepth(child, depth + 1);
}

function spend(budget: CopyBudget, bytes: number): void {
  budget.copiedBytes += bytes;
  if (budget.copiedBytes <= budget.maxCopiedBytes) return;
  const sizes = `${budget.copiedBytes}, exceeding the limit ${budget.maxCopiedBytes}`;
  throw inapplicable(`Unable to complete the copy, the accumulated size increase of copy is ${sizes}`);
}

function test({ path, value = null }: JsonPatchOperation, draft: JsonPatchDocument): void {
  const actual = path === '' ? draft.root : (readLocation(locationOf(draft, path, 'test')) ?? null);
  // Kubernetes compares the text of scalars.
  if (!jsonTextEquals(actual, value)) throw inapplicable(`testing value ${path} failed: test failed`);
}

function locationOf(draft: JsonPatchDocument, path: string | undefined, operation: string): Location {
  if (path === undefined) throw inapplicable(`${operation} operation failed to decode path: missing value`);
  const location = draft.find(path);
  if (location === undefined)
    throw inapplicable(`${operation} operation does not apply: doc is missing path: "${path}"`);
  return location;
}

function tooManyOperations(count: number, { maxOperations }: JsonPatchLimits): PatchError {
  const message = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${count}`;
  return new PatchError('too-large', message);
}
