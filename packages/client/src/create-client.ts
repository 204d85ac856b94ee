import {
  apiVersionOf,
  patchTypes,
  BytesBody,
  UnprintedBody,
  type JsonValue,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { LoopTurns, systemClock, type Clock } from '@flotilla/timing';
import { defaultResponseLimits, type ResponseLimits } from './response-limits.ts';
import { errorFromResponse } from './response-error.ts';
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  EventStream,
  GetOptions,
  Impersonation,
  InSubresource,
  ListOptions,
  ObjectList,
  Patch,
  RawRequest,
  RawResponse,
  WatchOptions,
  WriteOptions,
} from './client.ts';
import { ConnectionError } from './connection-error.ts';
import { readBytes, readObject } from './read-body.ts';
import { listInPages, readList } from './read-list.ts';
import { collectionPath, impersonationHeaders, objectPath, queryText, tableAccept } from './request-parts.ts';
import { sendWithRetries, type RetryOptions } from './retry.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { WatchEvents } from './watch-events.ts';

export interface ClientOptions {
  readonly clock?: Clock;
  /** Clients in one thread should share one. */
  readonly turns?: LoopTurns;
  readonly random?: () => number;
  /** Its part before the first slash is also the field manager that the server records. */
  readonly userAgent?: string;
  /** The user to impersonate for every request. */
  readonly impersonate?: Impersonation;
  /** Responses beyond these limits fail with `ResponseTooLarge`. */
  readonly limits?: Partial<ResponseLimits>;
}

export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { impersonate, limits, turns = new LoopTurns(), ...rest } = options;
  const settings = { ...defaults, ...rest, turns, limits: { ...defaultResponseLimits, ...limits } };
  return new ApiClient(transport, settings, impersonate ? impersonationHeaders(impersonate) : {});
}

type Settings = Required<Omit<ClientOptions, 'impersonate' | 'limits'>> & { readonly limits: ResponseLimits };

const defaults: Omit<Settings, 'limits' | 'turns'> = { clock: systemClock, random: Math.random, userAgent: 'flotilla' };

type Headers = TransportRequest['headers'];

/** What the caller needs of a response: an object of its own, one that others may have, too, or only the identity of that kind. */
type Result = 'own' | 'shared' | Kind;

interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  readonly type?: string;
  readonly body: JsonValue;
  readonly result?: Result;
}

class ApiClient implements Client {
  readonly #transport: Transport;
  readonly #options: Settings;
  readonly #headers: Headers;
  /** Those of a request with a body in JSON. */
  readonly #jsonHeaders: Headers;
  /** The client that the transport belongs to, if it is another. */
  readonly #owner: ApiClient | undefined;
  readonly #closing: AbortController;
  readonly #retries: RetryOptions;
  readonly view?: NonNullable<Client['view']>;
  readonly viewBuiltins?: NonNullable<Client['viewBuiltins']>;

  constructor(transport: Transport, options: Settings, headers: Headers, owner?: ApiClient) {
    this.#transport = transport;
    this.#options = options;
    this.#headers = { accept: json, 'user-agent': options.userAgent, ...headers };
    this.#jsonHeaders = { ...this.#headers, 'content-type': json };
    this.#owner = owner;
    this.#closing = owner === undefined ? new AbortController() : owner.#closing;
    this.#retries = { clock: options.clock, random: options.random, closing: this.#closing.signal };
    const { view, viewBuiltins } = transport;
    if (view !== undefined) this.view = (kind, viewed = {}) => view(this.#listRequest(kind, viewed));
    // An impersonated user has rights to check.
    if (viewBuiltins !== undefined && !('impersonate-user' in headers)) this.viewBuiltins = viewBuiltins;
  }

  async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const { resourceVersion, subresource, mayShare, signal } = options;
    const request = {
      method: 'GET',
      path: objectPath(kind, key, subresource),
      query: resourceVersion === undefined ? '' : queryText({ resourceVersion }),
      headers: this.#headers,
      ...(signal && { signal }),
    };
    return this.#object<T>(request, mayShare === true ? 'shared' : 'own');
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { body } = await this.#answer(this.#listRequest(kind, options));
    const list = await readList(kind, body, this.#options);
    // A reader of pages would never end.
    if (list.continue !== undefined && list.continue === options.continue) {
      throw new ConnectionError('the server returned the same continue token again', 'cut');
    }
    return list;
  }

  each<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): AsyncIterable<T> {
    return listInPages((page) => this.list(kind, page), options);
  }

  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): EventStream<T> {
    const { allowBookmarks, sendInitialEvents, timeoutSeconds, asTable, signal } = options;
    const parameters = { watch: true, allowWatchBookmarks: allowBookmarks, sendInitialEvents, timeoutSeconds };
    const listed = this.#listRequest(kind, options, parameters);
    const request = asTable === true ? { ...listed, headers: { ...this.#headers, accept: tableAccept } } : listed;
    return new WatchEvents<T>(async () => (await this.#answer(request)).body, signal, this.#options);
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions & InSubresource = {}): Promise<T> {
    const { subresource } = options;
    const path =
      subresource === undefined
        ? collectionPath(kind, namespaceOf(kind, object))
        : objectPath(kind, keyOf(object), subresource);
    return this.#write<T>(
      { method: 'POST', path, query: queryOf(options), body: object, result: resultOf(kind, options) },
      options.signal,
    );
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions & InSubresource = {}): Promise<T> {
    const path = objectPath(kind, keyOf(object), options.subresource);
    return this.#write<T>(
      { method: 'PUT', path, query: queryOf(options), body: object, result: resultOf(kind, options) },
      options.signal,
    );
  }

  async patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & InSubresource = {},
  ): Promise<T> {
    const path = objectPath(kind, key, options.subresource);
    const body = patch.type === 'json' ? [...patch.operations] : patch.value;
    const type = patchTypes[patch.type];
    return this.#write<T>(
      { method: 'PATCH', path, query: queryOf(options), type, body, result: resultOf(kind, options) },
      options.signal,
    );
  }

  async apply<T extends KubeObject>(kind: Kind<T>, object: KubeObject, options: ApplyOptions): Promise<T> {
    const path = objectPath(kind, keyOf(object), options.subresource);
    const query = queryText({ ...writeParameters(options), force: options.force });
    return this.#write<T>({ method: 'PATCH', path, query, type: patchTypes.apply, body: object }, options.signal);
  }

  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject> {
    return this.#write({ method: 'DELETE', path: objectPath(kind, key), body: deleteBody(options) }, options.signal);
  }

  async deleteAll(kind: Kind, options: ListOptions & DeleteOptions): Promise<KubeObject> {
    // Here resourceVersion is a precondition on each object, not the state to list.
    const { path, query } = this.#listRequest(kind, { ...options, resourceVersion: '' });
    return this.#write({ method: 'DELETE', path, query, body: deleteBody(options) }, options.signal);
  }

  async request({ method, path: target, body, headers = {}, signal, maxBytes }: RawRequest): Promise<RawResponse> {
    const mark = target.indexOf('?');
    const response = await this.#answer({
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': json }), ...headers },
      ...(body !== undefined && { body: body instanceof Uint8Array ? new BytesBody(body) : new UnprintedBody(body) }),
      ...(signal && { signal }),
    });
    const answer = await readBytes(response.body, maxBytes ?? this.#options.limits.other);
    return { status: response.status, headers: response.headers, body: answer };
  }

  as(user: Impersonation): Client {
    return new ApiClient(this.#transport, this.#options, impersonationHeaders(user), this);
  }

  async close(): Promise<void> {
    if (this.#owner !== undefined) return;
    this.#closing.abort(new ConnectionError('the client is closed', 'unreachable'));
    await this.#transport.close();
  }

  #listRequest(kind: Kind, options: ListOptions, more: Parameters<typeof queryText>[0] = {}): TransportRequest {
    const { namespace, labelSelector, fieldSelector, limit, signal } = options;
    const { resourceVersion, resourceVersionMatch } = options;
    return {
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: queryText({
        ...more,
        labelSelector,
        fieldSelector,
        limit,
        continue: options.continue,
        resourceVersion,
        resourceVersionMatch,
      }),
      headers: options.metadataOnly === true ? { ...this.#headers, accept: metadataAccept(more) } : this.#headers,
      ...(signal && { signal }),
    };
  }

  #write<T extends KubeObject>(write: Write, signal: AbortSignal | undefined): Promise<T> {
    const { method, path, query = '', type, body, result } = write;
    const headers = type === undefined ? this.#jsonHeaders : { ...this.#headers, 'content-type': type };
    const wantsIdentity = typeof result === 'object';
    const request = { method, path, query, headers, body: new UnprintedBody(body), wantsIdentity };
    return this.#object<T>(signal ? { ...request, signal } : request, result);
  }

  async #object<T extends KubeObject>(request: TransportRequest, result: Result = 'own'): Promise<T> {
    // Not by `#answer`: one more asynchronous call would cost half a kilobyte.
    const response = await this.#send(request);
    if (isFailure(response)) throw await errorFromResponse(request, response);
    const { body, identity, sharedObject } = response;
    if (typeof result === 'object' && identity !== undefined) {
      return { apiVersion: apiVersionOf(result), kind: result.kind, metadata: identity() } as KubeObject as T;
    }
    const shared = result === 'shared' ? sharedObject?.() : undefined;
    if (shared !== undefined) return shared as T;
    return readObject(await readBytes(body, this.#options.limits.object)) as T;
  }

  async #answer(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#send(request);
    if (isFailure(response)) throw await errorFromResponse(request, response);
    return response;
  }

  #send(request: TransportRequest): Promise<TransportResponse> {
    return sendWithRetries(this.#transport, request, this.#retries);
  }
}

function isFailure({ status }: TransportResponse): boolean {
  return status >= 300 && status !== 304;
}

function resultOf(kind: Kind, { identityOnly, mayShare }: WriteOptions): Result {
  if (identityOnly === true) return kind;
  return mayShare === true ? 'shared' : 'own';
}

const json = 'application/json';

/** Accepts full objects from servers that cannot send metadata alone. */
function metadataAccept({ watch }: Parameters<typeof queryText>[0]): string {
  const shape = watch === true ? 'PartialObjectMetadata' : 'PartialObjectMetadataList';
  return `application/json;as=${shape};g=meta.k8s.io;v=v1,application/json`;
}

function keyOf({ metadata }: KubeObject): ObjectKey {
  return { namespace: metadata.namespace, name: metadata.name ?? '' };
}

/** A path without a namespace is the collection of all namespaces, which accepts no POST. */
function namespaceOf(kind: Kind, { metadata }: KubeObject): string | undefined {
  if (kind.namespaced && !metadata.namespace) throw new TypeError(`a ${kind.kind} needs a namespace to be created in`);
  return metadata.namespace;
}

function queryOf(options: WriteOptions): string {
  return queryText(writeParameters(options));
}

function writeParameters({ fieldManager, fieldValidation, dryRun }: WriteOptions) {
  return { fieldManager, fieldValidation, dryRun: dryRun === true ? 'All' : undefined };
}

function deleteBody(options: DeleteOptions): JsonValue {
  const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((uid !== undefined || resourceVersion !== undefined) && {
      preconditions: { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) },
    }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun === true && { dryRun: ['All'] }),
  };
}
