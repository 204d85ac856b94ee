import type { KubeObject, ObjectKey, Outline, Kind } from '@flotilla/kube';

/** All objects of one kind that can be deleted, followed as they come and go. */
export interface Collection {
  readonly kind: Kind;
  /** The newest state that anybody can see. */
  readonly get: (key: ObjectKey) => Promise<Readonly<KubeObject> | undefined>;
  readonly outline: (key: ObjectKey) => Promise<Outline | undefined>;
  readonly contents: (namespace?: string) => Promise<readonly Item[]>;
  readonly stop: () => void;
}

export interface Item {
  readonly key: ObjectKey;
  readonly outline: Outline;
}

export interface CollectionChange extends Item {
  readonly kind: Kind;
  /** `FOUND` is what was there when somebody first looked. */
  readonly type: 'FOUND' | 'ADDED' | 'MODIFIED' | 'DELETED';
  /** At least its metadata; of a deletion, the last state. */
  readonly object: () => Readonly<KubeObject>;
}

export interface CollectionListener {
  readonly changed: (change: CollectionChange) => void;
  /** What happened to the objects of this kind meanwhile was not told, and never will be. */
  readonly missed: (kind: Kind) => void;
  /** Other kinds are served than before. */
  readonly discovered?: () => void;
}
