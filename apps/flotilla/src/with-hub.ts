import { connect, type Client } from '@flotilla/client';
import { explainAccessError } from './explain-access-error.ts';

/** How a user names a server; without either, kubectl's rules find it. */
export interface HubAddress {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Connects to a hub, and closes the connection after use. Errors of the kubeconfig and of the hub are UserErrors. */
export async function withHub({ kubeconfig, context }: HubAddress, use: (hub: Client) => Promise<void>): Promise<void> {
  try {
    const hub = await connect({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      environment: process.env,
    });
    await use(hub).finally(() => hub.close());
  } catch (error) {
    throw explainAccessError(error);
  }
}
