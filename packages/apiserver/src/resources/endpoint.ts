import type { FieldError, KubeObject, ManagedKind } from '@flotilla/kube';
import { apiVersionOf, exceptFields } from '@flotilla/kube';
import type { WriteContext } from '@flotilla/builtins';
import type { Resource } from './resource.ts';

/** An endpoint for updates: the object itself, or a subresource that writes a part of it. */
export interface Endpoint {
  readonly resource: Resource;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly prepareForUpdate: (object: KubeObject, old: KubeObject, context: WriteContext) => void;
  readonly validateUpdate: (object: KubeObject, old: KubeObject, context: WriteContext) => FieldError[];
  /** Warnings about a valid write. */
  readonly warnings?: (object: KubeObject, old: KubeObject) => string[];
  readonly managed: ManagedKind;
}

const endpoints = new WeakMap<Resource, Map<string, Endpoint>>();

/** Undefined if the resource has no writable subresource of that name. */
export function endpointOf(resource: Resource, subresource: string): Endpoint | undefined {
  let known = endpoints.get(resource);
  if (!known) endpoints.set(resource, (known = new Map()));
  const found = known.get(subresource);
  if (found) return found;
  const made = subresource === '' ? mainEndpoint(resource) : subresourceEndpoint(resource, subresource);
  if (made) known.set(subresource, made);
  return made;
}

const noPreparation = (): void => undefined;
const noErrors = (): FieldError[] => [];

function mainEndpoint(resource: Resource): Endpoint {
  const { behavior } = resource;
  return {
    resource,
    subresource: '',
    prepareForUpdate: behavior.prepareForUpdate ?? noPreparation,
    validateUpdate: behavior.validateUpdate ?? ((object, _old, context) => behavior.validate?.(object, context) ?? []),
    ...(behavior.warnings && { warnings: behavior.warnings }),
    managed: managedKind(resource, '', behavior.resetFields),
  };
}

function subresourceEndpoint(resource: Resource, subresource: string): Endpoint | undefined {
  const behaviors = resource.behavior.subresources;
  const behavior = behaviors && Object.hasOwn(behaviors, subresource) ? behaviors[subresource] : undefined;
  if (!behavior) return undefined;
  return {
    resource,
    subresource,
    prepareForUpdate: behavior.prepareForUpdate,
    validateUpdate: behavior.validateUpdate ?? noErrors,
    ...(behavior.warnings && { warnings: behavior.warnings }),
    managed: managedKind(resource, subresource, behavior.resetFields),
  };
}

function managedKind(
  resource: Resource,
  subresource: string,
  resetFields: readonly (readonly string[])[] | undefined,
): ManagedKind {
  const { codec, kind, toVersion } = resource;
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    subresource,
    blank: codec.blank,
    typeOf: codec.mergeType,
    ...(resetFields && { writable: exceptFields(resetFields) }),
    ...(toVersion && { convert: toVersion }),
    ...(resource.isUnstructured && resetFields && { isUnchecked: uncheckedFields(subresource) }),
    ...(resource.isUnstructured && subresource === '' && { isWritableInOwnVersion: true }),
  };
}

/** The main endpoint drops the status, the status endpoint all other fields. */
function uncheckedFields(subresource: string): (field: string) => boolean {
  return subresource === '' ? (field) => field === 'status' : (field) => !statusFields.has(field);
}

const statusFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);
