/** What proves to a server who asks, and to us who the server is, as it stands right now. */
export interface Identity {
  /** Whole header: `Bearer …`. */
  readonly authorization?: string;
  /** PEM, as are the others. */
  readonly certificate?: string;
  readonly key?: string;
  /** Without one, the system's authorities are trusted. */
  readonly authority?: string;
}

/** Where identities come from: files that rotate, plugins that are asked. */
export interface Credentials {
  /** The same object as before while nothing changed. */
  readonly current: () => Identity | Promise<Identity>;
  /** The server answered 401 to this one: what comes next must be looked up afresh. */
  readonly refused: (identity: Identity) => void;
}

export function fixedCredentials(identity: Identity): Credentials {
  return { current: () => identity, refused: () => undefined };
}
