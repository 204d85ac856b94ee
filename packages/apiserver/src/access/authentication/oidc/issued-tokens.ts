import { isDeepStrictEqual } from 'node:util';
import { textOf, type MetricsRegistry, type User } from '@flotilla/kube';
import { pause } from '@flotilla/timing';
import { ConfigurationError } from '../../../configuration/read-configuration.ts';
import { parseToken } from '../json-web-token.ts';
import { readAuthenticationConfiguration, type AuthenticationConfiguration } from './authentication-configuration.ts';
import { configurationErrors } from './configuration-errors.ts';
import { IssuerMetrics } from './issuer-metrics.ts';
import { TokenIssuer, type IssuedUser, type IssuerDependencies } from './token-issuer.ts';
import { signingAlgorithms } from './token-signature.ts';

export interface AuthenticationOptions {
  readonly configuration: AuthenticationConfiguration;
  /** Names of accepted algorithms; all asymmetric ones by default. */
  readonly signingAlgorithms?: readonly string[];
  /** The text that the configuration was read from. */
  readonly content?: string;
  /** Reads the configuration file again. Absent: the configuration never changes. */
  readonly reread?: () => Promise<string>;
}

interface Dependencies extends Omit<IssuerDependencies, 'signingAlgorithms' | 'issuerMetrics'> {
  readonly metrics: MetricsRegistry;
  /** Issuers of service account tokens. */
  readonly ownIssuers: readonly string[];
}

const rereadMs = 5000;
/** New issuers must be found in this time; otherwise the old ones stay. */
const updateMs = 60_000;

const maxCachedUsers = 10_000;

/** Tokens of the issuers in the configuration. Keeps only digests of tokens. */
export class IssuedTokens {
  readonly #options: AuthenticationOptions;
  readonly #dependencies: Dependencies;
  readonly #metrics: IssuerMetrics;
  readonly #stopping = new AbortController();
  readonly #cancelReread: () => void;
  #issuers: ReadonlyMap<string, TokenIssuer>;
  #cached = new Map<string, { readonly issuer: TokenIssuer; readonly issued: IssuedUser }>();
  #lastContent: string | undefined;
  #updating: Promise<void> | undefined;

  /** Throws a ConfigurationError. */
  constructor(options: AuthenticationOptions, dependencies: Dependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const [error] = configurationErrors(options.configuration, dependencies.ownIssuers);
    if (error) throw new ConfigurationError(`${error.field}: ${error.body}`);
    this.#metrics = new IssuerMetrics(dependencies.metrics, dependencies.clock);
    this.#issuers = this.#start(options.configuration);
    this.#lastContent = options.content;
    if (options.content !== undefined) this.#metrics.configured(options.content);
    const { reread } = options;
    this.#cancelReread = reread
      ? dependencies.clock.every(rereadMs, () => void (this.#updating ??= this.#reread(reread)))
      : () => undefined;
  }

  #start({ jwt }: AuthenticationConfiguration): ReadonlyMap<string, TokenIssuer> {
    const accepted = this.#options.signingAlgorithms ?? signingAlgorithms;
    const dependencies = { ...this.#dependencies, signingAlgorithms: accepted, issuerMetrics: this.#metrics };
    return new Map(jwt.map((each) => [each.issuer.url, new TokenIssuer(each, dependencies)]));
  }

  /** The user of a token that was verified before and still counts. */
  known(digest: string): User | undefined {
    const cached = this.#cached.get(digest);
    return cached?.issuer.isCurrent(cached.issued) ? cached.issued.user : undefined;
  }

  /** The user of a token, or why it is refused. Returns undefined for a token of another issuer. */
  recognise(token: string, digest: string): User | string | undefined | Promise<User | string> {
    const parsed = parseToken(token);
    const issuer = parsed && this.#issuers.get(issuerOf(textOf(parsed.claims['iss'])));
    if (!issuer) return undefined;
    const startedAt = this.#dependencies.clock.elapsed();
    const verified = issuer.verify(parsed);
    const keep = (result: IssuedUser | string): User | string => {
      this.#metrics.verified(issuer.url, typeof result === 'string' ? 'failure' : 'success', startedAt);
      if (typeof result === 'string') return result;
      // The configuration may have changed meanwhile.
      if (this.#issuers.get(issuer.url) === issuer) this.#keep(digest, issuer, result);
      return result.user;
    };
    return verified instanceof Promise ? verified.then(keep) : keep(verified);
  }

  /** Evicts the oldest entry if the cache is full. */
  #keep(digest: string, issuer: TokenIssuer, issued: IssuedUser): void {
    this.#cached.delete(digest);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= maxCachedUsers && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(digest, { issuer, issued });
  }

  /** Never rejects. A file that is invalid, or names an issuer that cannot be reached, changes nothing. */
  async #reread(reread: () => Promise<string>): Promise<void> {
    const { logger } = this.#dependencies;
    try {
      const content = await reread();
      if (content === this.#lastContent) return;
      await this.#update(content);
      logger.info('authentication configuration reloaded', {});
      this.#metrics.reloaded('success');
    } catch (error) {
      logger.error('authentication configuration not reloaded', { error });
      this.#metrics.reloaded('failure');
    } finally {
      this.#updating = undefined;
    }
  }

  async #update(content: string): Promise<void> {
    const { ownIssuers, clock } = this.#dependencies;
    let next: AuthenticationConfiguration;
    try {
      next = readAuthenticationConfiguration(content, ownIssuers);
      if (!isDeepStrictEqual(next.anonymous, this.#options.configuration.anonymous))
        throw new ConfigurationError('anonymous: Forbidden: changed from initial configuration file');
    } catch (error) {
      // It will never be valid, so that it is not read again.
      this.#lastContent = content;
      throw error;
    }
    const started = this.#start(next);
    const all = [...started.values()];
    let isReady = false;
    const ready = Promise.all(all.map((issuer) => issuer.ready)).then(() => void (isReady = true));
    await Promise.race([ready, pause(clock, updateMs, this.#stopping.signal)]);
    if (!isReady) {
      for (const issuer of all) issuer.stop();
      throw new Error(
        `the issuers of the new configuration cannot be reached: ${all.map(({ problem }) => problem).join(', ')}`,
      );
    }
    for (const issuer of this.#issuers.values()) {
      issuer.stop();
      if (!started.has(issuer.url)) this.#metrics.removed(issuer.url);
    }
    this.#issuers = started;
    this.#metrics.configured(content);
    this.#cached = new Map();
    this.#lastContent = content;
  }

  stop(): void {
    this.#cancelReread();
    this.#stopping.abort();
    for (const issuer of this.#issuers.values()) issuer.stop();
  }
}

/** Google's tokens may name it without a scheme. */
function issuerOf(claimed: string): string {
  return claimed === 'accounts.google.com' ? 'https://accounts.google.com' : claimed;
}
