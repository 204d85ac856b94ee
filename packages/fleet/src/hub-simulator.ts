import { administrator, controllerManager, silentLogger } from '@flotilla/kube';
import {
  installNodes,
  installStorageClass,
  startSimulator,
  type NodeShape,
  type RunningSimulator,
  type WorkloadBehaviour,
} from '@flotilla/simulator';
import { systemClock } from '@flotilla/timing';
import type { RunningServer, StartServerOptions } from './start-server.ts';

/** How the workloads of a hub are simulated. */
export interface HubSimulator {
  readonly nodes: readonly NodeShape[];
  readonly behaviour: WorkloadBehaviour;
}

/** Gives a hub nodes and a storage class, and its workloads a simulated life. */
export async function startHubSimulator(
  server: RunningServer,
  { nodes, behaviour }: HubSimulator,
  { clock = systemClock, random = Math.random, logger = silentLogger }: StartServerOptions,
): Promise<Pick<RunningSimulator, 'isAtRest' | 'stop'>> {
  const owner = await server.clientAs(administrator);
  const installed = [installNodes(owner, new Date(clock.now()), nodes), installStorageClass(owner)];
  await Promise.all(installed).finally(() => owner.close());
  const client = await server.clientAs(controllerManager);
  const { turns, metrics } = server;
  const simulator = await startSimulator({ client, clock, turns, random, logger, metrics, behaviour });
  return {
    isAtRest: simulator.isAtRest,
    stop: async () => {
      await simulator.stop();
      await client.close();
    },
  };
}
