import {
  finishCredentials,
  freshCredentials,
  identityWithFiles,
  loadCredentials,
  makeCredentials,
  overdueCertificate,
  renewedCredentials,
  signRequest,
  UnusableCredentials,
  type CredentialSet,
  type RequestedCertificate,
  type ServerIdentity,
  type ServingFiles,
} from '@flotilla/apiserver';
import type { Clock } from '@flotilla/timing';

interface ServerCredentialsOptions {
  /** Undefined: in memory. */
  readonly directory: string | undefined;
  /** Whether to create keys, to complete a first start that ended early, or to use the existing keys. */
  readonly plan: 'make' | 'finish' | 'use';
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly files: ServingFiles;
  /** Called when the administrator has a new certificate. The old one stays valid for months. */
  readonly adminRenewed: () => void;
  /** Called once when a certificate is overdue and the CA key that signs it is missing. */
  readonly cannotRenew: (error: Error) => void;
}

/** The keys and certificates of a server, renewed when they are loaded. */
export class ServerCredentials {
  readonly #options: ServerCredentialsOptions;
  #current: CredentialSet | undefined;
  #reportedOverdue: string | undefined;

  constructor(options: ServerCredentialsOptions) {
    this.#options = options;
  }

  /** As last loaded. */
  get current(): CredentialSet {
    if (!this.#current) throw new Error('credentials are not loaded yet');
    return this.#current;
  }

  /** Creates or renews certificates that are due, reads files again, and returns the identity to serve with. */
  async load(): Promise<ServerIdentity> {
    const before = this.#current;
    const current = await this.#loadOwn();
    const identity = await identityWithFiles(current.server, this.#options.files);
    this.#current = current;
    if (before && before.admin.certificate !== current.admin.certificate) this.#options.adminRenewed();
    this.#reportOverdue(current);
    return identity;
  }

  /** Signs a certificate for a client or a kubelet. Undefined without the CA key. */
  async sign(wanted: RequestedCertificate): Promise<string | undefined> {
    const { authorityKey: key, server } = this.current;
    return key === undefined ? undefined : signRequest({ key, certificate: server.authority }, wanted);
  }

  /** Call after the first data is stored: makes new keys permanent. */
  async finish(): Promise<void> {
    const { directory, plan } = this.#options;
    if (directory !== undefined && plan === 'make') await finishCredentials(directory);
  }

  async #loadOwn(): Promise<CredentialSet> {
    const { directory, plan, hosts, clock } = this.#options;
    const now = new Date(clock.now());
    const before = this.#current;
    if (directory === undefined) return before ? renewedCredentials(before, hosts, now) : freshCredentials(hosts, now);
    if (!before && plan === 'make') return makeCredentials(directory, hosts, now);
    if (!before && plan === 'finish') await finishCredentials(directory);
    return loadCredentials(directory, hosts, now, before);
  }

  #reportOverdue(current: CredentialSet): void {
    const overdue = overdueCertificate(current, new Date(this.#options.clock.now()));
    if (overdue !== undefined && overdue !== this.#reportedOverdue) {
      this.#options.cannotRenew(new UnusableCredentials(overdue));
    }
    this.#reportedOverdue = overdue;
  }
}
