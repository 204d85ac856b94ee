import {
  freshCredentials,
  identityWithFiles,
  keptCredentials,
  renewedCredentials,
  type Clock,
  type KeptCredentials,
  type ServerIdentity,
  type ServingFiles,
} from '@flotilla/apiserver';

interface ServerCredentialsOptions {
  /** Where they are kept; without it they live as long as the server. */
  readonly directory: string | undefined;
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly files: ServingFiles;
  /** The administrator has another certificate. The one before stays good for months. */
  readonly adminRenewed: () => void;
}

/** What a server is known by, renewed when it is asked for. */
export class ServerCredentials {
  readonly #options: ServerCredentialsOptions;
  #current: KeptCredentials | undefined;

  constructor(options: ServerCredentialsOptions) {
    this.#options = options;
  }

  /** As of the last look. */
  get current(): KeptCredentials {
    if (!this.#current) throw new Error('nobody has looked for credentials yet');
    return this.#current;
  }

  /** Makes or renews what is due, reads files again, and returns what the server should show now. */
  async look(): Promise<ServerIdentity> {
    const before = this.#current;
    const current = await this.#load();
    const identity = await identityWithFiles(current.server, this.#options.files);
    this.#current = current;
    if (before && before.admin !== current.admin) this.#options.adminRenewed();
    return identity;
  }

  #load(): KeptCredentials | Promise<KeptCredentials> {
    const { directory, hosts, clock } = this.#options;
    const now = new Date(clock.now());
    const before = this.#current;
    if (directory !== undefined) return keptCredentials(directory, hosts, now, before);
    return before ? renewedCredentials(before, hosts, now) : freshCredentials(hosts, now);
  }
}
