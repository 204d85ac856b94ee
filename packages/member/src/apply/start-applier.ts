import { memberNamespace } from '@flotilla/api';
import type { ApplierOptions } from './applier-options.ts';
import { releaseWorks } from './release-works.ts';
import { WorkApplier } from './work-applier.ts';

/** Applies the Works of a member. Does nothing before `join`. */
export interface Applier {
  /** Starts to apply Works. Has no effect if it has joined already. */
  join(): void;
  /** Stops to apply Works and removes their finalizers; objects on the member stay. Needs no `join` before. */
  leave(): Promise<void>;
  /** Whether there is nothing to do until something changes or time passes. */
  isAtRest(): boolean;
  /** Stops without changes to hub or member. */
  stop(): Promise<void>;
}

export function startApplier(options: ApplierOptions): Applier {
  const { hub, name, logger } = options;
  const withLogger = { ...options, logger: logger.with({ controller: 'work-applier' }) };
  let applier: WorkApplier | undefined;
  /** Number of running leaves. A join waits for them. */
  let leaving = 0;
  let shouldJoin = false;
  let isStopped = false;

  const join = (): void => {
    shouldJoin = true;
    if (!isStopped && leaving === 0) applier ??= new WorkApplier(withLogger);
  };
  const stopApplier = async (): Promise<void> => {
    const stopping = applier;
    applier = undefined;
    await stopping?.stop();
  };
  return {
    join,
    leave: async () => {
      shouldJoin = false;
      leaving++;
      try {
        await stopApplier();
        await releaseWorks(hub, memberNamespace(name));
      } finally {
        leaving--;
        if (shouldJoin) join();
      }
    },
    isAtRest: () => leaving === 0 && (applier?.isAtRest ?? true),
    stop: async () => {
      isStopped = true;
      await stopApplier();
    },
  };
}
