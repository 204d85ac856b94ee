export { unknownFieldText, type DecodeProblems } from './decode/decode-problems.ts';
export { decodeTyped, emptyObject, type Decoded, type DecodeOptions } from './decode/decode-typed.ts';
export { inWireOrder } from './encode/wire-order.ts';
export type { Cell, ColumnDefinition, Columns, KindBehavior, SubresourceBehavior, WriteContext } from './kind.ts';
export { allKinds } from './kinds/all.ts';
export { autoscalerToV1, autoscalerToV2 } from './kinds/autoscaling/autoscaler-conversion.ts';
export { scaleKind } from './kinds/autoscaling/scale.ts';
export {
  addDefaultTolerations,
  keepPriority,
  resolvePriority,
  type PriorityClasses,
  type PriorityClassFields,
} from './kinds/core-pods/admission.ts';
export { podGracePeriod } from './kinds/core-pods/graceful-deletion.ts';
export { bindPod, type BindingFields } from './kinds/core-pods/pod-binding.ts';
export {
  isOutsideBudgets,
  isUncounted,
  markEvicted,
  type DisruptionBudgetFields,
} from './kinds/core-pods/pod-eviction.ts';
export { setPodCondition } from './kinds/core-pods/pod-condition.ts';
export type { PodFields } from './kinds/core-pods/pod-fields.ts';
export {
  applyRuntimeClass,
  overheadRefusal,
  type RuntimeClassFields,
} from './kinds/core-pods/runtime-class-admission.ts';
export { toCoreEvent, toEventsEvent } from './kinds/events/event-conversion.ts';
export {
  planServiceCreate,
  planServiceUpdate,
  type AllocationOptions,
  type AllocationPlan,
} from './kinds/core/service-allocation.ts';
export { serviceOf } from './kinds/core/service-fields.ts';
export {
  claimsOf,
  defaultServiceNetwork,
  ServiceNetwork,
  type ServiceClaims,
  type ServiceNetworkOptions,
} from './kinds/core/service-network.ts';
export { kindDescription } from './kind-descriptions.ts';
export { defaultServiceCidr, ipAddressFor } from './kinds/networking/service-addresses.ts';
export { mergeTypeOf } from './merge/merge-type-of.ts';
export { patchSchemaOf } from './merge/patch-schema-of.ts';
export { openApiDefinitions, openApiSchemas, schemasOf, type SchemaOptions } from './openapi/open-api-schemas.ts';
export type { OpenApiForm, OpenApiSchema } from './openapi/open-api-schema.ts';
export {
  decodeProtobuf,
  decodeWatchEvent,
  encodeProtobuf,
  encodeWatchEvent,
  type DecodedProtobuf,
  type WatchEventMessage,
} from './protobuf/protobuf-objects.ts';
export { LENGTH_DELIMITED, ProtobufError, ProtobufObjectError, VARINT } from './protobuf/proto-reader.ts';
export { ProtoWriter } from './protobuf/proto-writer.ts';
export { findResource, servedGroupVersions, servedResources } from './resources.ts';
export type {
  ResourceStorage,
  ServedGroupVersion,
  ServedResource,
  ServedSubresource,
} from './resources/served-resource.ts';
export type { GoType } from './table/go-type.ts';
export type { Field, StructType } from './table/struct-type.ts';
export { structType, typeOfKind } from './table/type-table.ts';
