import type { ApiHandler } from '@flotilla/kube';
import { ensureObject } from '../../own-requests/ensure-object.ts';
import { apiServicesCollection, apiServicesPath, send, serverRequest } from '../../own-requests/server-request.ts';
import type { Server } from '../../call/server.ts';

const maxRounds = 3;
const automanaged = 'kube-aggregator.kubernetes.io/automanaged';

type Dependencies = Pick<Server, 'registry' | 'store' | 'now'>;

/**
 * Keeps an APIService for every group version that definitions serve: kube-apiserver registers them so, below all of its own
 * groups. Those that somebody else made are left alone.
 */
export class CustomApiServices {
  readonly #server: Dependencies;
  readonly #handle: ApiHandler;
  /** Group versions that are being looked at. */
  readonly #busy = new Set<string>();

  constructor(server: Dependencies, handle: ApiHandler) {
    this.#server = server;
    this.#handle = handle;
  }

  /** Something began or ceased to be served there. */
  note(group: string, version: string): void {
    const name = `${version}.${group}`;
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    // Not now: a definition that changes goes and comes back in the same turn.
    queueMicrotask(() => {
      void this.#reconcile(group, version, name)
        // What could not be written is noticed at the next change, or the next start.
        .catch(() => undefined)
        .finally(() => this.#busy.delete(name));
    });
  }

  async #reconcile(group: string, version: string, name: string): Promise<void> {
    // Things may change meanwhile, but nobody changes them for ever; what finalizers hold stays.
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
