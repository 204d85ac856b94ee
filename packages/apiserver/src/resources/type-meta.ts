/** Go's errors about the kind and apiVersion of a JSON value, which Kubernetes reads before anything else. */
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';

/** The Go type in the error about a value that is no object. */
const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The error about a value that is no object, or whose kind or apiVersion is no string. */
export function unreadableTypeMeta(value: JsonValue): string | undefined {
  const problem = isJsonObject(value)
    ? typeMetaFault(value)
    : `json: cannot unmarshal ${goKindOf(value)} into Go value of type ${typeMetaStruct}`;
  return problem && `couldn't get version/kind; json parse error: ${problem}`;
}

/** Go's error about a kind or apiVersion that is no string. */
export function typeMetaFault(object: JsonObject): string | undefined {
  return stringFault(object, 'apiVersion', '.apiVersion') ?? stringFault(object, 'kind', '.kind');
}

function stringFault(object: JsonObject, field: string, goPath: string): string | undefined {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  if (value === undefined || value === null || typeof value === 'string') return undefined;
  return `json: cannot unmarshal ${goKindOf(value)} into Go struct field ${goPath} of type string`;
}

function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'number';
}

/** The error about an apiVersion with several slashes. */
export function groupVersionFault(apiVersion: string): string | undefined {
  return apiVersion.split('/', 3).length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

export function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}
