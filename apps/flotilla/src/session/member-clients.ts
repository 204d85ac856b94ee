import { createClient, findAccess, httpTransport, loadKubeconfig, type Client } from '@flotilla/client';
import type { HubAddress } from './with-hub.ts';

/**
 * Clients of the members that `flotilla up` serves beside its hub. Their access stands in the kubeconfig of the hub. It is found by its
 * address, because contexts may have any name, and another fleet a member of the same name.
 */
export class MemberClients {
  readonly #kubeconfig: string | undefined;
  readonly #hubUrl: string;
  readonly #clients = new Map<string, Promise<Client | undefined>>();

  constructor({ kubeconfig }: HubAddress, hubUrl: string) {
    this.#kubeconfig = kubeconfig;
    this.#hubUrl = hubUrl;
  }

  /** Returns undefined for a cluster elsewhere. */
  readonly get = (member: string): Promise<Client | undefined> => {
    const known = this.#clients.get(member) ?? this.#connect(`${this.#hubUrl}/clusters/${member}`);
    this.#clients.set(member, known);
    return known;
  };

  async #connect(server: string): Promise<Client | undefined> {
    const environment = process.env;
    const config = await loadKubeconfig(this.#kubeconfig, environment);
    const [context] =
      Array.from(config?.contexts ?? []).find(([, { cluster }]) => config?.clusters.get(cluster)?.server === server) ??
      [];
    if (context === undefined) return undefined;
    const kubeconfig = this.#kubeconfig;
    const { transport } = await findAccess({ ...(kubeconfig !== undefined && { kubeconfig }), context, environment });
    return createClient(httpTransport(transport));
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await (await client.catch(() => undefined))?.close();
  }
}
