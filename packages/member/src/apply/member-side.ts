/** What is watched on the member while it has Works; a member without any is left in peace. */
import { appliedWorks, type AppliedWork } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { AppliedObjects } from './applied-objects.ts';
import { MemberKinds } from './member-kinds.ts';
import { NewestObjects } from './newest-objects.ts';

export interface MemberSideOptions {
  readonly member: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Something that concerns the Work of this name is not as its last round left it. */
  readonly wake: (work: string) => void;
  /** The AppliedWork of this name was changed by somebody else, or is gone. */
  readonly appliedWorkChanged: (name: string) => void;
  readonly kindsChanged: (group: string) => void;
}

export interface MemberSide {
  readonly appliedWorks: NewestObjects<AppliedWork>;
  readonly kinds: MemberKinds;
  readonly objects: AppliedObjects;
  readonly close: () => Promise<void>;
}

export function openMemberSide(options: MemberSideOptions): MemberSide {
  const { member, clock, random, logger, wake } = options;
  const informers = new InformerSet({ client: member, clock, random, logger });
  const held = informers.hold(appliedWorks);
  const newest = new NewestObjects<AppliedWork>(held.informer, (now, old, isLive) => {
    // What was there when the watch began is no change.
    if (isLive || old !== undefined) options.appliedWorkChanged((now ?? old)?.metadata.name ?? '');
  });
  const kinds = new MemberKinds({ client: member, clock, informers, groupChanged: options.kindsChanged });
  const objects = new AppliedObjects({ informers, wake });
  return {
    appliedWorks: newest,
    kinds,
    objects,
    close: async () => {
      newest.end();
      await Promise.all([objects.clear(), kinds.close(), held.release()]);
    },
  };
}
