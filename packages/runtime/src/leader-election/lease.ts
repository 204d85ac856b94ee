import { formatMicroTime, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';

/** coordination.k8s.io/v1 Lease. */
export interface Lease extends KubeObject {
  spec?: LeaseSpec;
}

export interface LeaseSpec extends JsonObject {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

export const leases: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

interface Term {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** Begins a term, or goes on with one. */
export function heldBy({ identity, durationMs, now }: Term, before: LeaseSpec = {}): LeaseSpec {
  const { holderIdentity = '', acquireTime, leaseTransitions = 0 } = before;
  const time = formatMicroTime(now);
  const isSameTerm = holderIdentity === identity;
  const isFirstTerm = Object.keys(before).length === 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.floor(durationMs / 1000),
    acquireTime: isSameTerm ? (acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: isSameTerm || isFirstTerm ? leaseTransitions : leaseTransitions + 1,
  };
}

/** Nobody's, and over in a second: the next may begin at once. */
export function released({ leaseTransitions = 0 }: LeaseSpec, now: Date): LeaseSpec {
  const time = formatMicroTime(now);
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
}
