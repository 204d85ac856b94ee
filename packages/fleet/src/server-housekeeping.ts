import type { ApiServer } from '@flotilla/apiserver';
import { createClient, inProcessTransport } from '@flotilla/client';
import { controllerManager, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Housekeeping } from '@flotilla/housekeeping';
import type { Clock, LoopTurns } from '@flotilla/timing';

export interface KeepHouseOptions {
  readonly clock: Clock;
  readonly turns: LoopTurns;
  /** In [0, 1). */
  readonly random: () => number;
  /** By which pods know the server, PEM. */
  readonly rootCertificate: string;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Who comes first should find the namespaces furnished, but need not wait for a house in disorder. */
const patienceTurns = 20_000;

/** Counts turns of the event loop: time may stand still. */
async function firstRest({ isAtRest }: Housekeeping, turns: LoopTurns): Promise<void> {
  for (let turn = 0; turn < patienceTurns && !isAtRest(); turn++) await turns.next();
}

/** Gives a server of this process its housekeeping. A bare server does not even load it. */
export async function keepHouse(api: ApiServer, options: KeepHouseOptions): Promise<Housekeeping> {
  const { handle, view, signSecretToken: signToken } = api;
  const { clock, turns } = options;
  const { startHousekeeping } = await import('@flotilla/housekeeping');
  const transport = inProcessTransport(handle, controllerManager, view);
  const client = createClient(transport, { clock, turns, userAgent: 'kube-controller-manager' });
  const housekeeping = await startHousekeeping({ ...options, client, signToken });
  await firstRest(housekeeping, turns);
  return {
    ...housekeeping,
    stop: async () => {
      await housekeeping.stop();
      await client.close();
    },
  };
}
