/** A measured value and the bar that it should meet. */
export interface Measurement {
  readonly figure: string;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly bar?: Bar;
  /** The same on a bare node:http2 and SQLite server, in this run. */
  readonly floor?: number;
  /** The same on kube-apiserver v1.35.8 with etcd, on another day. */
  readonly kubeApiserver?: number;
  /** All cores were full, so other load slowed this down: CPU per operation decides. */
  readonly isCrowded?: boolean;
  /** For diagnosis: printed with `--details` and as JSON only. */
  readonly isDetail?: boolean;
}

export type Unit = 'per second' | 'ms' | 'MiB' | 'events' | 'requests' | 'percent' | 'times' | 'µs';

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

type Verdict = 'met' | 'missed' | 'cores full' | '';

export function verdictOf({ value, bar, isCrowded }: Measurement): Verdict {
  if (!bar) return '';
  const isMet = 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
  if (isMet) return 'met';
  return isCrowded === true ? 'cores full' : 'missed';
}
