import { controllerManager } from '@flotilla/kube';
import { startSimulator } from '@flotilla/simulator';
import { ManualClock, seededRandom, settle, startTestServer } from '@flotilla/testkit';
import { createNodes, type Cluster } from './cluster.ts';

export interface SimulatedCluster extends Cluster {
  readonly stop: () => Promise<void>;
}

/** Our server in memory with the simulator's controllers, without its scheduler and kubelets: the harness plays these. */
export async function startSimulatedCluster(): Promise<SimulatedCluster> {
  const clock = new ManualClock();
  const server = await startTestServer({ clock, housekeeping: true });
  const { client } = server;
  const simulator = await startSimulator({
    client: server.connect({ user: controllerManager }),
    clock,
    random: seededRandom(1),
    runsPods: false,
  });
  await createNodes(client, clock.now());
  const isAtRest = (): boolean => server.isAtRest() && simulator.isAtRest();
  return {
    client,
    now: () => clock.now(),
    wait: (milliseconds) => clock.advance(milliseconds),
    settle: async (_namespace, milliseconds) => {
      let before: number;
      do {
        before = server.store.revision;
        await clock.advance(milliseconds);
        await settle(clock, isAtRest, { stepMs: 10 });
      } while (server.store.revision !== before);
    },
    stop: async () => {
      await simulator.stop();
      await server.stop();
    },
  };
}
