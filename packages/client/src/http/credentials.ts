/** What authenticates the client to the server, and the server to the client, at one moment. */
export interface Identity {
  /** The whole header: `Bearer …`. */
  readonly authorization?: string;
  /** PEM, like the key and the authority. */
  readonly certificate?: string;
  readonly key?: string;
  /** Absent: trust the system's certificate authorities. */
  readonly authority?: string;
}

/** Supplies identities from files that rotate and from exec plugins. */
export interface Credentials {
  /** Returns the same object while nothing changed. */
  readonly current: () => Identity | Promise<Identity>;
  /** The server answered 401. The next call of `current` must load again. */
  readonly refused: (identity: Identity) => void;
}

export function fixedCredentials(identity: Identity): Credentials {
  return { current: () => identity, refused: () => undefined };
}
