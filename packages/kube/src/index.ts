export { aggregatedRules } from './aggregated-rules.ts';
export { aggregate, apiErrors, type GroupKind } from './api-errors.ts';
export type {
  ApiHandler,
  ApiRequest,
  ApiResponse,
  BodyMeter,
  ResponseHeaders,
  ResponseStream,
  StreamSink,
  User,
} from './api-handler.ts';
export { ApiError, type ApiStatus } from './api-status.ts';
export { applyConfiguration, unconvertibleResult } from './apply/apply-configuration.ts';
export { exceptFields } from './apply/field-filter.ts';
export { keepTimes } from './apply/keep-times.ts';
export type { ManagedKind } from './apply/managed-kind.ts';
export { managerName } from './apply/manager-name.ts';
export { deduced, untypedAtomic, type ListMerge, type MergeField, type MergeType } from './apply/merge-type.ts';
export { fieldPath } from './apply/path-element.ts';
export { parentEntriesOf, scaleEntriesOf, type ScaleParent } from './apply/scale-fields.ts';
export { updateManagedFields } from './apply/update-managed-fields.ts';
export { cidrContains, formatCidr, parseCidr } from './cidr.ts';
export { formatGoDuration, parseGoDuration } from './duration.ts';
export { byteLength, compareBytes, goFloat, quote, quoteAll } from './go-format.ts';
export { parseGoTime, TimeError, type Instant } from './go-time.ts';
export { goUrlError } from './go-url.ts';
export { humanDuration } from './human-duration.ts';
export { formatIp, isV4, isV6, parseIp } from './ip-address.ts';
export { copyJson } from './json/copy-json.ts';
export { escapeForHtml, goJson } from './json/go-json.ts';
export { jsonEquals } from './json/json-equals.ts';
export { JsonError, JsonRangeError } from './json/json-error.ts';
export { reparsedFloat } from './json/json-number.ts';
export { elementsOf, endOfValue, memberOf, membersOf, type MemberBytes } from './json/json-bytes.ts';
export { setOwn } from './json/own-property.ts';
export { parseJson } from './json/parse-json.ts';
export { parseStoredJson } from './json/parse-stored-json.ts';
export { hasSortedKeys, sortedCopy } from './json/sorted-keys.ts';
export { indentJson, stringifyJson } from './json/stringify-json.ts';
export { decodeUtf8 } from './json/utf8.ts';
export { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from './json/value.ts';
export { compileJsonPath, type JsonPath } from './jsonpath/json-path.ts';
export { JsonPathError } from './jsonpath/json-path-error.ts';
export { keyText, type Kind, type ObjectKey } from './kind.ts';
export type { ApiViewer, LiveView, Outline, ViewChange } from './live-view.ts';
export { lineLogger, logLevels, type LineLoggerOptions, type LogLevel } from './line-logger.ts';
export { silentLogger, type LogFields, type Logger } from './logger.ts';
export type { Counter } from './metrics/counter.ts';
export type { Gauge } from './metrics/gauge.ts';
export { exponentialBounds, type Histogram } from './metrics/histogram.ts';
export type { FamilyOptions, MetricFamily } from './metrics/metric-family.ts';
export { metricsContentType, MetricsRegistry } from './metrics/metrics-registry.ts';
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  dns1123SubdomainWithUnderscoreProblems,
  maxSubdomainLength,
  wildcardSubdomainProblems,
} from './names/dns.ts';
export {
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from './names/domain.ts';
export { generateName } from './names/generate-name.ts';
export {
  cIdentifierProblems,
  configMapKeyProblems,
  environmentVariableProblems,
  groupIdProblems,
  httpHeaderNameProblems,
  percentProblems,
  portNameProblems,
  portNumberProblems,
  userIdProblems,
} from './names/identifier.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label.ts';
export {
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  pathSegmentProblems,
} from './names/object-name.ts';
export { mustBeBetween, regexSentence } from './names/sentence.ts';
export { nextGeneration } from './next-generation.ts';
export {
  apiVersionOf,
  qualified,
  type GroupVersionKind,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
export { distinctOwnerReferences } from './owner-references.ts';
export { goPrint, goTypeName } from './patch/go-print.ts';
export { decodeJsonPatch, unknownJsonPatchFields } from './patch/json-patch-operation.ts';
export { applyJsonPatch } from './patch/json-patch.ts';
export { applyMergePatch, decodeMergePatch } from './patch/merge-patch.ts';
export { PatchError } from './patch/patch-error.ts';
export type { PatchField, PatchSchema, PatchStrategy } from './patch/patch-schema.ts';
export { applyStrategicMergePatch, decodeStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export { createThreeWayMergePatch } from './patch/three-way-merge-patch.ts';
export type { ThreeWaySides } from './patch/three-way-sides.ts';
export { createThreeWayStrategicPatch } from './patch/three-way-strategic-patch.ts';
export { pushAll } from './push-all.ts';
export { canonicalQuantity, parseQuantity, Quantity, QuantityError } from './quantity.ts';
export { FieldSelector, parseFieldSelector } from './selector/field-selector.ts';
export {
  labelSelectorFrom,
  labelSelectorFromLabels,
  printLabelSelector,
  validateLabelSelector,
  type LabelSelectorObject,
} from './selector/label-selector-object.ts';
export { LabelSelector } from './selector/label-selector.ts';
export { parseLabelSelector } from './selector/parse-label-selector.ts';
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
export {
  duplicate,
  fieldErrorText,
  forbidden,
  internalFieldError,
  invalid,
  invalidUnprinted,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type FieldError,
} from './validation/field-error.ts';
export {
  validateCidr,
  validateCidrSpelling,
  validateIp,
  validateIpSpelling,
  warningsForCidr,
  warningsForIp,
} from './validation/ip.ts';
export { validateAnnotations, validateLabels } from './validation/labels.ts';
export { validateFieldManager } from './validation/managed-fields.ts';
export { validateObjectMeta, validateObjectMetaUpdate } from './validation/object-meta.ts';
export { validateWebhookClient, type WebhookClient } from './validation/webhook-client.ts';
export {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  events,
  leases,
  namespaces,
  nodes,
  pods,
  rbacGroup,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  type ClusterRole,
  type ConfigMap,
  type Lease,
  type LeaseSpec,
  type Namespace,
  type NamespaceCondition,
  type PolicyRule,
  type Role,
  type RoleBinding,
  type Secret,
  type ServiceAccount,
  type Subject,
} from './well-known-kinds.ts';
export { wireTime } from './wire-time.ts';
export { parseYaml } from './yaml/parse-yaml.ts';
export { printYaml } from './yaml/print-yaml.ts';
export { YamlError } from './yaml/yaml-error.ts';
export { yamlText } from './yaml/yaml-text.ts';
