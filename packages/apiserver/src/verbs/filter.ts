import {
  apiErrors,
  parseFieldSelector,
  parseLabelSelector,
  quote,
  SelectorError,
  type FieldSelector,
  type KubeObject,
} from '@flotilla/kube';
import type { Query } from '../http/query.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import type { Call } from './context.ts';
import { isShown, readEntryNow } from './represent.ts';

/** Which objects of a collection a list, watch or collection delete is about. Looks only at headers. */
export interface Filter {
  readonly isEmpty: boolean;
  readonly matches: (entry: Entry) => boolean;
  /** At most one object can match, whose key is known. */
  readonly namesOne: boolean;
}

const everything: Filter = { isEmpty: true, matches: () => true, namesOne: false };

export function filterOf({ resource, info }: Call): Filter {
  const labels = labelMatcher(info.query);
  const selector = fieldSelectorOf(resource, info);
  const fields = selector && fieldMatcher(resource, selector);
  const name = info.name === '' ? undefined : nameMatcher(resource, info.name);
  const matchers = [labels, fields, name].filter((matcher) => matcher !== undefined);
  if (matchers.length === 0) return everything;
  const namesOne = selector?.exactValueOf('metadata.name') !== undefined && hasOneNamespace(resource, info, selector);
  return { isEmpty: false, matches: (entry) => matchers.every((matcher) => matcher(entry)), namesOne };
}

function hasOneNamespace(resource: Resource, { namespace }: Call['info'], selector: FieldSelector): boolean {
  return !resource.namespaced || namespace !== '' || selector.exactValueOf('metadata.namespace') !== undefined;
}

type Matcher = (entry: Entry) => boolean;

function labelMatcher(query: Query): Matcher | undefined {
  const text = query.get('labelSelector');
  if (text === undefined || text === '') return undefined;
  const selector = parsed(() => parseLabelSelector(text), '');
  return selector.isEmpty ? undefined : ({ header }) => selector.matches(header.labels);
}

function fieldSelectorOf(resource: Resource, { query, name }: Call['info']): FieldSelector | undefined {
  const text = query.get('fieldSelector');
  if (text === undefined || text === '') return undefined;
  const selector = parsed(() => parseFieldSelector(text), '');
  if (selector.isEmpty) return undefined;
  checkFieldLabels(resource, selector);
  if (name !== '' && selector.exactValueOf('metadata.name') !== name) {
    throw apiErrors.badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return selector;
}

function fieldMatcher(resource: Resource, selector: FieldSelector): Matcher {
  return (entry) => {
    const fields = lazyFields(resource, entry);
    return selector.matches((label) => fieldValue(resource, entry, label, fields));
  };
}

function parsed<T>(parse: () => T, prefix: string): T {
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
    // Kinds that name their labels name the namespace only if they have one.
    if (field === 'metadata.namespace' && (resource.namespaced || !fieldLabels)) continue;
    throw apiErrors.badRequest(
      fieldLabels
        ? (unsupportedLabel?.(field) ?? `field label not supported: ${field}`)
        : `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

/** Headers hold the fields of objects that are shown as they were stored; of others the object itself is asked. */
function lazyFields(resource: Resource, entry: Entry): () => Readonly<Record<string, string>> {
  if (isShown(resource, entry) || !resource.isUnstructured) return () => entry.header.fields ?? noFields;
  let fields: Readonly<Record<string, string>> | undefined;
  return () => (fields ??= resource.behavior.selectableFields?.(asShownNow(resource, entry)) ?? noFields);
}

const noFields: Readonly<Record<string, string>> = {};

/** No filter waits for a webhook: it looks at what is stored. */
function asShownNow(resource: Resource, entry: Entry): KubeObject {
  return resource.whileConverting ? decodeStored(entry.bytes) : readEntryNow(resource, entry);
}

function fieldValue(
  resource: Resource,
  { key }: Entry,
  label: string,
  fields: () => Readonly<Record<string, string>>,
): string {
  if (label === 'metadata.name') return nameOf(resource, key.name);
  if (label === 'metadata.namespace') return resource.namespaced ? key.name.slice(0, key.name.indexOf('/')) : '';
  const values = fields();
  return Object.hasOwn(values, label) ? (values[label] ?? '') : '';
}

function nameOf(resource: Resource, key: string): string {
  return resource.namespaced ? key.slice(key.indexOf('/') + 1) : key;
}

function nameMatcher(resource: Resource, name: string): Matcher {
  return ({ key }) => nameOf(resource, key.name) === name;
}
