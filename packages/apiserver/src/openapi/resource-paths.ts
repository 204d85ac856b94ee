import { apiVersionOf, patchTypes } from '@flotilla/kube';
import { mediaTypes } from '../request/negotiate.ts';
import type { ServedSubresource } from '@flotilla/builtins';
import type { Resource } from '../resources/resource.ts';
import {
  capitalised,
  idWord,
  idWords,
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
const anything = ['*/*'];
const objectTypes = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];
const textTypes = [mediaTypes.json, mediaTypes.yaml];
const watchTypes = [...objectTypes, `${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];

/** Kubernetes describes built-in kinds and custom resources by two programs, which do not say quite the same. */
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
  consumes: anything,
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

/** Everything that can be done with a resource, path by path. */
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

/** Verbs of discovery and the operations they stand for. */
type ByVerb = readonly (readonly [verb: string, operation: Operation])[];

class ResourceOperations {
  readonly #resource: Resource;
  readonly #model: string;
  readonly #modelOf: ModelOf;
  readonly #dialect: Dialect;
  /** Path variables of the collection. */
  readonly #place: readonly Parameter[];

  constructor(resource: Resource, modelOf: ModelOf) {
    this.#resource = resource;
    this.#modelOf = modelOf;
    this.#model = modelOf(resource) ?? '';
    this.#dialect = resource.isUnstructured ? ofDefinitions : ofBuiltins;
    this.#place = resource.namespaced ? [parameters.pathVariables.namespace] : [];
  }

  ofCollection(): Operation[] {
    const place = [...this.#place, parameters.pretty];
    return this.#served([
      ['list', this.#list(this.#id('list'), place)],
      ['create', this.#write('post', this.#id('create'), place, ['200', '201', '202'])],
      [
        'deletecollection',
        {
          ...this.#operation(
            'delete',
            'deletecollection',
            this.#id('deleteCollection'),
            place,
            this.#dialect.deletingMany,
          ),
          ...(this.#dialect.deletesManyWithOptions && { body: deleteOptions }),
          answer: { model: `${meta}.Status`, codes: ['200'] },
        },
      ],
    ]);
  }

  ofAllNamespaces(): Operation[] {
    const id = `list${this.#groupWords()}${idWord(`${this.#resource.kind}ForAllNamespaces`)}`;
    return this.#served([['list', this.#list(id, [parameters.pretty])]]);
  }

  ofItem(): Operation[] {
    const place = this.#itemPlace();
    const sendsObject = this.#sendsDeletedObject();
    return this.#served([
      ['get', this.#operation('get', 'get', this.#id('read'), place, this.#dialect.getting)],
      ['update', this.#write('put', this.#id('replace'), place, ['200', '201'])],
      [
        'delete',
        {
          ...this.#operation('delete', 'delete', this.#id('delete'), place, parameters.deleting),
          body: deleteOptions,
          answer: { model: sendsObject ? this.#model : `${meta}.Status`, codes: ['200', '202'] },
        },
      ],
      ['patch', this.#patch(this.#id('patch'), place)],
    ]);
  }

  #sendsDeletedObject(): boolean {
    const { isUnstructured, kind } = this.#resource;
    // Behavior and codec of a custom resource take its schema: documents must not compile what is used for nothing else.
    if (isUnstructured) return false;
    // A deleted namespace is sent too, but Kubernetes' documents do not say so.
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
    const place = isItem ? this.#itemPlace() : [...(isEverywhere ? [] : this.#place), parameters.pretty];
    const id = isEverywhere ? `watch${this.#groupWords()}${this.#resource.kind}${suffix}` : this.#id('watch', suffix);
    const operation = this.#operation('get', isItem ? 'watch' : 'watchlist', id, place, parameters.listing);
    return this.#served([
      ['watch', { ...operation, produces: watchTypes, answer: { model: `${meta}.WatchEvent`, codes: ['200'] } }],
    ]);
  }

  ofSubresource({ name, verbs, ...kind }: ServedSubresource): Operation[] {
    const model = this.#modelOf(kind);
    const place = this.#itemPlace();
    const words = capitalised(name);
    if (name === 'log') return [this.#log(place)];
    if (model === undefined) return [];
    const all: ByVerb = [
      ['get', this.#operation('get', 'get', this.#id('read', words), place, this.#dialect.getting)],
      ['update', this.#write('put', this.#id('replace', words), place, ['200', '201'])],
      ['patch', this.#patch(this.#id('patch', words), place)],
      ['create', this.#write('post', this.#id('create', words), place, ['200', '201', '202'])],
    ];
    // Of a custom resource everything is said to be about itself, even its scale.
    const about = this.#resource.isUnstructured ? this.#resource : kind;
    return servedBy(verbs, all).map((operation) => withKind(operation, about, model));
  }

  /** Connections are not typed: bytes go through as they are. */
  ofConnection({ name, group, version, kind }: ServedSubresource, hasPath: boolean): Operation[] {
    const { pathVariables, connecting } = parameters;
    const place = [...this.#place, pathVariables.name, ...(hasPath ? [pathVariables.path] : [])];
    const used = name === 'proxy' ? methods : (['get', 'post'] as const);
    const suffix = `${capitalised(name)}${hasPath ? 'WithPath' : ''}`;
    const scope = this.#resource.namespaced ? 'Namespaced' : '';
    return used.map((method) => ({
      method,
      id: `connect${this.#groupWords()}${capitalised(method)}${scope}${this.#resource.kind}${suffix}`,
      tag: this.#tag(),
      parameters: [...place, ...(connecting[kind] ?? [])],
      consumes: anything,
      produces: anything,
      answer: { codes: ['200'] },
      about: { action: 'connect', kind: { group, version, kind } },
    }));
  }

  #log(place: readonly Parameter[]): Operation {
    return {
      ...this.#operation('get', 'get', this.#id('read', 'Log'), place, parameters.logging),
      produces: ['text/plain', ...objectTypes],
      answer: { codes: ['200'] },
    };
  }

  #served(all: ByVerb): Operation[] {
    return servedBy(this.#resource.verbs, all);
  }

  #itemPlace(): Parameter[] {
    return [...this.#place, parameters.pathVariables.name, parameters.pretty];
  }

  #operation(
    method: Method,
    action: string,
    id: string,
    place: readonly Parameter[],
    own: readonly Parameter[] = [],
  ): Operation {
    const { group, version, kind } = this.#resource;
    return {
      method,
      id,
      tag: this.#tag(),
      parameters: [...place, ...own],
      consumes: this.#dialect.consumes,
      produces: this.#dialect.produces,
      answer: { model: this.#model, codes: ['200'] },
      about: { action, kind: { group, version, kind } },
    };
  }

  #list(id: string, place: readonly Parameter[]): Operation {
    const { group, version, listKind } = this.#resource;
    const model = this.#modelOf({ group, version, kind: listKind }) ?? '';
    const operation = this.#operation('get', 'list', id, place, parameters.listing);
    return { ...operation, produces: this.#dialect.listProduces, answer: { model, codes: ['200'] } };
  }

  #write(method: 'post' | 'put', id: string, place: readonly Parameter[], codes: Answer['codes']): Operation {
    const operation = this.#operation(method, method, id, place, parameters.writing);
    return { ...operation, body: { model: this.#model, required: true }, answer: { model: this.#model, codes } };
  }

  #patch(id: string, place: readonly Parameter[]): Operation {
    return {
      ...this.#operation('patch', 'patch', id, place, parameters.patching),
      consumes: this.#hasStrategicPatch() ? allPatchTypes : plainPatchTypes,
      body: { model: `${meta}.Patch`, required: true },
      answer: { model: this.#model, codes: this.#dialect.patchCodes },
    };
  }

  #hasStrategicPatch(): boolean {
    return !this.#resource.isUnstructured && this.#resource.codec.patchSchema !== undefined;
  }

  /** `createAppsV1NamespacedDeployment`, as generated clients name their functions. */
  #id(verb: string, suffix = ''): string {
    const { kind, namespaced } = this.#resource;
    const [first = '', collection = ''] = verb === 'deleteCollection' ? ['delete', 'Collection'] : [verb];
    return `${first}${this.#groupWords()}${idWord(`${collection}${namespaced ? 'Namespaced' : ''}${kind}${suffix}`)}`;
  }

  #groupWords(): string {
    return idWords(this.#resource.group, this.#resource.version);
  }

  #tag(): string {
    return tagOf(this.#resource.group, this.#resource.version);
  }
}

function servedBy(verbs: readonly string[], all: ByVerb): Operation[] {
  return all.filter(([verb]) => verbs.includes(verb)).map(([, operation]) => operation);
}

/** Some subresources speak of another kind: scale, eviction, binding. */
function withKind(operation: Operation, kind: Kind, model: string): Operation {
  const { body, about } = operation;
  return {
    ...operation,
    answer: { ...operation.answer, model },
    ...(body && operation.method !== 'patch' && { body: { ...body, model } }),
    ...(about && { about: { ...about, kind: { group: kind.group, version: kind.version, kind: kind.kind } } }),
  };
}
