import { apiVersionOf } from '@flotilla/kube';
import type { Resource, ServedSubresource } from '../resources/resource.ts';

/**
 * The operations of a resource, as OpenAPI wants them, in a form that both versions of its documents are written from.
 * Clients read off them which kinds exist where, which parameters and patch types are understood.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly id: string;
  /** What x-kubernetes-action says. */
  readonly action: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  /** Model of the answer, and the codes it comes with. */
  readonly answer: { readonly model: string; readonly codes: readonly string[] };
  readonly isWatchable: boolean;
}

export interface Body {
  readonly model: string;
  readonly mediaTypes: readonly string[];
  readonly required: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

export interface Path {
  readonly path: string;
  /** Names of path parameters. */
  readonly variables: readonly ('name' | 'namespace' | 'path')[];
  readonly operations: readonly Operation[];
}

const text = (name: string, description: string): Parameter => ({ name, type: 'string', description });
const number = (name: string, description: string): Parameter => ({ name, type: 'integer', description });
const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', description });

export const pretty = text('pretty', 'Indents the answer when "true".');

const dryRun = text('dryRun', 'With "All" the request goes through every check, but nothing is stored.');
const fieldManager = text('fieldManager', 'In whose name fields are set.');
const fieldValidation = text('fieldValidation', 'What unknown and repeated fields do: Ignore, Warn or Strict.');
const writing = [dryRun, fieldManager, fieldValidation];

const listing = [
  flag('allowWatchBookmarks', 'Lets a watch send bookmarks.'),
  text('continue', 'Token from the page before.'),
  text('fieldSelector', 'Restricts the objects by their fields.'),
  text('labelSelector', 'Restricts the objects by their labels.'),
  number('limit', 'How many objects a page may have.'),
  text('resourceVersion', 'Which state is read.'),
  text('resourceVersionMatch', 'How resourceVersion is meant: Exact or NotOlderThan.'),
  flag('sendInitialEvents', 'Begins a watch with the state as it is.'),
  number('timeoutSeconds', 'Ends the request after so many seconds.'),
  flag('watch', 'Sends changes as they happen instead of a list.'),
];

const deleting = [
  dryRun,
  number('gracePeriodSeconds', 'Seconds that the object is given; 0 means at once.'),
  flag('ignoreStoreReadErrorWithClusterBreakingPotential', 'Deletes objects that cannot be read any more.'),
  flag('orphanDependents', 'An old way to say propagationPolicy.'),
  text('propagationPolicy', 'What happens to dependents: Orphan, Background or Foreground.'),
];

const listingForDeletion = listing.filter(({ name }) => name !== 'allowWatchBookmarks' && name !== 'watch');
const force = flag('force', 'Takes fields from others; only for apply.');

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const anyMediaType = ['*/*'];

/** Everything that can be done with a resource, path by path. `modelOf` names a kind's schema. */
export function resourcePaths(resource: Resource, modelOf: ModelOf): Path[] {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${apiVersionOf(resource)}`;
  const scope = resource.namespaced ? '/namespaces/{namespace}' : '';
  const variables = resource.namespaced ? (['namespace'] as const) : [];
  const collection = `${root}${scope}/${resource.plural}`;
  const item = `${collection}/{name}`;
  const operations = new OperationList(resource, modelOf);
  const paths: Path[] = [
    { path: collection, variables, operations: operations.ofCollection() },
    { path: item, variables: ['name', ...variables], operations: operations.ofItem() },
    ...resource.subresources.map((subresource) => ({
      path: `${item}/${subresource.name}`,
      variables: ['name', ...variables] as const,
      operations: operations.ofSubresource(subresource),
    })),
  ];
  if (resource.namespaced && resource.verbs.includes('list')) {
    paths.push({ path: `${root}/${resource.plural}`, variables: [], operations: operations.ofAllNamespaces() });
  }
  return paths.filter((path) => path.operations.length > 0);
}

export type ModelOf = (gvk: { group: string; version: string; kind: string }) => string | undefined;

class OperationList {
  readonly #resource: Resource;
  readonly #model: string;
  readonly #listModel: string;
  readonly #modelOf: ModelOf;

  constructor(resource: Resource, modelOf: ModelOf) {
    this.#resource = resource;
    this.#modelOf = modelOf;
    this.#model = modelOf(resource) ?? '';
    this.#listModel = modelOf({ ...resource, kind: `${resource.kind}List` }) ?? '';
  }

  ofCollection(): Operation[] {
    const collectionDelete: Body = { model: `${meta}.DeleteOptions`, mediaTypes: anyMediaType, required: false };
    return this.#served([
      ['list', this.#list('list', this.#id('list'))],
      ['create', this.#write('post', 'post', this.#id('create'), ['200', '201', '202'])],
      [
        'deletecollection',
        {
          ...this.#operation('delete', 'deletecollection', this.#id('delete', 'Collection')),
          parameters: [...deleting, ...listingForDeletion].sort(byName),
          body: collectionDelete,
          answer: { model: `${meta}.Status`, codes: ['200'] },
        },
      ],
    ]);
  }

  ofAllNamespaces(): Operation[] {
    const { kind } = this.#resource;
    return [this.#list('list', `list${this.#groupWords()}${kind}ForAllNamespaces`)];
  }

  ofItem(): Operation[] {
    return this.#served([
      ['get', this.#operation('get', 'get', this.#id('read'))],
      ['update', this.#write('put', 'put', this.#id('replace'), ['200', '201'])],
      [
        'delete',
        {
          ...this.#operation('delete', 'delete', this.#id('delete')),
          parameters: deleting,
          body: { model: `${meta}.DeleteOptions`, mediaTypes: anyMediaType, required: false },
          answer: { model: `${meta}.Status`, codes: ['200', '202'] },
        },
      ],
      ['patch', this.#patch('patch', this.#id('patch'))],
    ]);
  }

  ofSubresource({ name, verbs, ...gvk }: ServedSubresource): Operation[] {
    const model = this.#modelOf(gvk);
    if (model === undefined) return [];
    const words = name[0]?.toUpperCase() + name.slice(1);
    const answering = (operation: Operation): Operation => ({
      ...operation,
      kind: gvk,
      answer: { ...operation.answer, model },
      ...(operation.body && operation.method !== 'patch' && { body: { ...operation.body, model } }),
    });
    const all: [string, Operation][] = [
      ['get', this.#operation('get', 'get', this.#id('read', words))],
      ['update', this.#write('put', 'put', this.#id('replace', words), ['200', '201'])],
      ['patch', this.#patch('patch', this.#id('patch', words))],
      ['create', this.#write('post', 'post', this.#id('create', words), ['200', '201', '202'])],
    ];
    return all.filter(([verb]) => verbs.includes(verb)).map(([, operation]) => answering(operation));
  }

  #served(all: readonly [string, Operation][]): Operation[] {
    return all.filter(([verb]) => this.#resource.verbs.includes(verb)).map(([, operation]) => operation);
  }

  #operation(method: Operation['method'], action: string, id: string): Operation {
    const { group, version, kind } = this.#resource;
    const answer = { model: this.#model, codes: ['200'] };
    return { method, action, id, kind: { group, version, kind }, parameters: [], answer, isWatchable: false };
  }

  #list(action: string, id: string): Operation {
    const answer = { model: this.#listModel, codes: ['200'] };
    return { ...this.#operation('get', action, id), parameters: listing, answer, isWatchable: true };
  }

  #write(method: 'post' | 'put', action: string, id: string, codes: readonly string[]): Operation {
    const body: Body = { model: this.#model, mediaTypes: anyMediaType, required: true };
    return { ...this.#operation(method, action, id), parameters: writing, body, answer: { model: this.#model, codes } };
  }

  #patch(action: string, id: string): Operation {
    const mediaTypes = [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
      ...(this.#resource.codec.patchSchema ? ['application/strategic-merge-patch+json'] : []),
    ];
    const body: Body = { model: `${meta}.Patch`, mediaTypes, required: true };
    const answer = { model: this.#model, codes: ['200', '201'] };
    return { ...this.#operation('patch', action, id), parameters: [...writing, force], body, answer };
  }

  /** `createAppsV1NamespacedDeployment`, as generated clients name their functions. */
  #id(verb: string, suffix = ''): string {
    const { kind, namespaced } = this.#resource;
    const collection = suffix === 'Collection' ? 'Collection' : '';
    return `${verb}${this.#groupWords()}${collection}${namespaced ? 'Namespaced' : ''}${kind}${collection ? '' : suffix}`;
  }

  #groupWords(): string {
    const { group, version } = this.#resource;
    const words = (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).split('.');
    return [...words, version].map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  }
}

function byName(a: Parameter, b: Parameter): number {
  return a.name < b.name ? -1 : 1;
}
