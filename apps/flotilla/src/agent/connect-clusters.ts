import {
  createClient,
  findAccess,
  httpTransport,
  type Client,
  type Environment,
  type HttpTransportOptions,
  type Impersonation,
  type Transport,
} from '@flotilla/client';
import { TokenBucket } from '@flotilla/runtime';
import { pause, systemClock, type Clock } from '@flotilla/timing';
import { UserError } from '../user-error.ts';
import type { ConnectionFlags } from './agent-flags.ts';
import { limitsIn, type RequestLimits } from './agent-settings.ts';
import { hubFromEnvironment } from './hub-from-environment.ts';
import { withHeaders, type ExtraHeaders } from './request-headers.ts';

/** The hub or the member of an agent. */
export interface Cluster {
  readonly url: string;
  readonly client: Client;
  /** The CA that the agent verifies the server with, PEM. */
  readonly authority: () => Promise<string | undefined>;
  /** The file of a kubeconfig that the token is read from, again and again. */
  readonly tokenFile?: string;
}

export interface Clusters {
  readonly name: string;
  readonly hub: Cluster;
  readonly member: Cluster;
}

/** Flags take precedence over environment variables. Sends no request. */
export async function connectClusters(flags: ConnectionFlags, environment: Environment): Promise<Clusters> {
  const name = flags.name ?? environment['MEMBER_CLUSTER_NAME'];
  if (!name) throw new UserError('the name of the member is missing; set --name or MEMBER_CLUSTER_NAME.');
  const limits = limitsIn(flags);
  const [hub, member] = await Promise.all([hubAccess(flags, environment), memberAccess(flags, environment)]);
  return { name, hub: clusterOf(hub, limits.hub), member: clusterOf(member, limits.member) };
}

interface Access {
  readonly transport: HttpTransportOptions;
  readonly impersonate?: Impersonation;
  readonly headers?: ExtraHeaders;
  readonly tokenFile?: string;
}

function hubAccess(flags: ConnectionFlags, environment: Environment): Promise<Access> {
  const { hubKubeconfig: kubeconfig, hubContext: context } = flags;
  if (kubeconfig !== undefined)
    return findAccess({ kubeconfig, ...(context !== undefined && { context }), environment });
  if (context !== undefined) throw new UserError('--hub-context only applies with --hub-kubeconfig.');
  const isInsecure = flags.tlsInsecure === 'true';
  return hubFromEnvironment(environment, { usesCertificate: flags.useCaAuth === 'true', isInsecure });
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

/** Servers derive the default field manager from it. */
const userAgent = 'flotilla-agent';

export function clusterOf(
  { transport: options, impersonate, headers, tokenFile }: Access,
  limits?: RequestLimits,
): Cluster {
  const plain = httpTransport(options);
  const limited = limits ? limitedTransport(plain, limits, systemClock) : plain;
  const transport = headers && Object.keys(headers).length > 0 ? withHeaders(limited, headers) : limited;
  return {
    url: options.server,
    client: createClient(transport, { userAgent, ...(impersonate && { impersonate }) }),
    authority: async () => (await options.credentials?.current())?.authority,
    ...(tokenFile !== undefined && { tokenFile }),
  };
}

/** Delays requests beyond the limits. */
export function limitedTransport(transport: Transport, { perSecond, burst }: RequestLimits, clock: Clock): Transport {
  const bucket = new TokenBucket(perSecond, burst, clock.elapsed());
  return {
    ...transport,
    send: async (request) => {
      const waitMs = bucket.reserve(clock.elapsed());
      if (waitMs > 0) await pause(clock, waitMs, request.signal);
      request.signal?.throwIfAborted();
      return transport.send(request);
    },
  };
}
