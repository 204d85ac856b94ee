export type { ApiHandler, ApiRequest, ApiResponse, ResponseHeaders, ResponseStream, StreamSink, User } from './api-handler.ts';
export type { ListMerge, MapMerge, MergeField, MergeType } from './apply/merge-type.ts';
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
