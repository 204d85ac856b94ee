/** The informers of the kinds that placements select from, each held while a placement uses it. */
import type { Kind } from '@flotilla/kube';
import { kindText, type HeldInformer, type Informer, type InformerSet, type ObjectChange } from '@flotilla/runtime';

export interface FollowedKindsOptions {
  readonly informers: InformerSet;
  readonly changed: (kind: Kind, change: ObjectChange) => void;
  /** Any object of the kind may have changed. */
  readonly reopened: (kind: Kind) => void;
  /** The informer of the kind has synced, some time after `use`. */
  readonly synced: (kind: Kind) => void;
}

interface FollowedKind {
  readonly kind: Kind;
  readonly held: HeldInformer;
  readonly unfollow: () => void;
  uses: number;
}

export class FollowedKinds {
  readonly #options: FollowedKindsOptions;
  readonly #kinds = new Map<string, FollowedKind>();

  constructor(options: FollowedKindsOptions) {
    this.#options = options;
  }

  /** Each call needs one of `release`. */
  use(kind: Kind): Informer {
    const followed = this.#kinds.get(kindText(kind)) ?? this.#follow(kind);
    followed.uses++;
    return followed.held.informer;
  }

  release(kind: Kind): void {
    const followed = this.#kinds.get(kindText(kind));
    if (followed === undefined || --followed.uses > 0) return;
    this.#kinds.delete(kindText(kind));
    void end(followed);
  }

  /** Undefined if the kind is not in use. */
  find(kind: Kind): Informer | undefined {
    return this.#kinds.get(kindText(kind))?.held.informer;
  }

  async stop(): Promise<void> {
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    await Promise.all(kinds.map(end));
  }

  #follow(kind: Kind): FollowedKind {
    const { informers, changed, reopened, synced } = this.#options;
    const held = informers.hold(kind);
    const unfollow = held.informer.follow({
      changed: (change) => changed(kind, change),
      reopened: () => reopened(kind),
    });
    const followed = { kind, held, unfollow, uses: 0 };
    this.#kinds.set(kindText(kind), followed);
    if (!held.informer.isSynced) {
      void held.informer.whenReady().then(() => {
        if (this.#kinds.get(kindText(kind)) === followed) synced(kind);
      });
    }
    return followed;
  }
}

async function end({ unfollow, held }: FollowedKind): Promise<void> {
  unfollow();
  await held.release();
}
