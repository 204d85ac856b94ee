import {
  createClient,
  findAccess,
  httpTransport,
  type Client,
  type Environment,
  type HttpTransportOptions,
  type Impersonation,
} from '@flotilla/client';
import { systemClock } from '@flotilla/timing';
import { UserFault } from '../user-error.ts';
import type { ConnectionFlags } from './agent-flags.ts';
import { limitsIn, type RequestLimits } from './agent-settings.ts';
import { hubInEnvironment } from './hub-from-environment.ts';
import { limitedTransport } from './limited-transport.ts';
import { withHeaders, type ExtraHeaders } from './request-headers.ts';

/** One of the two servers that an agent stands between. */
export interface Cluster {
  readonly url: string;
  readonly client: Client;
  /** By which the server is known, PEM. */
  readonly authority: () => Promise<string | undefined>;
}

export interface Clusters {
  readonly name: string;
  readonly hub: Cluster;
  readonly member: Cluster;
}

/** Where flags say nothing, environment variables do. Nothing is sent yet. */
export async function connectClusters(flags: ConnectionFlags, environment: Environment): Promise<Clusters> {
  const name = flags.name ?? environment['MEMBER_CLUSTER_NAME'];
  if (!name) throw new UserFault('which member? Name it with --name, or with MEMBER_CLUSTER_NAME.');
  const limits = limitsIn(flags);
  const [hub, member] = await Promise.all([hubAccess(flags, environment), memberAccess(flags, environment)]);
  return { name, hub: clusterOf(hub, limits.hub), member: clusterOf(member, limits.member) };
}

interface Access {
  readonly transport: HttpTransportOptions;
  readonly impersonate?: Impersonation;
  readonly headers?: ExtraHeaders;
}

function hubAccess(flags: ConnectionFlags, environment: Environment): Promise<Access> {
  const { hubKubeconfig: kubeconfig, hubContext: context } = flags;
  if (kubeconfig !== undefined)
    return findAccess({ kubeconfig, ...(context !== undefined && { context }), environment });
  if (context !== undefined) throw new UserFault('--hub-context is of no use without --hub-kubeconfig.');
  const isInsecure = flags.tlsInsecure === 'true';
  return hubInEnvironment(environment, { usesCertificate: flags.useCaAuth === 'true', isInsecure });
}

export function memberAccess(
  { memberKubeconfig: kubeconfig, memberContext: context }: Pick<ConnectionFlags, 'memberKubeconfig' | 'memberContext'>,
  environment: Environment,
): Promise<Access> {
  return findAccess({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    environment,
  });
}

/** Who writes, as servers note it. */
const userAgent = 'flotilla-agent';

export function clusterOf({ transport: options, impersonate, headers }: Access, limits?: RequestLimits): Cluster {
  const plain = httpTransport(options);
  const limited = limits ? limitedTransport(plain, limits, systemClock) : plain;
  const transport = headers && Object.keys(headers).length > 0 ? withHeaders(limited, headers) : limited;
  return {
    url: options.server,
    client: createClient(transport, { userAgent, ...(impersonate && { impersonate }) }),
    authority: async () => (await options.credentials?.current())?.authority,
  };
}
