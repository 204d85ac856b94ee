import { BlockList, isIP } from 'node:net';

/** Nobody gets to this machine itself, or to what only its own link can see, by way of a proxy. */
const local = new BlockList();
local.addAddress('0.0.0.0');
local.addAddress('255.255.255.255');
local.addSubnet('127.0.0.0', 8);
local.addSubnet('169.254.0.0', 16);
local.addSubnet('224.0.0.0', 4);
local.addAddress('::', 'ipv6');
local.addAddress('::1', 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
local.addSubnet('ff00::', 8, 'ipv6');

export function isProxyable(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !local.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
