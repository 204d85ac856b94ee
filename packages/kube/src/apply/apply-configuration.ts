/** Server-side apply: merges a configuration into the live object and updates the owners of its fields. */
import { apiErrors } from '../api-errors.ts';
import type { ApiError } from '../api-status.ts';
import { compareBytes, quote } from '../go/format.ts';
import { textOf, type JsonObject } from '../json/value.ts';
import type { KubeObject } from '../object.ts';
import { andMore, firstListed, maxListed } from '../error-limits.ts';
import { wireTime } from '../scalars/time.ts';
import { withoutMetaFields } from './field-filter.ts';
import { emptySet, hasPath } from './field-set.ts';
import { fieldsOfLastApplied, withLastApplied } from './last-applied.ts';
import type { ManagedKind } from './managed-kind.ts';
import {
  decodeManagers,
  encodeManagers,
  identifierOf,
  InvalidManagedFields,
  type Manager,
  type Managers,
} from './managers.ts';
import { mapIn, type MergeType } from './merge-type.ts';
import { copyValue, mergeTyped } from './merge.ts';
import { conflictsOf, reconcileManagers, takeFields, writeBetween, type Conflict } from './ownership.ts';
import { InvalidPathElement, pathText } from './path-element.ts';
import { pruneFields } from './prune-fields.ts';
import { recordUpdate } from './record-update.ts';
import { SchemaError } from './schema-error.ts';
import { toFieldSet } from './to-field-set.ts';
import { typedObject, withoutManagedFields, type TypedObject } from './typed-object.ts';
import { validateTyped } from './validate-typed.ts';
import { equalValues } from './value-order.ts';

interface Apply {
  readonly kind: ManagedKind;
  /** Undefined if the apply creates the object. */
  readonly live: KubeObject | undefined;
  /** As sent, with apiVersion and kind. */
  readonly config: JsonObject;
  readonly manager: string;
  /** Take fields from other managers instead of failing. */
  readonly force: boolean;
  readonly now: Date;
}

/** kubectl may take over fields that its client-side apply set. */
const kubectlManager = 'kubectl';

/** The result shares nothing with `live` and `config`. */
interface AppliedConfiguration {
  /** Includes managedFields. */
  readonly object: KubeObject;
  /** Whether the merge changed a field. The object must then be decoded and defaulted. */
  readonly isChanged: boolean;
}

/** Throws the `ApiError` for the client. */
export function applyConfiguration(apply: Apply): AppliedConfiguration {
  checkConfig(apply);
  try {
    const live = typedObject(
      apply.kind,
      apply.live === undefined ? apply.kind.blank : withoutManagedFields(apply.live),
    );
    const managers = managersBefore(apply, live);
    const attempt = tryApply(apply, live, managers, apply.force);
    const applied = 'conflicts' in attempt ? afterConflicts(apply, live, managers, attempt.conflicts) : attempt;
    return { object: withManagedFields(applied, apply), isChanged: applied.isChanged };
  } catch (error) {
    throw toApiError(error);
  }
}

interface Applied {
  readonly object: JsonObject;
  readonly isChanged: boolean;
  readonly owners: Managers;
}

interface Refused {
  readonly conflicts: readonly Conflict[];
}

function checkConfig({ kind, config }: Apply): void {
  const { apiVersion, kind: kindName, metadata } = config;
  if (apiVersion !== kind.apiVersion || kindName !== kind.kind) {
    throw apiErrors.badRequest(`invalid object type: ${typeText(config)}`);
  }
  if (Array.isArray(mapIn(metadata)['managedFields'])) {
    throw apiErrors.badRequest('metadata.managedFields must be nil');
  }
}

/** The first apply to an object without managers assigns all its fields to `before-first-apply`. */
function managersBefore({ kind, live: stored, now }: Apply, live: TypedObject): Managers {
  const managers = decodeManagers(stored?.metadata.managedFields ?? [], 'store');
  if (managers.size > 0 || stored === undefined) return managers;
  const context = `failed to convert new object (${objectText(live.value)}) to smd typed`;
  check(`failed to create manager for existing fields: ${context}`, live.type, live.value, true);
  const update = { kind, manager: 'before-first-apply', now };
  return recordUpdate(update, typedObject(kind, kind.blank), live, managers);
}

function tryApply(apply: Apply, live: TypedObject, before: Managers, force: boolean): Applied | Refused {
  const { kind, config, manager: name, now } = apply;
  const { apiVersion, subresource = '', writable = (set) => set } = kind;
  const { type } = live;
  check(`failed to create typed patch object (${objectText(config)})`, type, config, false);
  check(`failed to create typed live object (${objectText(live.value)})`, type, live.value, true);

  const managers = new Map(reconcileManagers(kind, live, before));
  const applier = { name: name === '' ? 'unknown' : name, operation: 'Apply', subresource, apiVersion } as const;
  const identifier = identifierOf(applier);
  const last = managers.get(identifier);
  const fields = writable(toFieldSet(type, config));
  managers.set(identifier, { ...applier, fields });

  const merged: TypedObject = { ...live, value: mergeTyped(type, live.value, config) as JsonObject };
  const result = pruneFields(kind, merged, last, managers, fields);
  const write = writeBetween(kind, live, result);
  const conflicts = force ? [] : conflictsOf(write, managers, identifier);
  if (conflicts.length > 0) return { conflicts };

  const changed = !equalValues(live.value, result.value);
  const owners = takeFields(write, managers, identifier);
  const own = withoutMetaFields(fields);
  if (own.length === 0) owners.delete(identifier);
  else owners.set(identifier, { ...applier, fields: own, time: changed ? wireTime(now) : last?.time });
  return { object: changed ? result.value : (copyValue(live.value) as JsonObject), isChanged: changed, owners };
}

function afterConflicts(apply: Apply, live: TypedObject, managers: Managers, conflicts: readonly Conflict[]): Applied {
  const own = apply.manager === kubectlManager ? fieldsOfLastApplied(live) : emptySet;
  const others = conflicts.filter(({ path }) => !hasPath(own, path));
  const retried = others.length > 0 ? { conflicts: others } : tryApply(apply, live, managers, true);
  if ('conflicts' in retried) throw applyConflict(retried.conflicts);
  return retried;
}

function check(context: string, type: MergeType, value: JsonObject, allowDuplicates: boolean): void {
  try {
    validateTyped(type, value, { allowDuplicates });
  } catch (error) {
    throw toApiError(error, `${context}: `);
  }
}

/** Known errors become a 500 with their message, as in Kubernetes. Other errors are returned unchanged. */
function toApiError(error: unknown, context = ''): unknown {
  // A hostile object may overflow the stack.
  const isKnown = [SchemaError, InvalidManagedFields, InvalidPathElement, RangeError].some(
    (type) => error instanceof type,
  );
  return isKnown ? apiErrors.unknown(`${context}${(error as Error).message}`, { cause: error }) : error;
}

function withManagedFields({ object, owners }: Applied, { manager, config }: Apply): KubeObject {
  const annotated = manager === kubectlManager ? withLastApplied(object, config) : object;
  const managedFields = encodeManagers(owners);
  const metadata = { ...mapIn(annotated['metadata']), ...(managedFields === undefined ? {} : { managedFields }) };
  return { ...annotated, metadata } as KubeObject;
}

/** Kubernetes' message if the result of an apply cannot be decoded. */
export function unconvertibleResult(config: JsonObject, why: string): string {
  const problem = `unable to convert unstructured object to ${typeText(config)}: ${why}`;
  return `failed to convert new object (${objectText(config)}) to proper version: ${problem}`;
}

/** `default/web; apps/v1, Kind=Deployment` */
function objectText(object: JsonObject): string {
  const metadata = mapIn(object['metadata']);
  return `${textOf(metadata['namespace'])}/${textOf(metadata['name'])}; ${typeText(object)}`;
}

/** `apps/v1, Kind=Deployment`, and `/v1, Kind=Pod` in the core group. */
function typeText({ apiVersion, kind }: JsonObject): string {
  const version = textOf(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${textOf(kind)}`;
}

/** 409 with one cause for each field. */
function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts.toSorted((a, b) => compareBytes(a.identifier, b.identifier));
  const causes = firstListed(sorted).map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return apiErrors.applyConflict(messageOf(sorted), causes);
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  for (const [index, { identifier, manager, path }] of firstListed(conflicts).entries()) {
    if (conflicts[index - 1]?.identifier !== identifier) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
  }
  if (conflicts.length > maxListed) lines.push(`- ${andMore(conflicts.length - maxListed, 'fields')}`);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ name, operation, subresource, apiVersion }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return `${quote(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
