import type { Asking } from '../flow.ts';
import { TimedRatio } from './timed-ratio.ts';

/** kube-apiserver's buckets. */
const bounds = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];

type Phase = 'waiting' | 'executing';
type RequestKind = 'readOnly' | 'mutating';

/** Requests of all priority levels that wait or have seats, over time. */
export class ReadWriteUsage {
  readonly waiting: Readonly<Record<RequestKind, TimedRatio>>;
  readonly executing: Readonly<Record<RequestKind, TimedRatio>>;

  constructor(now: number) {
    const ratio = (): TimedRatio => new TimedRatio(bounds, now);
    this.waiting = { readOnly: ratio(), mutating: ratio() };
    this.executing = { readOnly: ratio(), mutating: ratio() };
  }

  add(phase: Phase, asking: Asking, amount: number, now: number): void {
    this[phase][kindOf(asking)].add(amount, now);
  }

  /** The limits of each phase are those of reads and writes together. */
  setLimits(limits: Readonly<Record<Phase, number>>, now: number): void {
    for (const phase of ['waiting', 'executing'] as const) {
      for (const ratio of Object.values(this[phase])) ratio.setLimit(limits[phase], now);
    }
  }

  advance(now: number): void {
    for (const ratios of [this.waiting, this.executing]) {
      for (const ratio of Object.values(ratios)) ratio.advance(now);
    }
  }
}

function kindOf({ info, request }: Asking): RequestKind {
  const verb = info.isResource ? info.verb : request.method.toLowerCase();
  return verb === 'get' || verb === 'list' || verb === 'watch' ? 'readOnly' : 'mutating';
}
