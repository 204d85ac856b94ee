import { IpPool } from './ip-pool.ts';
import { PortPool } from './port-pool.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, nodePortsOf, type ServiceSpec } from './service-fields.ts';

/** The addresses and ports that one Service holds, or that one write takes or releases. */
export interface ServiceClaims {
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

interface ServiceNetworkOptions {
  readonly cidrs: readonly string[];
  readonly nodePorts: { readonly first: number; readonly last: number };
}

/** The defaults of kube-apiserver. */
export const defaultServiceNetwork: ServiceNetworkOptions = {
  cidrs: ['10.0.0.0/24'],
  nodePorts: { first: 30000, last: 32767 },
};

/** What Services allocate from: cluster IPs and node ports. Single-stack IPv4, as a default cluster. */
export class ServiceNetwork {
  readonly ips: IpPool;
  readonly ports: PortPool;

  constructor({ cidrs, nodePorts }: ServiceNetworkOptions = defaultServiceNetwork) {
    this.ips = new IpPool(cidrs);
    this.ports = new PortPool(nodePorts);
  }

  take({ ips, ports }: ServiceClaims): void {
    for (const ip of ips) this.ips.take(ip);
    for (const port of ports) this.ports.take(port);
  }

  release({ ips, ports }: ServiceClaims): void {
    for (const ip of ips) this.ips.release(ip);
    for (const port of ports) this.ports.release(port);
  }
}

/** Everything that a stored Service holds: taken when the server starts, released when the Service is deleted. */
export function claimsOf(spec: ServiceSpec): ServiceClaims {
  const { healthCheckNodePort = 0 } = spec;
  const healthCheck = needsHealthCheck(spec) && healthCheckNodePort > 0 ? [healthCheckNodePort] : [];
  return { ips: clusterIPsHeld(spec), ports: [...nodePortsOf(spec), ...healthCheck] };
}

export function clusterIPsHeld(spec: ServiceSpec): string[] {
  return needsClusterIP(spec) && !isHeadless(spec) ? (spec.clusterIPs ?? []).filter((ip) => ip.includes('.')) : [];
}
