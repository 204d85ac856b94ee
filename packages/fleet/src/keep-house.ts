import type { ApiServer } from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Clock } from '@flotilla/client';
import type { Logger, MetricsRegistry, User } from '@flotilla/kube';
import type { Housekeeping } from '@flotilla/housekeeping';

/** As whom housekeeping comes to the server. */
const housekeeper: User = {
  name: 'system:kube-controller-manager',
  groups: ['system:masters', 'system:authenticated'],
};

export interface KeepHouseOptions {
  readonly clock: Clock;
  /** By which pods know the server, PEM. */
  readonly rootCertificate: string;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Gives a server of this process its housekeeping. A bare server does not even load it. */
export async function keepHouse(api: ApiServer, options: KeepHouseOptions): Promise<Housekeeping> {
  const { handle, view, signSecretToken: signToken } = api;
  const { clock } = options;
  const { startHousekeeping } = await import('@flotilla/housekeeping');
  const transport = inProcessTransport(handle, housekeeper, view);
  const client = createClient(transport, { clock, userAgent: 'kube-controller-manager' });
  const housekeeping = await startHousekeeping({ ...options, client, random: Math.random, signToken });
  return {
    ...housekeeping,
    stop: async () => {
      await housekeeping.stop();
      await client.close();
    },
  };
}
