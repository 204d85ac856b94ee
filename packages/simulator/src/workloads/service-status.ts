import type { Service } from '../kinds.ts';
import type { NextStatus } from '../status/next-status.ts';

/** A load balancer gets an address of the range reserved for benchmarks, derived from its uid. */
export function serviceStatus({ metadata, spec = {}, status = {} }: Readonly<Service>): NextStatus {
  if (spec.type !== 'LoadBalancer') return { status: { ...status, loadBalancer: {} } };
  // Another load balancer is responsible.
  if (spec.loadBalancerClass !== undefined) return { status };
  const ingress = [{ ip: addressOf(metadata.uid ?? ''), ipMode: 'VIP' }];
  return { status: { ...status, loadBalancer: { ingress } } };
}

function addressOf(uid: string): string {
  const number = Number.parseInt(uid.replaceAll('-', '').slice(0, 4), 16) || 0;
  return `198.18.${number >>> 8}.${number & 255}`;
}
