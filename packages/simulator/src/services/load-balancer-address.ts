import { createHash } from 'node:crypto';
import type { IpFamily } from './pod-endpoint.ts';

/** An address of a load balancer, from the ranges that are reserved for benchmarks. The same name has the same address. */
export function loadBalancerAddress(name: string, family: IpFamily): string {
  const [a = 0, b = 0, c = 0] = createHash('sha1').update(name).digest();
  return family === 'IPv6' ? `2001:2::${hex(a)}:${hex(b)}:${hex(c)}` : `198.${18 + (a & 1)}.${b}.${c}`;
}

/** Never zero, so that the address is in canonical form. */
function hex(byte: number): string {
  return (byte + 1).toString(16);
}
