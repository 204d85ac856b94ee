/** Why the server of an APIService is unavailable, in Kubernetes' words. */

export interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  /** Undefined for APIs of this server. */
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
}

export interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number; readonly name?: string }[];
  };
}

export interface EndpointSlice {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

export interface Unavailable {
  readonly reason: string;
  readonly message: string;
}

/** Always returns a reason, because this server does not proxy requests to other servers. */
export function unavailability(
  { group = '', version = '', service: reference = {} }: ApiServiceSpec,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
): Unavailable {
  const { namespace = '', name = '', port = 443 } = reference;
  const target = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return { reason: 'ServiceNotFound', message: `${target} is not present` };
  const { type, externalName = '', ports = [] } = service.spec ?? {};
  if (type === 'ClusterIP') {
    const found = ports.find((candidate) => candidate.port === port);
    if (!found) return { reason: 'ServicePortError', message: `${target} is not listening on port ${port}` };
    if (slices.length === 0) {
      return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${target}` };
    }
    const { name: portName = '' } = found;
    if (!slices.some((slice) => hasReadyPort(slice, portName))) {
      const message = `endpointslices for ${target} have no addresses with port name ${JSON.stringify(portName)}`;
      return { reason: 'MissingEndpoints', message };
    }
  }
  const host = type === 'ExternalName' ? externalName : `${name}.${namespace}.svc`;
  const url = `https://${host}:${port}/apis/${group}/${version}`;
  const message = `failing or missing response from ${url}: this server does not send requests to other API servers`;
  return { reason: 'FailedDiscoveryCheck', message };
}

function hasReadyPort({ endpoints, ports }: EndpointSlice, portName: string): boolean {
  const isReady = endpoints?.some(({ conditions }) => conditions?.ready !== false) === true;
  return isReady && ports?.some(({ name = '', port }) => name === portName && port !== undefined) === true;
}
