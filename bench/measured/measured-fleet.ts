/** A durable hub and clusters in memory, each in a process of its own. Figures start the agents themselves. */
import { writeFileSync } from 'node:fs';
import { memberClusterConditions, memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { kubeconfigText, memberCredentials, registerMember } from '@flotilla/fleet';
import type { BenchContext } from '../bench-context.ts';
import { clientOf } from './client-of.ts';
import type { AgentAccess } from './measured-agent.ts';
import { startCluster, startHub, type FlotillaServer, type MeasuredServer } from './measured-server.ts';

export interface MeasuredFleet {
  readonly hub: MeasuredServer;
  /** As administrator. */
  readonly hubClient: Client;
  readonly clusters: readonly MeasuredCluster[];
  /** Resolves when the hub reports all of them as joined. */
  readonly allJoined: () => Promise<void>;
}

export interface MeasuredCluster {
  readonly name: string;
  readonly server: MeasuredServer;
  /** As administrator. */
  readonly client: Client;
  /** For its agent. */
  readonly access: AgentAccess;
}

/** Runs `use` with a hub and registered members, and stops all servers. */
export async function withFleet<T>(
  context: BenchContext,
  names: readonly string[],
  use: (fleet: MeasuredFleet) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<void>)[] = [];
  const running = async (starting: Promise<FlotillaServer>) => {
    const server = await starting;
    const client = clientOf(server);
    stops.push(() => client.close(), server.stop);
    return { server, client };
  };
  try {
    const { server: hub, client: hubClient } = await running(startHub(context.newDirectory()));
    const clusters: MeasuredCluster[] = [];
    for (const name of names) {
      const directory = context.newDirectory();
      const hubKubeconfig = await register(hubClient, hub, name, directory);
      const { server, client } = await running(startCluster(directory));
      clusters.push({ name, server, client, access: { name, hubKubeconfig, memberKubeconfig: server.kubeconfig } });
    }
    return await use({ hub, hubClient, clusters, allJoined: () => allJoined(hubClient, names) });
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Returns the file name of the agent's kubeconfig for the hub. */
async function register(hub: Client, { target }: MeasuredServer, name: string, directory: string): Promise<string> {
  await registerMember(hub, name);
  const { token } = await memberCredentials(hub, name);
  const authority = Buffer.from(target.authority).toString('base64');
  const cluster = { server: target.url, 'certificate-authority-data': authority };
  const file = `${directory}-hub-kubeconfig`;
  writeFileSync(file, kubeconfigText({ name, cluster, user: { token } }), { mode: 0o600 });
  return file;
}

async function allJoined(hub: Client, names: readonly string[]): Promise<void> {
  const waiting = new Set(names);
  const watching = new AbortController();
  for await (const { object } of hub.watch(memberClusters, { resourceVersion: '0', signal: watching.signal })) {
    if (hasJoined(object)) waiting.delete(object.metadata.name ?? '');
    if (waiting.size === 0) watching.abort();
  }
}

function hasJoined({ status }: MemberCluster): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: holds }) => type === memberClusterConditions.joined && holds === 'True',
    ) ?? false
  );
}
