import { extname } from 'node:path';
import type { Client } from '@flotilla/client';
import { startHubControllers, type HubSettings } from '@flotilla/controllers';
import { administrator, silentLogger, type User } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { fleetAdmission } from './fleet-admission.ts';
import { furnishHub, grantHub, hubUser } from './install-hub.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';

export interface StartHubOptions extends Omit<StartServerOptions, 'bare'> {
  /** How it looks after its members. */
  readonly settings?: HubSettings;
}

/** A hub at work. */
export interface RunningHub {
  readonly url: string;
  readonly port: number;
  /** How to reach it as administrator: entries for a kubeconfig, and a whole one as text. */
  readonly access: Kubeconfig;
  readonly kubeconfig: string;
  /** What it runs on. */
  readonly server: RunningServer;
  /** In process: as administrator, or in somebody's name. Whoever asks for it closes it. */
  readonly client: (user?: User) => Promise<Client>;
  /** Whether its controllers and its housekeeping have nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Beside this file, written as it is: in a bundle neither ends in `.ts`. */
const heavy = {
  program: new URL(`./hub-heavy-worker${extname(import.meta.url)}`, import.meta.url),
  addedAdmission: fleetAdmission.map(({ name }) => name),
};

/** A hub on its own API server: the server, the fleet's kinds and admission, and the controllers that look after members. */
export async function startHub(options: StartHubOptions = {}): Promise<RunningHub> {
  const admission = [...fleetAdmission, ...(options.server?.admission ?? [])];
  const server = await startServer({ ...options, server: { ...options.server, admission }, heavy });
  try {
    const { url, port, access, kubeconfig } = server;
    const { isAtRest, stop } = await moveIn(server, options);
    return {
      url,
      port,
      access,
      kubeconfig,
      server,
      client: (user = administrator) => server.clientAs(user),
      isAtRest: () => isAtRest() && server.isAtRest(),
      stop: async () => {
        await stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function moveIn(server: RunningServer, options: StartHubOptions): Promise<Pick<RunningHub, 'isAtRest' | 'stop'>> {
  const { clock = systemClock, random = Math.random, logger = silentLogger, settings = {} } = options;
  const owner = await server.clientAs(administrator);
  await Promise.all([furnishHub(owner), grantHub(owner, settings.networkingAgents ?? false)]);
  await owner.close();
  const client = await server.clientAs(hubUser, 'flotilla-hub');
  const { metrics, turns } = server;
  const controllers = startHubControllers({ client, clock, turns, random, logger, metrics, settings });
  await controllers.ready;
  return {
    isAtRest: controllers.isAtRest,
    stop: async () => {
      await controllers.stop();
      await client.close();
    },
  };
}
