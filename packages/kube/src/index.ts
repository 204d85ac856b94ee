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
export { applyConfiguration, type Apply } from './apply/apply-configuration.ts';
export { exceptFields, onlyFields, type FieldFilter } from './apply/field-filter.ts';
export { keepTimes } from './apply/keep-times.ts';
export type { ManagedKind } from './apply/managed-kind.ts';
export { managerName } from './apply/manager-name.ts';
export {
  deduced,
  untypedAtomic,
  type ListMerge,
  type MapMerge,
  type MergeField,
  type MergeType,
} from './apply/merge-type.ts';
export { fieldPath, type FieldPath } from './apply/path-element.ts';
export { parentEntriesOf, scaleEntriesOf, type ScaleParent } from './apply/scale-fields.ts';
export { updateManagedFields, type FieldUpdate } from './apply/update-managed-fields.ts';
export { cidrContains, formatCidr, formatInterfaceAddress, hasBitsBeyondPrefix, parseCidr, type Cidr } from './cidr.ts';
export {
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
  type Condition,
  type ConditionStatus,
  type ConditionUpdate,
} from './condition.ts';
export { formatGoDuration, parseGoDuration, type Nanoseconds } from './duration.ts';
export { byteLength, compareBytes, goSyntaxOf, quote, quoteAll } from './go-format.ts';
export { TimeError, type Instant } from './go-time.ts';
export { humanDuration, shortHumanDuration } from './human-duration.ts';
export { intValue, percentIn, resolveIntOrPercent, type IntOrString } from './int-or-string.ts';
export { equalIps, formatIp, isV4, isV4InV6, isV6, parseIp, type IpAddress } from './ip-address.ts';
export { escapeForHtml, goJson, type GoJsonOptions } from './json/go-json.ts';
export { JsonError } from './json/json-error.ts';
export { MAX_DEPTH, parseJson, type ParsedJson } from './json/parse-json.ts';
export { parseStoredJson } from './json/parse-stored-json.ts';
export { indentJson, stringifyJson } from './json/stringify-json.ts';
export { decodeUtf8 } from './json/utf8.ts';
export { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from './json/value.ts';
export * from './names/dns.ts';
export * from './names/domain.ts';
export { generateName } from './names/generate-name.ts';
export * from './names/identifier.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label.ts';
export {
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  pathSegmentProblems,
  type NameRule,
} from './names/object-name.ts';
export { atMostBytes, atMostCharacters, MUST_BE_NON_EMPTY, mustBeBetween, regexSentence } from './names/sentence.ts';
export {
  apiVersionOf,
  qualified,
  type GroupVersionKind,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
export { distinctOwnerReferences, type DistinctOwners } from './owner-references.ts';
export { goPrint } from './patch/go-print.ts';
export { applyJsonPatch, jsonPatchLimits, type JsonPatchLimits } from './patch/json-patch.ts';
export { decodeJsonPatch, unknownJsonPatchFields, type JsonPatchOperation } from './patch/json-patch-operation.ts';
export { applyMergePatch, decodeMergePatch } from './patch/merge-patch.ts';
export { deepCopy as copyJson, jsonEquals } from './patch/json-tree.ts';
export { PatchError, type PatchFault } from './patch/patch-error.ts';
export type { PatchField, PatchSchema, PatchStrategy } from './patch/patch-schema.ts';
export { applyStrategicMergePatch, decodeStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export { pushAll } from './push-all.ts';
export type { QuantityFormat } from './quantity-suffix.ts';
export { canonicalQuantity, parseQuantity, Quantity, QuantityError } from './quantity.ts';
export {
  escapeFieldValue,
  FieldSelector,
  parseFieldSelector,
  type FieldLookup,
  type FieldTerm,
} from './selector/field-selector.ts';
export {
  labelSelectorFrom,
  labelSelectorFromLabels,
  printLabelSelector,
  validateLabelSelector,
  type LabelSelectorExpression,
  type LabelSelectorObject,
  type LabelSelectorValidation,
} from './selector/label-selector-object.ts';
export { LabelSelector } from './selector/label-selector.ts';
export { parseLabelSelector } from './selector/parse-label-selector.ts';
export { newRequirement, type Labels, type Requirement, type RequirementOperator } from './selector/requirement.ts';
export { SelectorError } from './selector/selector-error.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  isZeroTime,
  parseMicroTime,
  parseTime,
} from './time.ts';
export * from './validation/field-error.ts';
export * from './validation/ip.ts';
export { MAX_ANNOTATION_BYTES, validateAnnotations, validateLabelName, validateLabels } from './validation/labels.ts';
export { validateFieldManager, validateManagedFields } from './validation/managed-fields.ts';
export {
  FIELD_IS_IMMUTABLE,
  validateFinalizers,
  validateNonNegative,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateShortFinalizers,
  type ObjectMetaRules,
} from './validation/object-meta.ts';
export { validateOwnerReferences } from './validation/owner-references.ts';
export type { ParsedYaml } from './yaml/document-builder.ts';
export { parseYaml } from './yaml/parse-yaml.ts';
export { printYaml } from './yaml/print-yaml.ts';
export { YamlError } from './yaml/yaml-error.ts';
export { yamlText } from './yaml/yaml-text.ts';
