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
 * Keeps the condition Available of APIServices that name another server, and their group versions in the registry. Services and endpoints are followed only while there
 * is one, so that a server without any pays nothing.
 */
export class RemoteApiServices {
  readonly #server: Dependencies;
  readonly #handle: ApiHandler;
  /** By name, the service that it names: `namespace/name`. */
  readonly #remote = new Map<string, string>();
  readonly #cursors = new Set<Cursor>();
  #isFollowingServices = false;
  #isStopped = false;

  constructor(server: Dependencies, handle: ApiHandler) {
    this.#server = server;
    this.#handle = handle;
  }

  start(): void {
    for (const entry of this.#server.store.snapshot().range(apiServicesCollection, '')) this.#observe(entry);
    this.#follow(
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
    else this.#forget(entry.key.name);
  }

  #forget(name: string): void {
    this.#remote.delete(name);
    this.#server.registry.removeRemote(name);
  }

  #observe(entry: Entry): void {
    const { name } = entry.key;
    const spec = specOf(decodeStored(entry.bytes));
    const { service } = spec;
    if (!service) {
      this.#forget(name);
      return;
    }
    const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
    const { registry } = this.#server;
    registry.putRemote({ name, group, version, groupPriority: groupPriorityMinimum, versionPriority });
    this.#remote.set(name, `${service.namespace}/${service.name}`);
    this.#followServices();
    this.#reconcile(name);
  }

  #followServices(): void {
    if (this.#isFollowingServices) return;
    this.#isFollowingServices = true;
    this.#followFromNow('services', ({ key }) => key.name);
    this.#followFromNow(slices, ({ key, header }) => {
      const [namespace = ''] = key.name.split('/');
      return `${namespace}/${header.labels?.[serviceLabel] ?? ''}`;
    });
  }

  /** What changed unseen is looked at as if it had changed now. */
  #followFromNow(followed: string, serviceOf: (entry: Entry) => string): void {
    const changed = ({ entry }: StoreEvent): void => this.#serviceChanged(serviceOf(entry));
    this.#follow(followed, changed, () => {
      for (const name of this.#remote.keys()) this.#reconcile(name);
      this.#followFromNow(followed, serviceOf);
    });
  }

  #serviceChanged(service: string): void {
    for (const [name, named] of this.#remote) if (named === service) this.#reconcile(name);
  }

  /** Follows a collection from now on; `again` is called when history has moved on. */
  #follow(followed: string, changed: (event: StoreEvent) => void, again: () => void): void {
    const { store } = this.#server;
    const cursor = store.watch({ collection: followed, prefix: '' }, store.revision);
    if (cursor === 'compacted') throw new Error('the newest state cannot be watched');
    this.#cursors.add(cursor);
    const pull = (): void => {
      if (this.#isStopped) return;
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') {
          this.#cursors.delete(cursor);
          cursor.close();
          again();
          return;
        }
        changed(event);
      }
      cursor.onReady(pull);
    };
    pull();
  }

  /** A write that loses to another is tried again when that one is seen. */
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

function specOf(object: KubeObject): ApiServiceSpec {
  return (object['spec'] ?? {}) as ApiServiceSpec;
}

interface Condition extends JsonObject {
  type: string;
  status: string;
}

/** The status that says so; undefined if it does already. */
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
