import { BlockList, isIP } from 'node:net';

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8);
addresses.addAddress('::1', 'ipv6');

/** Whether a host is this machine: no network is in between. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return addresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
