/**
 * The core group accepts nearly everything, for the sake of old clients. events.k8s.io requires the newer fields, and
 * lets only the series change. Both report field names of the core group, except for the reporter.
 */
import {
  byteLength,
  invalid,
  nameIsPathSegment,
  pushAll,
  qualifiedNameProblems,
  required,
  validateObjectMeta,
  type FieldError,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { coreEventOf, referenceInGo, type CoreEvent } from './event-fields.ts';

/** Validates metadata only if nothing else is wrong: Kubernetes leaves it to the validation that all kinds share. */
export function validateCoreEvent(object: KubeObject): FieldError[] {
  const errors = validateLegacy(object, 'reportingComponent');
  return errors.length > 0 ? errors : validateObjectMeta(object.metadata, metadataRules);
}

export function validateCoreEventUpdate(object: KubeObject): FieldError[] {
  return validateLegacy(object, 'reportingComponent');
}

const metadataRules = { isNamespaced: true, nameRule: nameIsPathSegment, allowsShortFinalizers: true };

export function validateNewEvent(object: KubeObject): FieldError[] {
  const { type = '', firstTimestamp, lastTimestamp, count = 0, source = {}, eventTime } = coreEventOf(object);
  const unset = (field: string) => invalid(field, '', 'needs to be unset');
  const errors = [...validateLegacy(object, 'reportingController'), ...validateSeries(coreEventOf(object))];
  if (!eventTime) errors.push(required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${type}`));
  if (firstTimestamp) errors.push(unset('firstTimestamp'));
  if (lastTimestamp) errors.push(unset('lastTimestamp'));
  if (count !== 0) errors.push(unset('count'));
  if (source.component || source.host) errors.push(unset('source'));
  return errors;
}

export function validateNewEventUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const event = coreEventOf(object);
  const before = coreEventOf(old);
  const errors = validateLegacy(object, 'reportingController');
  if (!sameFields(event.series, before.series)) pushAll(errors, validateSeries(event));
  for (const [field, read] of immutableFields) {
    const value = read(event);
    if (!sameFields(value, read(before))) errors.push(immutable(field, value));
  }
  return errors;
}

/** Times compare with microsecond precision, as their text has it. */
const immutableFields: readonly (readonly [string, (event: CoreEvent) => JsonValue])[] = [
  ['involvedObject', ({ involvedObject = {} }) => referenceInGo(involvedObject)],
  ['reason', ({ reason = '' }) => reason],
  ['message', ({ message = '' }) => message],
  ['source', ({ source = {} }) => ({ Component: source.component ?? '', Host: source.host ?? '' })],
  ['firstTimestamp', ({ firstTimestamp = null }) => firstTimestamp],
  ['lastTimestamp', ({ lastTimestamp = null }) => lastTimestamp],
  ['count', ({ count = 0 }) => count],
  // Kubernetes checks the reason twice.
  ['reason', ({ reason = '' }) => reason],
  ['type', ({ type = '' }) => type],
  ['eventTime', ({ eventTime = null }) => eventTime],
  ['action', ({ action = '' }) => action],
  ['related', ({ related }) => (related === undefined ? null : referenceInGo(related))],
  ['reportingController', ({ reportingComponent = '' }) => reportingComponent],
  ['reportingInstance', ({ reportingInstance = '' }) => reportingInstance],
];

function immutable(field: string, value: JsonValue): FieldError {
  return invalid(field, value, 'field is immutable');
}

function validateLegacy(object: KubeObject, reporterField: string): FieldError[] {
  const event = coreEventOf(object);
  const about = event.involvedObject?.namespace ?? '';
  const errors: FieldError[] = [];
  if (!isNamespaceOf(event, object.metadata.namespace ?? '')) {
    errors.push(invalid('involvedObject.namespace', about, 'does not match event.namespace'));
  }
  return event.eventTime ? [...errors, ...validateReport(event, reporterField)] : errors;
}

/** Events about cluster-scoped objects belong to `default`; newer ones also to `kube-system`. */
function isNamespaceOf({ involvedObject, eventTime }: CoreEvent, namespace: string): boolean {
  const about = involvedObject?.namespace ?? '';
  if (eventTime) return about !== '' || namespace === 'default' || namespace === 'kube-system';
  return about === '' ? namespace === '' || namespace === 'default' : namespace === about;
}

function validateReport(event: CoreEvent, reporterField: string): FieldError[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event;
  const errors: FieldError[] = [];
  if (reportingComponent === '') errors.push(required(reporterField));
  pushAll(errors, invalids(reporterField, reportingComponent, qualifiedNameProblems(reportingComponent)));
  for (const [field, value] of Object.entries({ reportingInstance, action, reason })) {
    if (value === '') errors.push(required(field));
    else pushAll(errors, atMost(128, field, value));
  }
  return [...errors, ...atMost(1024, 'message', message)];
}

function atMost(limit: number, field: string, value: string): FieldError[] {
  return byteLength(value) > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];
}

function validateSeries({ series }: CoreEvent): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime'));
  return errors;
}
