/** Whether another server that an APIService names can be asked, in Kubernetes' words. */

export interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  /** Absent: this server itself. */
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

/** What is in the way. Something always is: this server asks no other one. */
export function unavailability(
  { group = '', version = '', service: reference = {} }: ApiServiceSpec,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
): Unavailable {
  const { namespace = '', name = '', port = 443 } = reference;
  const place = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return { reason: 'ServiceNotFound', message: `${place} is not present` };
  const { type, externalName = '', ports = [] } = service.spec ?? {};
  if (type === 'ClusterIP') {
    const found = ports.find((candidate) => candidate.port === port);
    if (!found) return { reason: 'ServicePortError', message: `${place} is not listening on port ${port}` };
    if (slices.length === 0) {
      return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${place}` };
    }
    const { name: portName = '' } = found;
    if (!slices.some((slice) => hasReadyPort(slice, portName))) {
      const message = `endpointslices for ${place} have no addresses with port name ${JSON.stringify(portName)}`;
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
