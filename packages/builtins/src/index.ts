export { decodeTyped, emptyObject } from './decode/decode-typed.ts';
export { inWireOrder } from './encode/wire-order.ts';
export type {
  Cell,
  ColumnDefinition,
  Columns,
  DeviceSelectorFault,
  ExpressionChecker,
  ExpressionFault,
  ExpressionUse,
  StartChecking,
  KindBehavior,
  SubresourceBehavior,
  WriteContext,
} from './kind.ts';
export { allKinds } from './kinds/all.ts';
export {
  accessReviewSpec,
  type AccessReviewSpec,
  type ResourceAttributes,
  type SelectorAttributes,
} from './kinds/authorization/access-review.ts';
export { autoscalerToV1, autoscalerToV2 } from './kinds/autoscaling/autoscaler-conversion.ts';
export { scaleKind } from './kinds/autoscaling/scale.ts';
export {
  addDefaultTolerations,
  keepPriority,
  resolvePriority,
  type PriorityClasses,
  type PriorityClassFields,
} from './kinds/core-pods/admission/admission.ts';
export {
  certificateRequestProblem,
  readCertificateRequest,
  type CertificateRequest,
} from './kinds/certificates/certificate-request.ts';
export type { CsrCondition, CsrFields } from './kinds/certificates/csr-validation.ts';
export { derBitString, DerError, derSequence, expectDer, readDer } from './kinds/certificates/der.ts';
export type { ContainerFields, HandlerFields } from './kinds/core-pods/container-fields.ts';
export { neededFeatures } from './kinds/core-pods/needed-features.ts';
export { bindPod, podGracePeriod, setPodCondition, type BindingFields } from './kinds/core-pods/pod-life.ts';
export type { PodFields, PodSpecFields, PodTemplateFields, ResourceList } from './kinds/core-pods/pod-fields.ts';
export { isRefusedPrivilege } from './kinds/core-pods/pod-validation/checks.ts';
export { aggregateResources } from './kinds/core-pods/resource-lists.ts';
export {
  applyRuntimeClass,
  overheadRefusal,
  type RuntimeClassFields,
} from './kinds/core-pods/admission/runtime-class-admission.ts';
export { putAllSorted, putSorted } from './kinds/sorted-map.ts';
export type { VolumeFields } from './kinds/core-pods/volume-fields.ts';
export { attributesClassesOf } from './kinds/core-volumes/attributes-classes.ts';
export { planServiceCreate, planServiceUpdate } from './kinds/core-services/service-allocation.ts';
export { serviceOf } from './kinds/core-services/service-fields.ts';
export { claimsOf, defaultServiceNetwork, ServiceNetwork } from './kinds/core-services/service-network.ts';
export { toCoreEvent, toEventsEvent } from './kinds/events/event-conversion.ts';
export type { ScopeRequirement } from './kinds/core/resource-quota.ts';
export { ipAddressFor } from './kinds/networking/ip-address.ts';
export type { PolicyRule } from './kinds/rbac/role.ts';
export type { Subject } from './kinds/rbac/role-binding.ts';
export { mergeTypeOf } from './merge/merge-type-of.ts';
export { patchSchemaOf } from './merge/patch-schema-of.ts';
export type { OpenApiSchema } from './openapi/model-schema.ts';
export { clientApiVersions, openApiDefinitions, openApiSchemas, schemasOf } from './openapi/open-api-schemas.ts';
export {
  fixed64Wire,
  lengthDelimitedWire,
  ProtobufError,
  ProtobufObjectError,
  varintWire,
} from './protobuf/proto-reader.ts';
export { ProtoWriter } from './protobuf/proto-writer.ts';
export {
  decodeProtobuf,
  encodeProtobuf,
  encodeWatchEvent,
  protobufListParts,
  type ProtobufListParts,
} from './protobuf/protobuf-objects.ts';
export {
  servedResources,
  storageVersionHash,
  type ServedResource,
  type ServedSubresource,
} from './resources/served-resource.ts';
export { isStoredBuiltin, storedKinds, type StoredKind } from './resources/stored-kinds.ts';
export {
  addAmounts,
  areEqualAmounts,
  increaseOf,
  noAmounts,
  onlyNamed,
  parseAmounts,
  printAmounts,
  type Amounts,
} from './quota/amounts.ts';
export {
  quotaEvaluatorOf,
  type CountedWrite,
  type QuotaEvaluator,
  type ResourceNames,
  type UsageContext,
} from './quota/evaluator.ts';
export { podReleaseTime } from './quota/pod-evaluator.ts';
export { matchesScopes, scopesOf, usageOfQuota, type QuotaFields } from './quota/quota-usage.ts';
export type { StructType } from './table/struct-type.ts';
export { structType, typeOfKind } from './table/type-table.ts';
