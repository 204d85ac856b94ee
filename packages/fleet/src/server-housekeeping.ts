import { checkPolicyTypes, type ApiServer } from '@flotilla/apiserver';
import { createClient, inProcessTransport } from '@flotilla/client';
import { controllerManager, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Housekeeping, SignCertificate } from '@flotilla/housekeeping';
import type { Clock, LoopTurns } from '@flotilla/timing';

export interface ServerHousekeepingOptions {
  readonly clock: Clock;
  readonly turns: LoopTurns;
  /** In [0, 1). */
  readonly random: () => number;
  /** The CA that pods verify the server with, PEM. */
  readonly rootCertificate: string;
  /** Undefined for embedded servers, which accept no client certificates. */
  readonly signCertificate?: SignCertificate | undefined;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Whether controllers without objects sleep: for embedded servers, of which there are many. */
  readonly sleepsWithoutObjects?: boolean;
  /** The revision at which housekeeping had nothing left to do, if that is known. */
  readonly restedAt?: number | undefined;
}

/** The first client should find service accounts in the namespaces, but must not wait for a long queue. */
const maxTurns = 20_000;

/** Counts turns of the event loop, because the clock of a test may stand still. */
async function untilAtRest({ isAtRest }: Housekeeping, turns: LoopTurns): Promise<void> {
  for (let turn = 0; turn < maxTurns && !isAtRest(); turn++) {
    // Its first keys wait for other work, too.
    await new Promise<void>((resolve) => turns.afterAll(resolve));
  }
}

/** Starts housekeeping for a server of this process. Imports it here, so that a bare server does not load it. */
export async function startServerHousekeeping(
  api: ApiServer,
  options: ServerHousekeepingOptions,
): Promise<Housekeeping> {
  const { handle, view, viewBuiltins, signSecretToken: signToken, parts } = api;
  const { clock, turns } = options;
  const { startHousekeeping } = await import('@flotilla/housekeeping');
  const transport = inProcessTransport(handle, controllerManager, view, viewBuiltins);
  const client = createClient(transport, { clock, turns, userAgent: 'kube-controller-manager' });
  const housekeeping = await startHousekeeping({
    ...options,
    client,
    signToken,
    checkPolicyTypes: (policy) => checkPolicyTypes(policy, parts.registry),
  });
  await untilAtRest(housekeeping, turns);
  return {
    ...housekeeping,
    stop: async () => {
      await housekeeping.stop();
      await client.close();
    },
  };
}
