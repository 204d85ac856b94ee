import { apiVersionOf, patchTypes } from '@flotilla/kube';
import { mediaTypes } from '../request/negotiate.ts';
import type { ServedSubresource } from '@flotilla/builtins';
import type { Resource } from '../resources/resource.ts';
import {
  capitalised,
  idPart,
  groupVersionId,
  methods,
  pathOf,
  tagOf,
  type Answer,
  type Kind,
  type Method,
  type ModelOf,
  type Operation,
  type Parameter,
  type Path,
} from './operation.ts';
import * as parameters from './parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const anyType = ['*/*'];
const objectTypes = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];
const textTypes = [mediaTypes.json, mediaTypes.yaml];
const watchTypes = [...objectTypes, `${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];

/** kube-apiserver and apiextensions-apiserver generate documents with slight differences. */
interface Dialect {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly listProduces: readonly string[];
  readonly hasWatchPaths: boolean;
  readonly patchCodes: Answer['codes'];
  readonly getting: readonly Parameter[];
  readonly deletingMany: readonly Parameter[];
  readonly deletesManyWithOptions: boolean;
}

const ofBuiltins: Dialect = {
  consumes: anyType,
  produces: objectTypes,
  listProduces: watchTypes,
  hasWatchPaths: true,
  patchCodes: ['200', '201'],
  getting: [],
  deletingMany: parameters.deletingMany,
  deletesManyWithOptions: true,
};

const ofDefinitions: Dialect = {
  consumes: textTypes,
  produces: textTypes,
  listProduces: textTypes,
  hasWatchPaths: false,
  patchCodes: ['200'],
  getting: parameters.getting,
  deletingMany: parameters.listing,
  deletesManyWithOptions: false,
};

const allPatchTypes = Object.values(patchTypes);
const plainPatchTypes = allPatchTypes.filter((type) => type !== patchTypes.strategic);
const deleteOptions = { model: `${meta}.DeleteOptions`, required: false };

/** All operations of a resource by path. */
export function resourcePaths(resource: Resource, modelOf: ModelOf): Path[] {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${apiVersionOf(resource)}`;
  const collection = `${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.plural}`;
  const item = `${collection}/{name}`;
  const operations = new ResourceOperations(resource, modelOf);
  const paths = [
    pathOf(`${root}${collection}`, operations.ofCollection()),
    pathOf(`${root}${item}`, operations.ofItem()),
    ...operations.watchPaths(root, collection),
    ...resource.subresources.flatMap((subresource) => subresourcePaths(`${root}${item}`, operations, subresource)),
  ];
  if (resource.namespaced) {
    paths.push(pathOf(`${root}/${resource.plural}`, operations.ofAllNamespaces()));
  }
  return paths.filter((path) => path.operations.length > 0);
}

function subresourcePaths(item: string, operations: ResourceOperations, subresource: ServedSubresource): Path[] {
  const path = `${item}/${subresource.name}`;
  if (!Object.hasOwn(parameters.connecting, subresource.kind))
    return [pathOf(path, operations.ofSubresource(subresource))];
  const plain = pathOf(path, operations.ofConnection(subresource, false));
  if (subresource.name !== 'proxy') return [plain];
  return [plain, pathOf(`${path}/{path}`, operations.ofConnection(subresource, true))];
}

/** Verbs of discovery and their operations. */
type ByVerb = readonly (readonly [verb: string, operation: Operation])[];

class ResourceOperations {
  readonly #resource: Resource;
  readonly #model: string;
  readonly #modelOf: ModelOf;
  readonly #dialect: Dialect;
  /** Path parameters of the collection. */
  readonly #base: readonly Parameter[];

  constructor(resource: Resource, modelOf: ModelOf) {
    this.#resource = resource;
    this.#modelOf = modelOf;
    this.#model = modelOf(resource) ?? '';
    this.#dialect = resource.isUnstructured ? ofDefinitions : ofBuiltins;
    this.#base = resource.namespaced ? [parameters.pathVariables.namespace] : [];
  }

  ofCollection(): Operation[] {
    const base = [...this.#base, parameters.pretty];
    return this.#served([
      ['list', this.#list(this.#id('list'), base)],
      ['create', this.#write('post', this.#id('create'), base, ['200', '201', '202'])],
      [
        'deletecollection',
        {
          ...this.#operation(
            'delete',
            'deletecollection',
            this.#id('deleteCollection'),
            base,
            this.#dialect.deletingMany,
          ),
          ...(this.#dialect.deletesManyWithOptions && { body: deleteOptions }),
          answer: { model: `${meta}.Status`, codes: ['200'] },
        },
      ],
    ]);
  }

  ofAllNamespaces(): Operation[] {
    const id = `list${this.#groupVersionId()}${idPart(`${this.#resource.kind}ForAllNamespaces`)}`;
    return this.#served([['list', this.#list(id, [parameters.pretty])]]);
  }

  ofItem(): Operation[] {
    const base = this.#itemBase();
    const sendsObject = this.#sendsDeletedObject();
    return this.#served([
      ['get', this.#operation('get', 'get', this.#id('read'), base, this.#dialect.getting)],
      ['update', this.#write('put', this.#id('replace'), base, ['200', '201'])],
      [
        'delete',
        {
          ...this.#operation('delete', 'delete', this.#id('delete'), base, parameters.deleting),
          body: deleteOptions,
          answer: { model: sendsObject ? this.#model : `${meta}.Status`, codes: ['200', '202'] },
        },
      ],
      ['patch', this.#patch(this.#id('patch'), base)],
    ]);
  }

  #sendsDeletedObject(): boolean {
    const { isUnstructured, kind } = this.#resource;
    // Behavior and codec of a custom resource compile its schema, which documents must not do.
    if (isUnstructured) return false;
    // A deleted namespace is sent too, but Kubernetes' documents omit that.
    return this.#resource.behavior.returnsDeletedObject === true && kind !== 'Namespace';
  }

  watchPaths(root: string, collection: string): Path[] {
    if (!this.#dialect.hasWatchPaths) return [];
    const { namespaced, plural } = this.#resource;
    return [
      pathOf(`${root}/watch${collection}`, this.#watch('List')),
      pathOf(`${root}/watch${collection}/{name}`, this.#watch('')),
      ...(namespaced ? [pathOf(`${root}/watch/${plural}`, this.#watch('ListForAllNamespaces'))] : []),
    ];
  }

  #watch(suffix: '' | 'List' | 'ListForAllNamespaces'): Operation[] {
    const isItem = suffix === '';
    const isEverywhere = suffix === 'ListForAllNamespaces';
    const base = isItem ? this.#itemBase() : [...(isEverywhere ? [] : this.#base), parameters.pretty];
    const id = isEverywhere
      ? `watch${this.#groupVersionId()}${this.#resource.kind}${suffix}`
      : this.#id('watch', suffix);
    const operation = this.#operation('get', isItem ? 'watch' : 'watchlist', id, base, parameters.listing);
    return this.#served([
      ['watch', { ...operation, produces: watchTypes, answer: { model: `${meta}.WatchEvent`, codes: ['200'] } }],
    ]);
  }

  ofSubresource({ name, verbs, ...kind }: ServedSubresource): Operation[] {
    const model = this.#modelOf(kind);
    const base = this.#itemBase();
    const words = capitalised(name);
    if (name === 'log') return [this.#log(base)];
    if (model === undefined) return [];
    const all: ByVerb = [
      ['get', this.#operation('get', 'get', this.#id('read', words), base, this.#dialect.getting)],
      ['update', this.#write('put', this.#id('replace', words), base, ['200', '201'])],
      ['patch', this.#patch(this.#id('patch', words), base)],
      ['create', this.#write('post', this.#id('create', words), base, ['200', '201', '202'])],
    ];
    // Kubernetes describes every subresource of a custom resource with the kind of the resource, even the scale.
    const about = this.#resource.isUnstructured ? this.#resource : kind;
    return servedBy(verbs, all).map((operation) => withKind(operation, about, model));
  }

  /** Connections have no type: bytes pass through unchanged. */
  ofConnection({ name, group, version, kind }: ServedSubresource, hasPath: boolean): Operation[] {
    const { pathVariables, connecting } = parameters;
    const base = [...this.#base, pathVariables.name, ...(hasPath ? [pathVariables.path] : [])];
    const used = name === 'proxy' ? methods : (['get', 'post'] as const);
    const suffix = `${capitalised(name)}${hasPath ? 'WithPath' : ''}`;
    const scope = this.#resource.namespaced ? 'Namespaced' : '';
    return used.map((method) => ({
      method,
      id: `connect${this.#groupVersionId()}${capitalised(method)}${scope}${this.#resource.kind}${suffix}`,
      tag: this.#tag(),
      parameters: [...base, ...(connecting[kind] ?? [])],
      consumes: anyType,
      produces: anyType,
      answer: { codes: ['200'] },
      about: { action: 'connect', kind: { group, version, kind } },
    }));
  }

  #log(base: readonly Parameter[]): Operation {
    return {
      ...this.#operation('get', 'get', this.#id('read', 'Log'), base, parameters.logging),
      produces: ['text/plain', ...objectTypes],
      answer: { codes: ['200'] },
    };
  }

  #served(all: ByVerb): Operation[] {
    return servedBy(this.#resource.verbs, all);
  }

  #itemBase(): Parameter[] {
    return [...this.#base, parameters.pathVariables.name, parameters.pretty];
  }

  #operation(
    method: Method,
    action: string,
    id: string,
    base: readonly Parameter[],
    own: readonly Parameter[] = [],
  ): Operation {
    const { group, version, kind } = this.#resource;
    return {
      method,
      id,
      tag: this.#tag(),
      parameters: [...base, ...own],
      consumes: this.#dialect.consumes,
      produces: this.#dialect.produces,
      answer: { model: this.#model, codes: ['200'] },
      about: { action, kind: { group, version, kind } },
    };
  }

  #list(id: string, base: readonly Parameter[]): Operation {
    const { group, version, listKind } = this.#resource;
    const model = this.#modelOf({ group, version, kind: listKind }) ?? '';
    const operation = this.#operation('get', 'list', id, base, parameters.listing);
    return { ...operation, produces: this.#dialect.listProduces, answer: { model, codes: ['200'] } };
  }

  #write(method: 'post' | 'put', id: string, base: readonly Parameter[], codes: Answer['codes']): Operation {
    const operation = this.#operation(method, method, id, base, parameters.writing);
    return { ...operation, body: { model: this.#model, required: true }, answer: { model: this.#model, codes } };
  }

  #patch(id: string, base: readonly Parameter[]): Operation {
    return {
      ...this.#operation('patch', 'patch', id, base, parameters.patching),
      consumes: this.#hasStrategicPatch() ? allPatchTypes : plainPatchTypes,
      body: { model: `${meta}.Patch`, required: true },
      answer: { model: this.#model, codes: this.#dialect.patchCodes },
    };
  }

  #hasStrategicPatch(): boolean {
    return !this.#resource.isUnstructured && this.#resource.codec.patchSchema !== undefined;
  }

  /** `createAppsV1NamespacedDeployment`, the function names of generated clients. */
  #id(verb: string, suffix = ''): string {
    const { kind, namespaced } = this.#resource;
    const [first = '', collection = ''] = verb === 'deleteCollection' ? ['delete', 'Collection'] : [verb];
    return `${first}${this.#groupVersionId()}${idPart(`${collection}${namespaced ? 'Namespaced' : ''}${kind}${suffix}`)}`;
  }

  #groupVersionId(): string {
    return groupVersionId(this.#resource.group, this.#resource.version);
  }

  #tag(): string {
    return tagOf(this.#resource.group, this.#resource.version);
  }
}

function servedBy(verbs: readonly string[], all: ByVerb): Operation[] {
  return all.filter(([verb]) => verbs.includes(verb)).map(([, operation]) => operation);
}

/** Some subresources have another kind: scale, eviction, binding. */
function withKind(operation: Operation, kind: Kind, model: string): Operation {
  const { body, about } = operation;
  return {
    ...operation,
    answer: { ...operation.answer, model },
    ...(body && operation.method !== 'patch' && { body: { ...body, model } }),
    ...(about && { about: { ...about, kind: { group: kind.group, version: kind.version, kind: kind.kind } } }),
  };
}
