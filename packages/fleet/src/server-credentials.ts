import {
  finishCredentials,
  freshCredentials,
  identityWithFiles,
  loadCredentials,
  makeCredentials,
  overdueCertificate,
  renewedCredentials,
  UnusableCredentials,
  type CredentialSet,
  type ServerIdentity,
  type ServingFiles,
} from '@flotilla/apiserver';
import type { Clock } from '@flotilla/timing';

interface ServerCredentialsOptions {
  /** Where they are kept; without it they live as long as the server. */
  readonly directory: string | undefined;
  /** Whether to make the keys of the directory, to finish what a first start began, or to use those that are there. */
  readonly plan: 'make' | 'finish' | 'use';
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly files: ServingFiles;
  /** The administrator has another certificate. The one before stays good for months. */
  readonly adminRenewed: () => void;
  /** A certificate is due, and the key that signs it is not there. Told once. */
  readonly cannotRenew: (error: Error) => void;
}

/** What a server is known by, renewed when it is asked for. */
export class ServerCredentials {
  readonly #options: ServerCredentialsOptions;
  #current: CredentialSet | undefined;
  #told: string | undefined;

  constructor(options: ServerCredentialsOptions) {
    this.#options = options;
  }

  /** As of the last look. */
  get current(): CredentialSet {
    if (!this.#current) throw new Error('nobody has looked for credentials yet');
    return this.#current;
  }

  /** Makes or renews what is due, reads files again, and returns what the server should show now. */
  async look(): Promise<ServerIdentity> {
    const before = this.#current;
    const current = await this.#load();
    const identity = await identityWithFiles(current.server, this.#options.files);
    this.#current = current;
    if (before && before.admin.certificate !== current.admin.certificate) this.#options.adminRenewed();
    this.#tellOverdue(current);
    return identity;
  }

  /** The first data is stored: new keys are kept from now on. */
  async finish(): Promise<void> {
    const { directory, plan } = this.#options;
    if (directory !== undefined && plan === 'make') await finishCredentials(directory);
  }

  async #load(): Promise<CredentialSet> {
    const { directory, plan, hosts, clock } = this.#options;
    const now = new Date(clock.now());
    const before = this.#current;
    if (directory === undefined) return before ? renewedCredentials(before, hosts, now) : freshCredentials(hosts, now);
    if (!before && plan === 'make') return makeCredentials(directory, hosts, now);
    if (!before && plan === 'finish') await finishCredentials(directory);
    return loadCredentials(directory, hosts, now, before);
  }

  #tellOverdue(current: CredentialSet): void {
    const overdue = overdueCertificate(current, new Date(this.#options.clock.now()));
    if (overdue !== undefined && overdue !== this.#told) this.#options.cannotRenew(new UnusableCredentials(overdue));
    this.#told = overdue;
  }
}
