import { createClient, findAccess, httpTransport, type Client } from '@flotilla/client';
import { explainAccessError } from '../explain-access-error.ts';
import { explainMissingFleet } from './explain-missing-fleet.ts';
import { findServer } from './find-server.ts';

/** How a user names a server; without either, kubectl's rules find it. */
export interface HubAddress {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** What the kubeconfig says beside the credentials. */
export interface HubContext {
  /** Where objects are looked for if the user names no namespace. */
  readonly namespace: string;
  readonly url: string;
}

/** Connects to a hub, and closes the connection after use. Errors of the kubeconfig and of the hub are UserErrors. */
export async function withHub(
  { kubeconfig, context }: HubAddress,
  use: (hub: Client, context: HubContext) => Promise<void>,
): Promise<void> {
  try {
    const { transport, impersonate, namespace } = await findAccess({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      environment: process.env,
    });
    const hub = createClient(httpTransport(transport), impersonate && { impersonate });
    await use(hub, { namespace, url: transport.server }).finally(() => hub.close());
  } catch (error) {
    throw explainAccessError(error);
  }
}

/** The same for the server of `findServer`. Says on standard error which one that is, unless the user named it. */
export async function withFoundHub(address: HubAddress, use: (hub: Client) => Promise<void>): Promise<void> {
  const found = await findServer(address);
  const { kubeconfig, source } = found;
  await withHub({ kubeconfig, context: address.context }, async (hub, { url }) => {
    if (source !== undefined) process.stderr.write(`${serverText(source, url)}\n`);
    await use(hub);
  }).catch((error: unknown) => {
    throw explainMissingFleet(error, found);
  });
}

export function serverText(source: string, url: string): string {
  return `Using ${source} at ${url}.`;
}
