/**
 * A fake API server behind a transport. It stores objects of any kind without validation, and simulates network failures
 * and restarts. Reads, watches and writes follow Kubernetes' rules as far as informers and controllers depend on them.
 */
import { ConnectionError, type Transport, type TransportRequest, type TransportResponse } from '@flotilla/client';
import { ApiError, apiErrors, applyMergePatch, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import { TestEventStream } from './event-stream.testing.ts';

interface LogEntry {
  readonly collection: string;
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

interface Target {
  /** `/api/v1/configmaps`: the same for all namespaces. */
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

interface Watch {
  readonly target: Target;
  readonly stream: TestEventStream;
}

export class ScriptedServer implements Transport {
  revision = 1;
  isReachable = true;
  /** While false, changes reach watches only through `deliver`, as over a slow network. */
  isDelivering = true;
  /** Whether watches may request initial events. */
  hasStreamingLists = true;
  /** A streaming list stops after this number of objects, without its last bookmark. */
  streamLimit = Number.POSITIVE_INFINITY;
  /** Maximum number of objects in a page. */
  pageLimit = Number.POSITIVE_INFINITY;
  /** Every request as method and target: `PUT /api/v1/namespaces/default/configmaps/a`. */
  readonly requests: string[] = [];
  /** Called before each request is answered; may throw an ApiError or wait. */
  before: (request: TransportRequest) => void | Promise<void> = () => {};
  #objects = new Map<string, Map<string, KubeObject>>();
  /** The remaining objects of unfinished lists, by continue token. */
  readonly #pages = new Map<string, KubeObject[]>();
  #log: LogEntry[] = [];
  #undelivered: LogEntry[] = [];
  #compacted = 0;
  #uids = 0;
  readonly #watches = new Set<Watch>();

  /** Requests that change something. */
  get writes(): readonly string[] {
    return this.requests.filter((request) => !request.startsWith('GET '));
  }

  list(collection: string): KubeObject[] {
    return [...this.#collection(collection)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  get(collection: string, key: string): KubeObject | undefined {
    return this.#collection(collection).get(key);
  }

  put(collection: string, object: KubeObject): KubeObject {
    const { namespace, name = '' } = object.metadata;
    const key = namespace ? `${namespace}/${name}` : name;
    const old = this.get(collection, key);
    const uid = old?.metadata.uid ?? `uid-${++this.#uids}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++this.revision) } };
    this.#collection(collection).set(key, stored);
    this.#record({ collection, revision: this.revision, type: old ? 'MODIFIED' : 'ADDED', object: stored });
    return stored;
  }

  remove(collection: string, key: string): KubeObject | undefined {
    const old = this.get(collection, key);
    if (old === undefined) return undefined;
    this.#collection(collection).delete(key);
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(++this.revision) } };
    this.#record({ collection, revision: this.revision, type: 'DELETED', object });
    return object;
  }

  /** Sends changes to watches that were held back. */
  deliver(which: (entry: { readonly object: KubeObject }) => boolean = () => true): void {
    const entries = this.#undelivered.filter(which);
    this.#undelivered = this.#undelivered.filter((entry) => !entries.includes(entry));
    for (const entry of entries) this.#deliver(entry);
  }

  /** Sends a bookmark to all watches. */
  bookmark(): void {
    const metadata = { resourceVersion: String(this.revision) };
    for (const { stream } of this.#watches) stream.push({ type: 'BOOKMARK', object: { metadata } });
  }

  /** Drops the history up to now: watches must begin at a later revision. */
  compact(): void {
    this.#compacted = this.revision;
    this.#log = [];
    this.#pages.clear();
  }

  /** Breaks all connections. Unread events are lost. */
  cut(): void {
    this.#endWatches(new ConnectionError('socket hang up', 'cut'));
  }

  /** Ends all watches without an error, as after their timeout. */
  endWatches(): void {
    this.#endWatches(undefined);
  }

  restart({ losesData }: { readonly losesData: boolean }): void {
    this.cut();
    if (!losesData) return;
    this.#objects = new Map();
    this.#log = [];
    this.#pages.clear();
    this.#compacted = 0;
    this.revision = 1;
  }

  get watching(): number {
    return this.#watches.size;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (!this.isReachable) throw new ConnectionError('connect ECONNREFUSED', 'unreachable');
    this.requests.push(`${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`);
    try {
      await this.before(request);
      return this.#answer(request);
    } catch (error) {
      if (error instanceof ApiError) return answer(error.code, error.status);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.cut();
  }

  #answer(request: TransportRequest): TransportResponse {
    const target = targetOf(request.path);
    const query = new URLSearchParams(request.query);
    switch (request.method) {
      case 'GET':
        if (query.get('watch') === 'true') return this.#watch(target, query, request.signal);
        return target.name === undefined ? this.#page(target, query) : answer(200, this.#existing(target));
      case 'POST':
        return answer(201, this.#create(target, bodyOf(request) as KubeObject));
      case 'PUT':
        return answer(200, this.#update(target, bodyOf(request) as KubeObject));
      case 'PATCH':
        return answer(200, this.#patch(target, bodyOf(request)));
      default:
        return answer(200, this.#delete(target, bodyOf(request)));
    }
  }

  #page(target: Target, query: URLSearchParams): TransportResponse {
    const token = query.get('continue') ?? undefined;
    const rest = token === undefined ? this.#itemsOf(target) : this.#pages.get(token);
    if (rest === undefined) throw apiErrors.expired('The provided continue parameter is too old');
    const at = token?.split(':')[1] ?? String(this.revision);
    const limit = Math.min(Number(query.get('limit') ?? this.pageLimit), this.pageLimit);
    const items = rest.slice(0, limit);
    const next = rest.length > limit ? { continue: this.#keepPage(rest.slice(limit), at) } : {};
    return answer(200, { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: at, ...next }, items });
  }

  #itemsOf(target: Target): KubeObject[] {
    return this.list(target.collection).filter(({ metadata }) => isIn(target, metadata.namespace));
  }

  #keepPage(rest: KubeObject[], at: string): string {
    const token = `${this.#pages.size}:${at}`;
    this.#pages.set(token, rest);
    return token;
  }

  #watch(target: Target, query: URLSearchParams, signal: AbortSignal | undefined): TransportResponse {
    const isStream = query.get('sendInitialEvents') === 'true';
    if (isStream && !this.hasStreamingLists) {
      throw apiErrors.badRequest(
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      );
    }
    const after = isStream ? this.revision : Number(query.get('resourceVersion'));
    if (after < this.#compacted) throw apiErrors.expired(`too old resource version: ${after} (${this.#compacted})`);
    const watch = { target, stream: new TestEventStream(signal) };
    this.#watches.add(watch);
    signal?.addEventListener('abort', () => this.#watches.delete(watch), { once: true });
    if (isStream) this.#sendInitialEvents(watch);
    for (const entry of this.#log) if (entry.revision > after) send(watch, entry);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch.stream };
  }

  #sendInitialEvents({ target, stream }: Watch): void {
    const items = this.#itemsOf(target);
    for (const object of items.slice(0, this.streamLimit)) stream.push({ type: 'ADDED', object });
    if (items.length > this.streamLimit) return;
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const metadata = { resourceVersion: String(this.revision), annotations };
    stream.push({ type: 'BOOKMARK', object: { metadata } });
  }

  #create(target: Target, object: KubeObject): KubeObject {
    const { name = '' } = object.metadata;
    const key = target.namespace === undefined ? name : `${target.namespace}/${name}`;
    if (this.get(target.collection, key) !== undefined) throw apiErrors.alreadyExists(groupResource(target), name);
    return this.put(target.collection, {
      ...object,
      metadata: { ...object.metadata, namespace: target.namespace ?? '' },
    });
  }

  #update(target: Target, object: KubeObject): KubeObject {
    const existing = this.#existing(target);
    this.#checkVersion(target, existing, object.metadata.resourceVersion);
    const { status: _, ...rest } = object;
    const next =
      target.subresource === 'status' ? { ...existing, status: object['status'] ?? null } : { ...existing, ...rest };
    return this.put(target.collection, next);
  }

  #patch(target: Target, patch: JsonObject): KubeObject {
    const existing = this.#existing(target);
    const patched = applyMergePatch(existing, patch) as KubeObject;
    this.#checkVersion(target, existing, patched.metadata.resourceVersion);
    return this.put(target.collection, patched);
  }

  #delete(target: Target, options: JsonObject): KubeObject {
    const existing = this.#existing(target);
    const { uid } = (options['preconditions'] ?? {}) as { readonly uid?: string };
    if (uid !== undefined && uid !== existing.metadata.uid) this.#conflict(target);
    return this.remove(target.collection, keyIn(target)) ?? existing;
  }

  #existing(target: Target): KubeObject {
    const existing = this.get(target.collection, keyIn(target));
    if (existing === undefined) throw apiErrors.notFound(groupResource(target), target.name ?? '');
    return existing;
  }

  #checkVersion(target: Target, { metadata }: KubeObject, asked: string | undefined): void {
    if (asked !== undefined && asked !== metadata.resourceVersion) this.#conflict(target);
  }

  #conflict(target: Target): never {
    throw apiErrors.conflict(groupResource(target), target.name ?? '', 'the object has been modified');
  }

  #collection(collection: string): Map<string, KubeObject> {
    const objects = this.#objects.get(collection) ?? new Map<string, KubeObject>();
    this.#objects.set(collection, objects);
    return objects;
  }

  #record(entry: LogEntry): void {
    this.#log.push(entry);
    if (this.isDelivering) this.#deliver(entry);
    else this.#undelivered.push(entry);
  }

  #deliver(entry: LogEntry): void {
    for (const watch of this.#watches) send(watch, entry);
  }

  #endWatches(error: Error | undefined): void {
    for (const { stream } of this.#watches) stream.end(error);
    this.#watches.clear();
  }
}

function send({ target, stream }: Watch, { collection, type, object }: LogEntry): void {
  if (collection === target.collection && isIn(target, object.metadata.namespace)) stream.push({ type, object });
}

function isIn(target: Target, namespace: string | undefined): boolean {
  return target.namespace === undefined || target.namespace === namespace;
}

function targetOf(path: string): Target {
  const match =
    /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(path);
  const [, root = '', namespace, plural = '', name, subresource] = match ?? [];
  return { collection: `${root}/${plural}`, namespace, name, subresource };
}

function keyIn({ namespace, name = '' }: Target): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function groupResource({ collection }: Target): { readonly group: string; readonly resource: string } {
  const parts = collection.split('/');
  return { group: parts.length > 4 ? (parts[2] ?? '') : '', resource: parts.at(-1) ?? '' };
}

function bodyOf({ body }: TransportRequest): JsonObject {
  return body === undefined ? {} : (JSON.parse(new TextDecoder().decode(body.bytes)) as JsonObject);
}

function answer(status: number, value: JsonValue | object): TransportResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { status, headers: { 'content-type': 'application/json' }, body: once(bytes) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
