import { formatMicroTime, type LeaseSpec } from '@flotilla/kube';

interface Term {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** The spec of a new or continued term. */
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

/** Without a holder and valid for a second, so that the next candidate can acquire it at once. */
export function released({ leaseTransitions = 0 }: LeaseSpec, now: Date): LeaseSpec {
  const time = formatMicroTime(now);
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
}
