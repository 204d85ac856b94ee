/** The types of the catalogue of heavy requests. */

export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: () => Uint8Array;
}

export interface HeavyRequest extends Step {
  readonly name: string;
  /** Setup requests, in this order, not measured. */
  readonly prepare?: readonly Step[];
  /** The expected status: without it, a mistake in a request would go unnoticed. */
  readonly status: number;
  /** Cleanup requests, so that the request can be sent again. */
  readonly cleanup?: readonly Step[];
}

export const types = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  jsonPatch: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  partial: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
} as const;

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function keyed<T>(count: number, make: (index: number) => T, prefix = 'key-'): Record<string, T> {
  return Object.fromEntries(times(count, (index) => [`${prefix}${index}`, make(index)]));
}

export function text(value: string): () => Uint8Array {
  return () => Buffer.from(value);
}

export function json(make: () => unknown): () => Uint8Array {
  return () => Buffer.from(JSON.stringify(make()));
}

type Body = () => unknown;

export function post(path: string, make: Body): Step {
  return { method: 'POST', path, contentType: types.json, body: json(make) };
}

export function put(path: string, make: Body): Step {
  return { method: 'PUT', path, contentType: types.json, body: json(make) };
}

export function patch(path: string, type: 'jsonPatch' | 'merge' | 'strategic', make: Body): Step {
  return { method: 'PATCH', path, contentType: types[type], body: json(make) };
}

/** Sends JSON, which is YAML, as most clients do. */
export function apply(path: string, make: Body, manager = 'one', query = ''): Step {
  const target = `${path}?fieldManager=${manager}${query}`;
  return { method: 'PATCH', path: target, contentType: types.apply, body: json(make) };
}

export function get(path: string, accept: string = types.json): Step {
  return { method: 'GET', path, accept };
}

export function remove(path: string): Step {
  return { method: 'DELETE', path };
}

export const dryRun = '?dryRun=All';
