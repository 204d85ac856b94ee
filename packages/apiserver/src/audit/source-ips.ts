import { isIP } from 'node:net';
import type { ApiRequest } from '@flotilla/kube';

/** More addresses are a client's invention. */
const maxForwarded = 32;

/**
 * The client's address and those of proxies before it. A client can claim any address but the last. In process there is no
 * address.
 */
export function sourceIps({ headers, remoteAddress }: Pick<ApiRequest, 'headers' | 'remoteAddress'>): string[] {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',', maxForwarded).map(address).filter(isAddress);
  const real = address(headers['x-real-ip'] ?? '');
  if (isAddress(real) && !forwarded.includes(real)) forwarded.push(real);
  const remote = address(remoteAddress ?? '');
  if (isAddress(remote) && forwarded.at(-1) !== remote) forwarded.push(remote);
  return forwarded;
}

/** Go prints an IPv4 address that was mapped to IPv6 as IPv4. */
function address(text: string): string {
  return text.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}
