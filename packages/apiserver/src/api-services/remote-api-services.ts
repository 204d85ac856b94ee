import { formatTime, type ApiHandler, type JsonObject, type KubeObject } from '@flotilla/kube';
import { apiServicesCollection, apiServicesPath, send, serverRequest } from '../own-requests/server-request.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Cursor, Entry, StoreEvent } from '../store/store.ts';
import type { Server } from '../call/server.ts';
import { unavailability, type ApiServiceSpec, type EndpointSlice, type Service } from './availability.ts';

const slices = 'endpointslices.discovery.k8s.io';
const serviceLabel = 'kubernetes.io/service-name';

type Dependencies = Pick<Server, 'store' | 'now' | 'registry'>;

/**
 * Writes the condition Available of APIServices with a service, and registers their group versions. Watches Services and
 * EndpointSlices from the first such APIService on, so that other servers pay nothing.
 */
export class RemoteApiServices {
  readonly #server: Dependencies;
  readonly #handle: ApiHandler;
  /** The service of each APIService as `namespace/name`, by name of the APIService. */
  readonly #remote = new Map<string, string>();
  readonly #cursors = new Set<Cursor>();
  #isWatchingServices = false;
  #isStopped = false;

  constructor(server: Dependencies, handle: ApiHandler) {
    this.#server = server;
    this.#handle = handle;
  }

  start(): void {
    for (const entry of this.#server.store.snapshot().range(apiServicesCollection, '')) this.#observe(entry);
    this.#watch(
      apiServicesCollection,
      (event) => this.#changed(event),
      () => this.start(),
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const cursor of this.#cursors) cursor.close();
    this.#cursors.clear();
  }

  #changed({ type, entry }: StoreEvent): void {
    if (type === 'put') this.#observe(entry);
    else this.#remove(entry.key.name);
  }

  #remove(name: string): void {
    this.#remote.delete(name);
    this.#server.registry.removeRemote(name);
  }

  #observe(entry: Entry): void {
    const { name } = entry.key;
    // Most have none, and every embedded server has two dozen of them.
    const spec = mayHaveService(entry.bytes) ? specOf(decodeStored(entry.bytes)) : {};
    const { service } = spec;
    if (!service) {
      this.#remove(name);
      return;
    }
    const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
    const { registry } = this.#server;
    registry.putRemote({ name, group, version, groupPriority: groupPriorityMinimum, versionPriority });
    this.#remote.set(name, `${service.namespace}/${service.name}`);
    this.#watchServices();
    this.#reconcile(name);
  }

  #watchServices(): void {
    if (this.#isWatchingServices) return;
    this.#isWatchingServices = true;
    this.#watchRelated('services', ({ key }) => key.name);
    this.#watchRelated(slices, ({ key, header }) => {
      const [namespace = ''] = key.name.split('/');
      return `${namespace}/${header.labels?.[serviceLabel] ?? ''}`;
    });
  }

  /** Reconciles the APIServices of a changed object, and all of them after a compaction. */
  #watchRelated(collection: string, serviceOf: (entry: Entry) => string): void {
    const changed = ({ entry }: StoreEvent): void => this.#serviceChanged(serviceOf(entry));
    this.#watch(collection, changed, () => {
      for (const name of this.#remote.keys()) this.#reconcile(name);
      this.#watchRelated(collection, serviceOf);
    });
  }

  #serviceChanged(service: string): void {
    for (const [name, named] of this.#remote) if (named === service) this.#reconcile(name);
  }

  /** Watches from the newest revision. Calls `onCompacted` and stops if the store compacted unread events. */
  #watch(collection: string, changed: (event: StoreEvent) => void, onCompacted: () => void): void {
    const { store } = this.#server;
    const cursor = store.watch({ collection, prefix: '' }, store.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursors.add(cursor);
    const pull = (): void => {
      if (this.#isStopped) return;
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') {
          this.#cursors.delete(cursor);
          cursor.close();
          onCompacted();
          return;
        }
        changed(event);
      }
      cursor.onReady(pull);
    };
    pull();
  }

  /** Ignores conflicts: the write that won emits an event, which reconciles again. */
  #reconcile(name: string): void {
    void this.#write(name).catch(() => undefined);
  }

  async #write(name: string): Promise<void> {
    const { store, now } = this.#server;
    const entry = store.get({ collection: apiServicesCollection, name });
    if (!entry || this.#isStopped) return;
    const object = decodeStored(entry.bytes);
    const spec = specOf(object);
    const { namespace = '', name: service = '' } = spec.service ?? {};
    if (!spec.service) return;
    const found = store.get({ collection: 'services', name: `${namespace}/${service}` });
    const because = unavailability(
      spec,
      found && (decodeStored(found.bytes) as Service),
      this.#slicesOf(namespace, service),
    );
    const status = withUnavailable(object, because, now());
    if (!status) return;
    const query = 'fieldManager=kube-apiserver';
    await send(
      this.#handle,
      serverRequest('PUT', `${apiServicesPath}/${name}/status`, { query, object: { ...object, status } }),
    );
  }

  #slicesOf(namespace: string, service: string): EndpointSlice[] {
    return Iterator.from(this.#server.store.snapshot().range(slices, `${namespace}/`))
      .filter(({ header }) => header.labels?.[serviceLabel] === service)
      .map(({ bytes }) => decodeStored(bytes) as EndpointSlice)
      .toArray();
  }
}

function mayHaveService(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"service":');
}

function specOf(object: KubeObject): ApiServiceSpec {
  return (object['spec'] ?? {}) as ApiServiceSpec;
}

interface Condition extends JsonObject {
  type: string;
  status: string;
}

/** The status with the condition; undefined if it is there already. */
function withUnavailable(
  object: KubeObject,
  because: { reason: string; message: string },
  now: Date,
): JsonObject | undefined {
  const { conditions = [], ...rest } = (object['status'] ?? {}) as { conditions?: Condition[] };
  const before = conditions.find(({ type }) => type === 'Available');
  const isSame =
    before?.status === 'False' && before['reason'] === because.reason && before['message'] === because.message;
  if (isSame) return undefined;
  const since = before?.status === 'False' ? (before['lastTransitionTime'] ?? null) : formatTime(now);
  const available = {
    lastTransitionTime: since,
    message: because.message,
    reason: because.reason,
    status: 'False',
    type: 'Available',
  };
  return { ...rest, conditions: [...conditions.filter(({ type }) => type !== 'Available'), available] };
}
