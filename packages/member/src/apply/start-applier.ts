import { memberNamespace } from '@flotilla/api';
import type { ApplierOptions } from './applier-options.ts';
import { releaseWorks } from './release-works.ts';
import { WorkApplier } from './work-applier.ts';

/** Makes a member look as its Works say. Does nothing before it is told to join. */
export interface Applier {
  /** From now on Works are applied. Those who have joined already go on. */
  join(): void;
  /** Ends that and lets the hub have its Works back; what is on the member stays. May be called without having joined. */
  leave(): Promise<void>;
  /** Nothing to do before something changes or time passes. */
  isAtRest(): boolean;
  /** Ends what is in work and leaves everything as it is. */
  stop(): Promise<void>;
}

export function startApplier(options: ApplierOptions): Applier {
  const { hub, name, logger } = options;
  const withLogger = { ...options, logger: logger.with({ controller: 'work-applier' }) };
  let applier: WorkApplier | undefined;
  /** Leaves that have not come to their end: who joins meanwhile waits for them. */
  let leaving = 0;
  let wantsToBeMember = false;
  let isStopped = false;

  const join = (): void => {
    wantsToBeMember = true;
    if (!isStopped && leaving === 0) applier ??= new WorkApplier(withLogger);
  };
  const end = async (): Promise<void> => {
    const ended = applier;
    applier = undefined;
    await ended?.stop();
  };
  return {
    join,
    leave: async () => {
      wantsToBeMember = false;
      leaving++;
      try {
        await end();
        await releaseWorks(hub, memberNamespace(name));
      } finally {
        leaving--;
        if (wantsToBeMember) join();
      }
    },
    isAtRest: () => leaving === 0 && (applier?.isAtRest ?? true),
    stop: async () => {
      isStopped = true;
      await end();
    },
  };
}
