/** The watches on the member. They exist only while it has Works. */
import { appliedWorks, type AppliedWork } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import { InformerSet, ServedKinds, type Informer } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { AppliedObjects } from './applied-objects.ts';

export interface WatchedMemberOptions {
  readonly member: Client;
  readonly clock: Clock;
  readonly turns?: LoopTurns | undefined;
  readonly random: () => number;
  readonly logger: Logger;
  /** An object of the Work of this name is not as its last round left it. */
  readonly enqueue: (work: string) => void;
  /** `now` is undefined if the AppliedWork is deleted. */
  readonly appliedWorkChanged: (now: AppliedWork | undefined, old: AppliedWork | undefined) => void;
  readonly kindsChanged: (group: string) => void;
}

export interface WatchedMember {
  readonly appliedWorks: Informer;
  readonly kinds: ServedKinds;
  readonly objects: AppliedObjects;
  readonly stop: () => Promise<void>;
}

export function watchMember(options: WatchedMemberOptions): WatchedMember {
  const { member, clock, turns, random, logger, enqueue } = options;
  const informers = new InformerSet({ client: member, clock, turns, random, logger });
  const held = informers.hold(appliedWorks);
  const unsubscribe = held.informer.subscribe(
    (now, old, isLive) => {
      // Objects of the initial list are no changes.
      if (isLive || old !== undefined) {
        options.appliedWorkChanged(now as AppliedWork | undefined, old as AppliedWork | undefined);
      }
    },
    () => undefined,
  );
  const kinds = new ServedKinds({ client: member, clock, informers });
  kinds.onGroupChanged(options.kindsChanged);
  const objects = new AppliedObjects({ informers, enqueue });
  return {
    appliedWorks: held.informer,
    kinds,
    objects,
    stop: async () => {
      unsubscribe();
      await Promise.all([objects.stop(), kinds.stop(), held.release()]);
    },
  };
}
