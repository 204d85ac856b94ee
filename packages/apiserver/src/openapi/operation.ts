/**
 * An operation at a path, independent of the OpenAPI version. Clients derive from it which kinds exist at which path, and
 * which parameters and patch types are supported.
 */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  /** Without those of the path itself. */
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly answer: Answer;
  /** Absent for documents about the API itself. */
  readonly about?: { readonly action: string; readonly kind: Kind };
}

/** In the order of the documents. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof methods)[number];

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Body {
  readonly model: string;
  readonly required: boolean;
}

export interface Answer {
  /** Absent: any text. */
  readonly model?: string;
  readonly codes: readonly (keyof typeof codeDescriptions)[];
}

export const codeDescriptions = { '200': 'OK', '201': 'Created', '202': 'Accepted' } as const;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

export interface Path {
  readonly path: string;
  /** Those that every operation of the path has, by name. */
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** Finds the name of a kind's schema. */
export type ModelOf = (kind: Kind) => string | undefined;

/** Moves parameters that all operations share to the path, and sorts the rest by name. */
export function pathOf(path: string, operations: readonly Operation[]): Path {
  const [first, ...others] = operations.map(({ parameters }) => parameters);
  const shared = (first ?? []).filter((parameter) =>
    others.every((list) => list.some((other) => isSame(parameter, other))),
  );
  const isShared = (parameter: Parameter): boolean => shared.some((other) => isSame(parameter, other));
  return {
    path,
    parameters: shared.toSorted(byName),
    operations: operations
      .map((operation) => ({
        ...operation,
        parameters: operation.parameters.filter((parameter) => !isShared(parameter)).toSorted(byName),
      }))
      .sort((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method)),
  };
}

function isSame(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

function byName(a: Parameter, b: Parameter): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.in < b.in ? -1 : 1;
}

/** `apps` and `v1` as parts of operation ids and tags: `AppsV1`, `apps_v1`. */
export function groupVersionId(group: string, version: string): string {
  return idPart(groupName(group)) + idPart(version);
}

export function tagOf(group: string, version: string): string {
  const word = idText(groupName(group), false);
  return version === '' ? word : `${word}_${idText(version, false)}`;
}

/** Part of an operation id: `cert-manager.io` becomes `CertManagerIo`. */
export function idPart(text: string): string {
  return idText(text, true);
}

/** Ids consist of letters, digits and underscores. Drops a leading digit, like kube-apiserver. */
function idText(text: string, isCapitalised: boolean): string {
  const words = text.replace(/^\d/, '.').split(/[^a-zA-Z0-9_]/);
  return words.map((word, index) => (index > 0 || isCapitalised ? capitalised(word) : word)).join('');
}

function groupName(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
}

export function capitalised(word: string): string {
  return word === '' ? '' : (word[0] ?? '').toUpperCase() + word.slice(1);
}
