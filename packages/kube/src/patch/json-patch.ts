/**
 * JSON Patch (RFC 6902) as the library evanphx/json-patch implements it, with its messages. Indices may be negative, a missing
 * value is null, and the size of copies is limited. kube-apiserver uses version 4, where `replace` may create a member.
 */
import { copyJson } from '../json/copy-json.ts';
import { goJson } from '../json/go-json.ts';
import { jsonTextEquals } from '../json/json-equals.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import {
  exists,
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

/** The document is not what a `test` operation expects. */
class FailedTest extends PatchError {}

export function isFailedTest(error: PatchError): boolean {
  return error instanceof FailedTest;
}

interface JsonPatchOptions {
  readonly maxOperations?: number;
  /** Bytes of JSON that all `copy` operations together may add. */
  readonly maxCopiedBytes?: number;
  /** Whether `replace` may create a member of an object: in version 4 of the library, not in version 5. */
  readonly mayReplaceCreate?: boolean;
}

/** Those of kube-apiserver. */
const defaultOptions: Required<JsonPatchOptions> = {
  maxOperations: 10_000,
  maxCopiedBytes: 3 * 1024 * 1024,
  mayReplaceCreate: true,
};

export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): JsonValue {
  const { maxOperations, maxCopiedBytes, mayReplaceCreate } = { ...defaultOptions, ...options };
  if (operations.length > maxOperations) throw tooManyOperations(operations.length, maxOperations);
  if (!isContainer(document)) throw inapplicable('the document is neither an object nor an array');
  const draft = new JsonPatchDocument(document);
  const run: PatchRun = { copiedBytes: 0, maxCopiedBytes, mayReplaceCreate };
  for (const operation of operations) perform(operation, draft, run);
  return draft.result();
}

interface PatchRun {
  copiedBytes: number;
  readonly maxCopiedBytes: number;
  readonly mayReplaceCreate: boolean;
}

function perform(operation: JsonPatchOperation, draft: JsonPatchDocument, run: PatchRun): void {
  const kind = operation.op ?? 'unknown';
  switch (kind) {
    case 'add':
      return add(operation, draft);
    case 'remove':
      return remove(operation, draft, run);
    case 'replace':
      return replace(operation, draft, run);
    case 'move':
      return move(operation, draft, run);
    case 'copy':
      return copy(operation, draft, run);
    case 'test':
      return test(operation, draft);
    default:
      throw inapplicable(`Unexpected kind: ${kind}`);
  }
}

function add({ path, value = null }: JsonPatchOperation, draft: JsonPatchDocument): void {
  const location = locationOf(draft, path, 'add');
  inOperation('add', path, () => insertAt(location, value));
}

function remove({ path }: JsonPatchOperation, draft: JsonPatchDocument, run: PatchRun): void {
  const location = locationOf(draft, path, 'remove');
  inOperation('remove', path, () => removeAt(location, run.mayReplaceCreate));
}

function replace({ path, value = null }: JsonPatchOperation, draft: JsonPatchDocument, run: PatchRun): void {
  if (path === '') {
    if (!isContainer(value)) throw inapplicable('replace operation value must be object or array: %!w(<nil>)');
    return draft.replaceRoot(value);
  }
  const location = locationOf(draft, path, 'replace');
  if (!isReplaceable(location, run)) {
    throw inapplicable(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
  overwrite(location, value);
}

function isReplaceable(location: Location, { mayReplaceCreate }: PatchRun): boolean {
  return exists(location) || (mayReplaceCreate && !Array.isArray(location.container));
}

/** Names the operation and its path in a failure. */
function inOperation(operation: string, path: string | undefined, perform: () => void): void {
  try {
    perform();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw inapplicable(`error in ${operation} for path: '${path}': ${error.message}`);
  }
}

function move({ from, path }: JsonPatchOperation, draft: JsonPatchDocument, run: PatchRun): void {
  const source = locationOf(draft, from, 'move');
  const value = readLocation(source) ?? null;
  removeAt(source, run.mayReplaceCreate);
  insertAt(locationOf(draft, path, 'move'), value);
}

function copy({ from, path }: JsonPatchOperation, draft: JsonPatchDocument, run: PatchRun): void {
  const value = readLocation(locationOf(draft, from, 'copy')) ?? null;
  const target = locationOf(draft, path, 'copy');
  // The copy must share nothing with its source, because the document is edited in place.
  checkDepth(value);
  const copied = copyJson(value);
  spend(run, value === null ? 0 : Buffer.byteLength(goJson(copied)));
  insertAt(target, copied);
}

/** A document could be copied into itself repeatedly. */
function checkDepth(value: JsonValue | undefined, depth = 0): void {
  checkPatchDepth(depth);
  if (Array.isArray(value)) for (const element of value) checkDepth(element, depth + 1);
  else if (isJsonObject(value)) for (const child of Object.values(value)) checkDepth(child, depth + 1);
}

function spend(run: PatchRun, bytes: number): void {
  run.copiedBytes += bytes;
  if (run.copiedBytes <= run.maxCopiedBytes) return;
  const sizes = `${run.copiedBytes}, exceeding the limit ${run.maxCopiedBytes}`;
  throw inapplicable(`Unable to complete the copy, the accumulated size increase of copy is ${sizes}`);
}

function test({ path, value = null }: JsonPatchOperation, draft: JsonPatchDocument): void {
  const actual = path === '' ? draft.root : (readLocation(locationOf(draft, path, 'test')) ?? null);
  // Kubernetes compares the text of scalars.
  if (!jsonTextEquals(actual, value)) throw new FailedTest('inapplicable', `testing value ${path} failed: test failed`);
}

function locationOf(draft: JsonPatchDocument, path: string | undefined, operation: string): Location {
  if (path === undefined) throw inapplicable(`${operation} operation failed to decode path: missing value`);
  const location = draft.find(path);
  if (location !== undefined) return location;
  const shown = operation === 'replace' ? path : `"${path}"`;
  throw inapplicable(`${operation} operation does not apply: doc is missing path: ${shown}: missing value`);
}

function tooManyOperations(count: number, maxOperations: number): PatchError {
  const message = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${count}`;
  return new PatchError('too-large', message);
}
