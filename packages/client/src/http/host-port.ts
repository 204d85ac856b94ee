import { BlockList, isIP } from 'node:net';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return { host, port: port === '' ? (defaultPorts.get(protocol) ?? 0) : Number(port) };
}

/** Default ports of servers and proxies. */
const defaultPorts: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
  ['socks5:', 1080],
  ['socks5h:', 1080],
]);

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8);
addresses.addAddress('::1', 'ipv6');

/** Whether the host is this machine, so that no network is between. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return addresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
