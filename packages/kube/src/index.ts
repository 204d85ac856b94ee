export type {
  ApiHandler,
  ApiRequest,
  ApiResponse,
  ResponseHeaders,
  ResponseStream,
  StreamSink,
  User,
} from './api-handler.ts';
export { aggregate, apiErrors, type GroupKind, type GroupResource } from './api-errors.ts';
export { ApiError, failure, type ApiStatus, type StatusCause, type StatusDetails } from './api-status.ts';
export type { ListMerge, MapMerge, MergeField, MergeType } from './apply/merge-type.ts';
export { formatGoDuration, parseGoDuration, type Nanoseconds } from './duration.ts';
export { byteLength, compareBytes, goSyntaxOf, quote, quoteAll } from './go-format.ts';
export { escapeForHtml, goJson, type GoJsonOptions } from './json/go-json.ts';
export { JsonError } from './json/json-error.ts';
export { MAX_DEPTH, parseJson, type ParsedJson } from './json/parse-json.ts';
export { parseStoredJson } from './json/parse-stored-json.ts';
export { indentJson, stringifyJson } from './json/stringify-json.ts';
export { decodeUtf8 } from './json/utf8.ts';
export { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from './json/value.ts';
export {
  apiVersionOf,
  qualified,
  type GroupVersionKind,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
export type { PatchField, PatchSchema, PatchStrategy } from './patch/patch-schema.ts';
export * from './validation/field-error.ts';
