import type { LoadedKind } from './loaded-kind.ts';

/** The messages to and from the load generator. */
export type Workload =
  /** Creates `count` copies of a CRD, and waits until all are served. */
  | { readonly work: 'define'; readonly first: number; readonly count: number; readonly inFlight: number }
  | {
      readonly work: 'create';
      readonly kind: LoadedKind;
      readonly prefix: string;
      readonly count: number;
      readonly inFlight: number;
    }
  | {
      readonly work: 'get';
      readonly kind: LoadedKind;
      readonly prefix: string;
      readonly objects: number;
      readonly count: number;
      readonly inFlight: number;
    }
  /** Reads the resource versions that `put` starts from. */
  | {
      readonly work: 'prepare-put';
      readonly kind: LoadedKind;
      readonly prefix: string;
      readonly objects: number;
      readonly inFlight: number;
    }
  | {
      readonly work: 'put';
      readonly kind: LoadedKind;
      readonly prefix: string;
      readonly objects: number;
      readonly count: number;
      readonly inFlight: number;
    }
  | { readonly work: 'list'; readonly kind: LoadedKind; readonly count: number }
  /** Creates objects while `watches` watches are open, at full rate or at `perSecond`. */
  | {
      readonly work: 'watch';
      readonly prefix: string;
      readonly watches: number;
      readonly count: number;
      readonly inFlight: number;
      readonly perSecond?: number;
    };

export interface LoadResult {
  readonly seconds: number;
  readonly perSecond: number;
  /** Of a request; for watches from sending a create to receiving its event. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly clientCpuMs: number;
  readonly bytes?: number;
  readonly events?: number;
}

/** A server's address and its administrator's credentials, PEM. */
export interface Target {
  readonly url: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export type Answer = { readonly result: LoadResult } | { readonly error: string };
