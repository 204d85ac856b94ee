import {
  apiErrors,
  applyConfiguration,
  isJsonObject,
  JsonError,
  managerName,
  parseYaml,
  pushAll,
  unconvertibleResult,
  YamlError,
  yamlText,
  type ApiResponse,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import type { Representation } from '../../request/negotiate.ts';
import type { FieldValidation, WriteOptions } from '../../request/write-options.ts';
import { groupResource, type Call } from '../../call/call.ts';
import { copyObject } from './copy-object.ts';
import { createObject } from './create.ts';
import { checkName, setNamespace } from './metadata.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { converterFault } from './patch-conversion.ts';
import { expectedKindOf } from '../body/read-object.ts';
import { yamlDuplicates } from '../body/strict-problems.ts';
import { responseWhenWritten, type Written } from './store-object.ts';
import { updateObject } from './update-object.ts';

/** Server-side apply: merges the applied configuration into the live object, or creates the object. */
export async function applyPatch(
  call: Call,
  endpoint: Endpoint,
  bytes: Uint8Array,
  options: WriteOptions & { readonly force: boolean },
  representation: Representation,
): Promise<ApiResponse> {
  const { config, duplicates } = readConfig(bytes);
  const transform = (live: KubeObject | undefined, now: Date): KubeObject => {
    const manager = managerName(options.fieldManager, '');
    const applied = applyConfiguration({ kind: endpoint.managed, live, config, manager, force: options.force, now });
    warnOfDuplicates(duplicates, options.fieldValidation, call.warnings);
    return decodeApplied(call, applied.object, applied.isChanged, config);
  };
  const updating = updateObject({
    call,
    endpoint,
    options,
    mayBeUnconditional: true,
    isApply: true,
    transform,
    onMissing: () => {
      // A subresource cannot create its object.
      if (endpoint.subresource !== '') throw apiErrors.notFound(groupResource(call), call.info.name);
      return createApplied(call, transform(undefined, call.server.now()), options);
    },
  });
  return responseWhenWritten(call, updating, representation);
}

/** Applying to a name that does not exist creates the object. */
function createApplied(call: Call, object: KubeObject, options: WriteOptions): Written | Promise<Written> {
  const { uid } = object.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw apiErrors.conflict(groupResource(call), call.info.name, why);
  }
  delete object.metadata.resourceVersion;
  return createObject(call, object, options, 'owned');
}

/** An apply that changes nothing sets no defaults, so the object stays as it is stored. */
function decodeApplied(call: Call, applied: KubeObject, isChanged: boolean, config: JsonObject): KubeObject {
  const expected = expectedKindOf(call.resource);
  // The merge has already decoded a custom resource by its schema. Validation reports nulls that were applied.
  const { object, error, ownError } = call.resource.isUnstructured
    ? { object: copyObject(applied) }
    : (expected.codec.decodeConverted ?? expected.codec.decode)(applied);
  if (error !== undefined) throw apiErrors.unknown(unconvertibleResult(config, converterFault(error, ownError)));
  if (isChanged) expected.setDefaults?.(object);
  const named = { ...object, kind: applied.kind, apiVersion: applied.apiVersion };
  setNamespace(call, named);
  checkName(call, named);
  return named;
}

interface Config {
  readonly config: JsonObject;
  readonly duplicates: readonly string[];
}

export function readConfig(bytes: Uint8Array): Config {
  try {
    const { value, duplicates } = parseYaml(yamlText(bytes));
    if (isJsonObject(value)) return { config: value, duplicates };
    if (value === null) return { config: {}, duplicates };
    const kind = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'number';
    throw apiErrors.badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    if (error instanceof YamlError || error instanceof JsonError) {
      throw apiErrors.badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    }
    throw error;
  }
}

function warnOfDuplicates(duplicates: readonly string[], validation: FieldValidation, warnings: string[]): void {
  if (duplicates.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') {
    throw apiErrors.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: ${yamlDuplicates(duplicates)}`,
    );
  }
  pushAll(warnings, duplicates);
}
