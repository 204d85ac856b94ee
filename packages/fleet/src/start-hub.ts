import type { Client } from '@flotilla/client';
import type { User } from '@flotilla/kube';
import type { Kubeconfig } from './kubeconfig.ts';
import { startServer, type StartServerOptions } from './start-server.ts';

/** How a hub looks after its members; everything as KubeFleet has it when nothing is said. */
export interface MembershipOptions {
  /** How long a member that leaves may take before the hub lets go of it; 15 minutes. */
  readonly forceDeleteWaitMs?: number;
  /** After how long without a heartbeat a cluster counts as unhealthy in its profile; a minute. */
  readonly unhealthyAfterMs?: number;
  /** Whether members also run the agents of fleet networking, and have joined when those have too. */
  readonly networkingAgents?: boolean;
  /** Whether members are shown as ClusterProfiles; they are when nothing is said. */
  readonly clusterProfiles?: boolean;
}

export interface StartHubOptions extends Omit<StartServerOptions, 'bare'>, MembershipOptions {}

/** A hub at work. */
export interface RunningHub {
  readonly url: string;
  readonly port: number;
  /** How to reach it as administrator: entries for a kubeconfig, and a whole one as text. */
  readonly access: Kubeconfig;
  readonly kubeconfig: string;
  /** In process: as administrator, or in somebody's name. Whoever asks for it closes it. */
  readonly client: (user?: User) => Promise<Client>;
  /** Whether its controllers have nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const administrator: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A hub on its own API server: the server, the fleet's kinds, and the controllers that look after them. */
export async function startHub(options: StartHubOptions = {}): Promise<RunningHub> {
  const server = await startServer(options);
  const { url, port, access, kubeconfig } = server;
  return {
    url,
    port,
    access,
    kubeconfig,
    client: (user = administrator) => server.clientAs(user),
    isAtRest: () => true,
    stop: () => server.close(),
  };
}
