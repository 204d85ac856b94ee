import { memberNamespace, workFinalizer, works, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, isConflict, isNotFound } from '@flotilla/kube';
import type { ApplierOptions } from './applier-options.ts';
import { withoutFinalizer } from './delete-work.ts';
import { WorkApplier } from './work-applier.ts';

/** Applies the Works of a member. Does nothing before `join`. */
export interface Applier {
  /** Starts applying Works. Has no effect if it has joined already. */
  join(): void;
  /** Stops applying Works and removes their finalizers; objects on the member stay. Needs no `join` before. */
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

/** Attempts for a Work that changes meanwhile. After that the call fails, and the caller retries. */
const maxTries = 5;

/** Removes the agent's finalizer from all Works, so that the hub can delete them. Objects and AppliedWorks stay on the member. */
async function releaseWorks(hub: Client, namespace: string): Promise<void> {
  for await (const work of hub.each(works, { namespace })) await releaseWork(hub, work);
}

async function releaseWork(hub: Client, found: Work): Promise<void> {
  const { namespace, name = '' } = found.metadata;
  let work: Work | undefined = found;
  for (let tries = 1; work?.metadata.finalizers?.includes(workFinalizer) === true; tries++) {
    try {
      await hub.update(works, withoutFinalizer(work));
      return;
    } catch (error) {
      if (!(isConflict(error) || isNotFound(error)) || tries >= maxTries) throw error;
      work = await hub.get(works, { namespace, name }).catch(ignoreNotFound);
    }
  }
}
