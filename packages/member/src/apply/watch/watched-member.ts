/** What is watched on the member while it has Works; a member without any is left in peace. */
import { appliedWorks, type AppliedWork } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import { InformerSet, type Informer } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { AppliedObjects } from './applied-objects.ts';
import { MemberKinds } from './member-kinds.ts';

export interface WatchedMemberOptions {
  readonly member: Client;
  readonly clock: Clock;
  readonly turns?: LoopTurns | undefined;
  readonly random: () => number;
  readonly logger: Logger;
  /** Something that concerns the Work of this name is not as its last round left it. */
  readonly wake: (work: string) => void;
  /** `now` is undefined when the AppliedWork is gone. */
  readonly appliedWorkChanged: (now: AppliedWork | undefined, old: AppliedWork | undefined) => void;
  readonly kindsChanged: (group: string) => void;
}

export interface WatchedMember {
  /** Of AppliedWorks. */
  readonly appliedWorks: Informer;
  readonly kinds: MemberKinds;
  readonly objects: AppliedObjects;
  readonly stop: () => Promise<void>;
}

export function watchMember(options: WatchedMemberOptions): WatchedMember {
  const { member, clock, turns, random, logger, wake } = options;
  const informers = new InformerSet({ client: member, clock, turns, random, logger });
  const held = informers.hold(appliedWorks);
  const unsubscribe = held.informer.subscribe((now, old, isLive) => {
    // What was there when the watch began is no change.
    if (isLive || old !== undefined) {
      options.appliedWorkChanged(now as AppliedWork | undefined, old as AppliedWork | undefined);
    }
  });
  const kinds = new MemberKinds({ client: member, clock, informers, groupChanged: options.kindsChanged });
  const objects = new AppliedObjects({ informers, wake });
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
