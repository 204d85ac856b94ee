import {
  apiErrors,
  parseFieldSelector,
  parseLabelSelector,
  quote,
  SelectorError,
  type FieldSelector,
  type KubeObject,
} from '@flotilla/kube';
import type { Query } from '../../request/query.ts';
import { storageName, type Resource } from '../../resources/resource.ts';
import type { Entry } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import { readEntries, type EntryReader } from '../../representation/read-entries.ts';
import { isServedAsStored, readEntryNow } from '../../representation/read-entry.ts';

/** Selects the objects of a list, a watch or a delete of a collection. Reads only headers of entries. */
export interface Filter {
  readonly isEmpty: boolean;
  readonly matches: (entry: Entry) => boolean;
  /** The storage name of the single object that the selector names: readers need not go through a large collection. */
  readonly onlyName?: string | undefined;
  /** Must be awaited before `matches` is called with these entries. Undefined if nothing has to be converted, as almost always. */
  readonly prepare?: (entries: Iterable<Entry>) => Promise<void> | undefined;
}

export const matchAll: Filter = { isEmpty: true, matches: () => true };

export function filterOf(call: Call): Filter {
  const { resource, info } = call;
  const labels = labelMatcher(info.query);
  const selector = fieldSelectorOf(resource, info);
  const converted = selector && needsConversion(resource, selector) ? convertedFields(call) : undefined;
  const fields = selector && fieldMatcher(resource, selector, converted?.fieldsOf ?? storedFields(resource));
  const name = info.name === '' ? undefined : nameMatcher(resource, info.name);
  const matchers = [labels, fields, name].filter((matcher) => matcher !== undefined);
  if (matchers.length === 0) return matchAll;
  const matches = (entry: Entry): boolean => matchers.every((matcher) => matcher(entry));
  const onlyName = selector && onlyNameOf(resource, info, selector);
  return { isEmpty: false, matches, onlyName, ...(converted && { prepare: converted.prepare }) };
}

/** Whether the selector reads fields that a webhook must convert first. */
function needsConversion({ whileConverting }: Resource, { terms }: FieldSelector): boolean {
  return whileConverting !== undefined && terms.some(({ field }) => !field.startsWith('metadata.'));
}

/** Undefined if the selector allows several names, or several namespaces. */
function onlyNameOf(resource: Resource, info: Call['info'], selector: FieldSelector): string | undefined {
  const name = selector.exactValueOf('metadata.name');
  const namespace = info.namespace || selector.exactValueOf('metadata.namespace');
  if (name === undefined || (resource.namespaced && namespace === undefined)) return undefined;
  return storageName(resource, namespace ?? '', name);
}

type Matcher = (entry: Entry) => boolean;

function labelMatcher(query: Query): Matcher | undefined {
  const text = query.get('labelSelector');
  if (text === undefined || text === '') return undefined;
  const selector = parseSelector(() => parseLabelSelector(text), '');
  return selector.isEmpty ? undefined : ({ header }) => selector.matches(header.labels);
}

function fieldSelectorOf(resource: Resource, { query, name }: Call['info']): FieldSelector | undefined {
  const text = query.get('fieldSelector');
  if (text === undefined || text === '') return undefined;
  const selector = parseSelector(() => parseFieldSelector(text), '');
  if (selector.isEmpty) return undefined;
  checkFieldLabels(resource, selector);
  if (name !== '' && selector.exactValueOf('metadata.name') !== name) {
    throw apiErrors.badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return selector;
}

function fieldMatcher(resource: Resource, selector: FieldSelector, fieldsOf: FieldsOf): Matcher {
  return (entry) => selector.matches((label) => fieldValue(resource, entry, label, fieldsOf));
}

type Fields = Readonly<Record<string, string>>;
type FieldsOf = (entry: Entry) => Fields;

const noFields: Fields = {};

/** Headers contain the fields of the stored version. For another version the object is decoded. */
function storedFields(resource: Resource): FieldsOf {
  return (entry) =>
    isServedAsStored(resource, entry) || !resource.isUnstructured
      ? (entry.header.fields ?? noFields)
      : fieldsOf(resource, readEntryNow(resource, entry));
}

export function fieldsOf({ behavior }: Resource, object: KubeObject): Fields {
  return behavior.selectableFields?.(object) ?? noFields;
}

/** Fields of objects that a webhook converts. `prepare` calls the webhook. */
function convertedFields(call: Call): {
  readonly fieldsOf: FieldsOf;
  readonly prepare: NonNullable<Filter['prepare']>;
} {
  const { resource } = call;
  const known = new WeakMap<Entry, Fields>();
  const reader: EntryReader<Fields> = {
    here: (object) => fieldsOf(resource, object),
    inWorker: (heavy, entry) => heavy.fields(call, entry),
  };
  return {
    fieldsOf: (entry) => (isServedAsStored(resource, entry) ? entry.header.fields : known.get(entry)) ?? noFields,
    prepare: (entries) => {
      const unknown = Array.from(entries).filter((entry) => !isServedAsStored(resource, entry) && !known.has(entry));
      if (unknown.length === 0) return undefined;
      return readEntries(call, unknown, reader).then((all) => {
        for (const [index, entry] of unknown.entries()) known.set(entry, all[index] ?? noFields);
      });
    },
  };
}

function parseSelector<T>(parse: () => T, prefix: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw apiErrors.badRequest(`${prefix}${error.message}`);
    throw error;
  }
}

function checkFieldLabels(resource: Resource, selector: FieldSelector): void {
  const { fieldLabels, unsupportedLabel } = resource.behavior;
  for (const { field } of selector.terms) {
    if (field === 'metadata.name' || fieldLabels?.includes(field)) continue;
    // Kinds with field labels of their own support the namespace only if they are namespaced.
    if (field === 'metadata.namespace' && (resource.namespaced || !fieldLabels)) continue;
    throw apiErrors.badRequest(
      fieldLabels
        ? (unsupportedLabel?.(field) ?? `field label not supported: ${field}`)
        : `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

function fieldValue(resource: Resource, entry: Entry, label: string, fieldsOf: FieldsOf): string {
  const { key } = entry;
  if (label === 'metadata.name') return nameOf(resource, key.name);
  if (label === 'metadata.namespace') return resource.namespaced ? key.name.slice(0, key.name.indexOf('/')) : '';
  const fields = fieldsOf(entry);
  return Object.hasOwn(fields, label) ? (fields[label] ?? '') : '';
}

function nameOf(resource: Resource, key: string): string {
  return resource.namespaced ? key.slice(key.indexOf('/') + 1) : key;
}

function nameMatcher(resource: Resource, name: string): Matcher {
  return ({ key }) => nameOf(resource, key.name) === name;
}
