import {
  ApiError,
  apiErrors,
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  copyJson,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  decodeUtf8,
  goPrint,
  invalid,
  isJsonObject,
  JsonError,
  JsonRangeError,
  parseJson,
  parsePrintedJson,
  parseSpelledJson,
  PatchError,
  patchTypes,
  pushAll,
  quote,
  unknownJsonPatchFields,
  type ApiResponse,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type RequestBody,
} from '@flotilla/kube';
import { patchOptions, type WriteOptions } from '../../request/write-options.ts';
import type { Codec } from '../../resources/resource.ts';
import { missingKind, typeMetaFault } from '../../resources/type-meta.ts';
import { applyPatch } from './apply.ts';
import { groupResource, type Call } from '../../call/call.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { converterFault } from './patch-conversion.ts';
import { readBody } from '../body/read-body.ts';
import { objectsOnPaths, patchedText } from './patched-text.ts';
import { expectedKindOf, keepManagedFieldsReset, kindFault, type ExpectedKind } from '../body/read-object.ts';
import { unknownField } from '../body/strict-problems.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { responseWhenWritten } from './store-object.ts';
import { withManagedFields } from './managed-fields.ts';
import { checkName, setNamespace } from './metadata.ts';
import { updateObject } from './update-object.ts';

export async function patch(call: Call, endpoint: Endpoint): Promise<ApiResponse> {
  const type = patchTypeOf(call, call.resource.codec);
  const representation = objectRepresentation(call);
  const body = await readBody(call);
  call.audit?.setRequestPatch(body.bytes);
  const options = patchOptions(call.info.query, type === patchTypes.apply);
  if (type === patchTypes.apply) return applyPatch(call, endpoint, body.bytes, options, representation);

  const expected = expectedKindOf(call.resource);
  const change = readPatch(type, body, expected, options);
  const updating = updateObject({
    call,
    endpoint,
    options,
    oversize: 'drop-managers',
    mayBeUnconditional: true,
    transform: (old, now, isReread) => {
      const object = change(old, call.warnings);
      setNamespace(call, object);
      checkName(call, object);
      return withManagedFields(call, { endpoint, live: old, object, options, now, isReread });
    },
    onMissing: () => {
      throw apiErrors.notFound(groupResource(call), call.info.name);
    },
  });
  return responseWhenWritten(call, updating, representation);
}

/** For built-in kinds, Go's HTTP library answers before Kubernetes does, with another message. */
export function patchTypeOf({ request }: Call, codec: Pick<Codec, 'patchSchema'>): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1).map((head) => head.trim());
  const accepted: readonly string[] = codec.patchSchema
    ? [patchTypes.json, patchTypes.merge, patchTypes.strategic, patchTypes.apply]
    : [patchTypes.json, patchTypes.merge, patchTypes.apply];
  if (accepted.includes(type)) return type;
  if (codec.patchSchema) throw apiErrors.unsupportedAtPath();
  throw apiErrors.unsupportedMediaType(accepted);
}

type Change = (old: KubeObject, warnings: string[]) => KubeObject;

/** Returns a function that applies the patch; a retried write calls it again. */
export function readPatch(type: string, body: RequestBody, expected: ExpectedKind, options: WriteOptions): Change {
  const { fieldValidation } = options;
  const isStrict = fieldValidation !== 'Ignore';
  // Kubernetes reports a malformed patch only if the object exists, so parsing waits.
  let parsed: ReturnType<typeof parseJson> | undefined;
  return (old, warnings) => {
    const { value, duplicates } = (parsed ??= parsedPatch(body, type, isStrict));
    const result = patchedValue(type, old, value, expected, isStrict);
    const { patched } = result;
    if (!isJsonObject(patched)) throw invalidPatchResult(result, notAnObject(patched));
    if (expected.isUnstructured === true) checkHasKind(result, patched);
    else if (type !== patchTypes.strategic) checkKindUnchanged(result, patched, expected);
    const { decode, decodeConverted = decode } = expected.codec;
    const decoded = type === patchTypes.strategic ? decodeConverted(patched) : decode(patched);
    keepManagedFieldsReset(patched, decoded.object);
    if (decoded.error !== undefined) {
      const { error, ownError } = decoded;
      throw invalidPatchResult(result, type === patchTypes.strategic ? converterFault(error, ownError) : error);
    }
    const prefix = type === patchTypes.json ? 'json patch ' : '';
    const problems = isStrict
      ? [
          ...inPatchOrder([
            ...duplicates.map((path) => `${prefix}duplicate field ${quote(path)}`),
            ...(type === patchTypes.json ? unknownJsonPatchFields(value).map((text) => `json patch ${text}`) : []),
          ]),
          ...decoded.unknownFields.map(unknownField),
        ]
      : [];
    if (problems.length > 0 && fieldValidation === 'Strict') {
      throw invalidPatchResult(result, `strict decoding error: ${problems.join(', ')}`);
    }
    pushAll(warnings, problems);
    expected.setDefaults?.(decoded.object);
    return decoded.object;
  };
}

/** Sorts problems by the index of their operation. */
function inPatchOrder(problems: readonly string[]): string[] {
  const operationOf = (problem: string): number => Number(/"\[(\d+)\]/.exec(problem)?.[1] ?? 0);
  return problems.toSorted((a, b) => operationOf(a) - operationOf(b));
}

/** A JSON patch or a merge patch must not change the kind. */
function checkKindUnchanged(result: Patched, { apiVersion, kind }: JsonObject, expected: ExpectedKind): void {
  if (kind === expected.kind && apiVersion === apiVersionOf(expected)) return;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return;
  const why = kindFault({ apiVersion, kind }, expected);
  if (why !== undefined) throw invalidPatchResult(result, why);
}

/** A patched custom resource must have kind and apiVersion. */
function checkHasKind(result: Patched, patched: JsonObject): void {
  const wrong = typeMetaFault(patched);
  if (wrong !== undefined) throw invalidPatchResult(result, `couldn't get version/kind; json parse error: ${wrong}`);
  if (!patched['kind']) throw invalidPatchResult(result, missingKind(result.shown));
  if (!patched['apiVersion']) {
    throw apiErrors.internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
}

interface Patched {
  readonly patched: JsonValue;
  /** For error messages, printed when one needs it: the patched object, or for strategic patches the patch as Go prints maps. */
  readonly shown: string;
}

function patchedValue(
  type: string,
  old: KubeObject,
  value: JsonValue,
  expected: ExpectedKind,
  strict: boolean,
): Patched {
  try {
    switch (type) {
      case patchTypes.json:
        return shownAsJson(applyJsonPatch(old, decodeJsonPatch(value, strict)), objectsOnPaths(value));
      case patchTypes.merge:
        return shownAsJson(applyMergePatch(old, decodeMergePatch(value, strict)), value);
      default: {
        const patchMap = decodeStrategicMergePatch(value);
        const schema = expected.codec.patchSchema?.();
        if (!schema) throw apiErrors.unsupportedAtPath();
        const patched = applyStrategicMergePatch(old, patchMap, schema);
        return {
          patched,
          get shown() {
            return goPrint(patchMap);
          },
        };
      }
    }
  } catch (error) {
    throw error instanceof PatchError ? refusalOf(error) : error;
  }
}

function shownAsJson(patched: JsonValue, visited: JsonValue): Patched {
  return {
    patched,
    get shown() {
      return patchedText(patched, visited);
    },
  };
}

function refusalOf(error: PatchError): ApiError {
  switch (error.fault) {
    case 'malformed':
      return apiErrors.badRequest(error.message);
    case 'too-large':
      return apiErrors.requestEntityTooLarge(error.message);
    case 'inapplicable':
      return apiErrors.rejected();
    case 'unexpected':
      return apiErrors.unknown(error.message);
  }
}

function parsedPatch(body: RequestBody, type: string, strict: boolean): ReturnType<typeof parseJson> {
  const { value } = body;
  // Parts of the patch become parts of the object.
  if (value !== undefined) return { value: copyJson(value), duplicates: [] };
  try {
    const text = decodeUtf8(body.bytes);
    // Go decodes a strategic merge patch into maps, which lose the spelling of numbers.
    const exact = type === patchTypes.strategic ? parseJson : parseSpelledJson;
    return body.isPrinted ? parsePrintedJson(text, exact) : exact(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (type === patchTypes.strategic || !strict) throw apiErrors.badRequest(error.message);
    const isInValue = type === patchTypes.json && error instanceof JsonRangeError;
    const why = isInValue ? error.message.replace('Go value', 'Go struct field jsonPatchOp.value') : error.message;
    throw apiErrors.badRequest(`error decoding patch: ${why}`);
  }
}

/** The patch applies, but its result is not a valid object. */
function invalidPatchResult({ shown }: Patched, why: string): ApiError {
  return apiErrors.invalid({ kind: '', group: '' }, '', [invalid('patch', shown, why)]);
}

function notAnObject(value: JsonValue): string {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'number';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}
