export { aggregatedRules } from './aggregated-rules.ts';
export { aggregate, apiErrors, type GroupKind } from './api-errors.ts';
export type {
  ApiHandler,
  ApiRequest,
  ApiResponse,
  BodyMeter,
  ObjectIdentity,
  ResponseHeaders,
  ResponseStream,
  StreamSink,
  User,
} from './api-handler.ts';
export { BytesBody, UnprintedBody, type RequestBody } from './request-body.ts';
export {
  ApiError,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  type ApiStatus,
} from './api-status.ts';
export { applyConfiguration, unconvertibleResult } from './apply/apply-configuration.ts';
export { exceptFields } from './apply/field-filter.ts';
export { keepTimes, updateManagedFields } from './apply/update-managed-fields.ts';
export type { ManagedKind } from './apply/managed-kind.ts';
export { managedFieldsFault, managerName } from './apply/managers.ts';
export { atomicFields } from './apply/atomic-fields.ts';
export { mergeTyped } from './apply/merge.ts';
export { SchemaError } from './apply/schema-error.ts';
export { validateTyped } from './apply/validate-typed.ts';
export { deduced, untypedAtomic, type ListMerge, type MergeField, type MergeType } from './apply/merge-type.ts';
export { fieldPath } from './apply/path-element.ts';
export { parentEntriesOf, scaleEntriesOf, type ScaleParent } from './apply/scale-fields.ts';
export { cronScheduleProblem, CronScheduleError, parseCronSchedule, type CronSchedule } from './cron/cron-schedule.ts';
export { momentOf, timeZoneProblem, zoneOffset, type ZoneOffset } from './cron/time-zone.ts';
export { cidrContains, formatCidr, parseCidr } from './scalars/cidr.ts';
export { formatGoDuration, humanDuration, parseGoDuration } from './scalars/duration.ts';
export { byteLength, compareBytes, goFloat, quote, quoteAll, trimRight } from './go/format.ts';
export { parseGoTime, TimeError, type Instant } from './go/time.ts';
export { goUrlError } from './go/url.ts';
export { formatIp, isV4, isV6, parseIp } from './scalars/ip-address.ts';
export { copyJson, hasSortedKeys, inKeyOrder, sortedCopy, sortedKeys } from './json/copy-json.ts';
export { escapeForHtml, goJson, goJsonChunks } from './json/go-json.ts';
export { jsonEquals } from './json/json-equals.ts';
export { JsonError, JsonRangeError } from './json/json-error.ts';
export { jsonSize, jsonTextSize, maxPerCharacter, plainJsonSize } from './json/json-size.ts';
export {
  isJsonObject,
  isReadAsPrinted,
  textOf,
  JsonFloat,
  reparsedFloat,
  SpelledNumber,
  type JsonObject,
  type JsonValue,
} from './json/value.ts';
export { elementsOf, endOfValue, memberOf, membersOf, type MemberBytes } from './json/json-bytes.ts';
export { pushAll, setOwn } from './json/untrusted.ts';
export {
  parseJson,
  parsePrintedJson,
  parseSpelledJson,
  parseStoredJson,
  parseUnboundedJson,
} from './json/parse-json.ts';
export { indentJson, stringifyJson, stringifyMembers } from './json/stringify-json.ts';
export { decodeUtf8 } from './json/utf8.ts';
export { compileJsonPath, type JsonPath } from './jsonpath/json-path.ts';
export { JsonPathError } from './jsonpath/json-path-steps.ts';
export {
  apiVersionOf,
  keyText,
  nextGeneration,
  qualified,
  type GroupVersionKind,
  type Kind,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
export { once } from './once.ts';
export { onceFor } from './once-for.ts';
export { onceForEqual } from './once-for-equal.ts';
export { LruCache } from './lru-cache.ts';
export { TextSets } from './text-sets.ts';
export type {
  ApiViewer,
  BuiltinsView,
  KindOutline,
  LiveView,
  ObjectVersion,
  Outline,
  ViewChange,
} from './live-view.ts';
export {
  errorMessage,
  lineLogger,
  logLevels,
  mayWrite,
  silentLogger,
  type LineLoggerOptions,
  type LogFields,
  type Logger,
  type LogLevel,
} from './logger.ts';
export { exponentialBounds, Histogram, type Counter, type Gauge } from './metrics/series.ts';
export type { FamilyOptions, MetricFamily } from './metrics/metric-family.ts';
export { runsPerSample, SampleTurns } from './metrics/sample-turns.ts';
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
export {
  generateName,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  pathSegmentProblems,
  type NameRule,
} from './names/object-name.ts';
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
export { mustBeBetween, regexMessage } from './names/messages.ts';
export { distinctOwnerReferences } from './validation/owner-references.ts';
export { goPrint, goTypeName } from './patch/go-print.ts';
export { decodeJsonPatch, unknownJsonPatchFields } from './patch/json-patch-operation.ts';
export { applyJsonPatch, isFailedTest } from './patch/json-patch.ts';
export { applyMergePatch, mergePatchChanges, decodeMergePatch } from './patch/merge-patch.ts';
export { PatchError } from './patch/patch-error.ts';
export type { PatchField, PatchSchema, PatchStrategy } from './patch/patch-schema.ts';
export { applyStrategicMergePatch, decodeStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export { createThreeWayMergePatch, createThreeWayStrategicPatch, type ThreeWaySides } from './patch/three-way-patch.ts';
export {
  canonicalQuantity,
  parseQuantity,
  Quantity,
  QuantityError,
  quantityInGo,
  type QuantityInGo,
} from './scalars/quantity.ts';
export { shareOf } from './scalars/share.ts';
export { schemaCollectionKeywords } from './schema-collections.ts';
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
export { SelectorError } from './selector/requirement.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  isZeroTime,
  parseMicroTime,
  parseTime,
  wireTime,
} from './scalars/time.ts';
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
export { validateKubeFinalizers, validateObjectMeta, validateObjectMetaUpdate } from './validation/object-meta.ts';
export { validateWebhookClient, type WebhookClient } from './validation/webhook-client.ts';
export {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  apiServices,
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
export {
  foregroundFinalizer,
  initialEventsEndKey,
  namespaceFinalizer,
  orphanFinalizer,
  patchTypes,
  serviceAccountDirectory,
  serviceAccountNameKey,
  serviceAccountTokenType,
  standardFinalizers,
} from './well-known-names.ts';
export {
  administrator,
  anonymous,
  apiServerUser,
  authenticatedGroup,
  controllerManager,
  isMaster,
  mastersGroup,
  parseServiceAccountUserName,
  serviceAccountGroups,
  serviceAccountUser,
  serviceAccountUserName,
  unauthenticatedGroup,
  type ServiceAccountName,
} from './well-known-users.ts';
export { parseYaml, parseYamlWithLines, yamlText, type LocatedYaml } from './yaml/parse-yaml.ts';
export { printYaml } from './yaml/print-yaml.ts';
export { YamlError } from './yaml/yaml-error.ts';
