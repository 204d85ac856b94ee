import type { ApiHandler } from '@flotilla/kube';
import { ensureObject } from '../../own-requests/ensure-object.ts';
import { apiServicesCollection, apiServicesPath, send, serverRequest } from '../../own-requests/server-request.ts';
import type { Server } from '../../call/server.ts';

const maxRounds = 3;
const automanaged = 'kube-aggregator.kubernetes.io/automanaged';

type Dependencies = Pick<Server, 'registry' | 'store' | 'now'>;

/**
 * Keeps an APIService for every group version that definitions serve, with a lower priority than all built-in groups, as
 * kube-apiserver does. APIServices that users created are left alone.
 */
export class CustomApiServices {
  readonly #server: Dependencies;
  readonly #handle: ApiHandler;
  /** Group versions that are being reconciled. */
  readonly #busy = new Set<string>();

  constructor(server: Dependencies, handle: ApiHandler) {
    this.#server = server;
    this.#handle = handle;
  }

  /** Call when a resource of the group version begins or ceases to be served. */
  enqueue(group: string, version: string): void {
    const name = `${version}.${group}`;
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    // Deferred: a definition that changes is removed and added in the same turn.
    queueMicrotask(() => {
      void this.#reconcile(group, version, name)
        // The next change or the next start repairs a failed write.
        .catch(() => undefined)
        .finally(() => this.#busy.delete(name));
    });
  }

  async #reconcile(group: string, version: string, name: string): Promise<void> {
    // A write may conflict with another, so it is checked again. An object with finalizers stays.
    for (let round = 0; round < maxRounds; round++) {
      const isServed = this.#server.registry.hasVersion(group, version);
      const entry = this.#server.store.get({ collection: apiServicesCollection, name });
      if (isServed === (entry !== undefined)) return;
      if (isServed) await this.#register(group, version, name);
      else if (entry?.header.labels?.[automanaged] !== 'true') return;
      else await send(this.#handle, serverRequest('DELETE', `${apiServicesPath}/${name}`));
    }
  }

  #register(group: string, version: string, name: string): Promise<void> {
    const object = {
      kind: 'APIService',
      apiVersion: 'apiregistration.k8s.io/v1',
      metadata: { name, labels: { [automanaged]: 'true' } },
      spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 100 },
    };
    return ensureObject(this.#handle, { path: apiServicesPath, object }, this.#server.now());
  }
}
