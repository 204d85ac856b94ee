import { errorMessage, quote, textOf, type JsonValue, type Logger, type User } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { audiencesOf } from '../token-claims.ts';
import type { ParsedToken } from '../json-web-token.ts';
import type { JwtAuthenticator } from './authentication-configuration.ts';
import { userOfClaims, type UserOfClaims } from './claims-user.ts';
import type { GetDocument } from './https-get.ts';
import type { IssuerMetrics } from './issuer-metrics.ts';
import { issuerDocument, IssuerKeys, type IssuerAccess } from './issuer-keys.ts';

export interface IssuerDependencies {
  readonly clock: Clock;
  readonly get: GetDocument;
  readonly logger: Logger;
  readonly issuerMetrics: Pick<IssuerMetrics, 'fetchedKeys' | 'failedToFetchKeys'>;
  /** Names of accepted algorithms. */
  readonly signingAlgorithms: readonly string[];
}

/** A token with a valid signature, and until when its user counts. */
export interface IssuedUser {
  readonly user: User;
  readonly expiresMs: number;
  /** Of the keys that verified it. */
  readonly generation: number;
}

const discoveryPath = '/.well-known/openid-configuration';
const retryMs = 10_000;
const leewayMs = 60_000;

/** One issuer of a configuration. It finds the issuer's keys in the background, until it is stopped. */
export class TokenIssuer {
  readonly url: string;
  readonly #authenticator: JwtAuthenticator;
  readonly #dependencies: IssuerDependencies;
  readonly #access: IssuerAccess;
  readonly #userOf: UserOfClaims;
  #keys: IssuerKeys | undefined;
  #cancelRetry: () => void = () => undefined;
  #isStopped = false;
  /** Resolves when the keys are found. */
  readonly ready: Promise<void>;
  #markReady: () => void;
  /** Why the keys are not found yet. */
  problem = 'not initialized';

  constructor(authenticator: JwtAuthenticator, dependencies: IssuerDependencies) {
    const { url, certificateAuthority } = authenticator.issuer;
    this.url = url;
    this.#authenticator = authenticator;
    this.#dependencies = dependencies;
    const { clock, get, issuerMetrics } = dependencies;
    const onFetch = (keySet: string | undefined): void => {
      if (keySet === undefined) issuerMetrics.failedToFetchKeys(url);
      else issuerMetrics.fetchedKeys(url, keySet);
    };
    this.#access = { clock, get, authority: certificateAuthority || undefined, onFetch };
    this.#userOf = userOfClaims(authenticator);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#markReady = resolve;
    void this.#discover();
  }

  /** Never rejects: an issuer may start after the server. */
  async #discover(): Promise<void> {
    const { clock, logger } = this.#dependencies;
    try {
      this.#keys = new IssuerKeys(await this.#keysUrl(), this.#access);
      this.#markReady();
    } catch (error) {
      const problem = errorMessage(error);
      if (this.#isStopped) return;
      if (problem !== this.problem) logger.warn('token issuer unreachable, retrying', { issuer: this.url, problem });
      this.problem = problem;
      this.#cancelRetry = clock.after(retryMs, () => void this.#discover());
    }
  }

  async #keysUrl(): Promise<string> {
    const { url, discoveryURL } = this.#authenticator.issuer;
    const { object } = await issuerDocument(discoveryURL || `${url.replace(/\/$/, '')}${discoveryPath}`, this.#access);
    const issuer = textOf(object['issuer']);
    if (issuer !== url) {
      const names = `expected ${quote(url)} got ${quote(issuer)}`;
      throw new Error(`oidc: issuer did not match the issuer returned by provider, ${names}`);
    }
    const keysUrl = URL.parse(textOf(object['jwks_uri']));
    if (keysUrl === null) throw new Error('provider did not return JWKS URL');
    if (keysUrl.protocol !== 'https:') throw new Error('the JWKS URL of the provider must be https');
    return keysUrl.href;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
  }

  /** Whether the user of an earlier request still counts. */
  isCurrent({ expiresMs, generation }: IssuedUser): boolean {
    return generation === this.#keys?.generation && this.#dependencies.clock.now() < expiresMs;
  }

  /** Returns the user of a token that names this issuer, or why it is refused. */
  verify(token: ParsedToken): IssuedUser | string | Promise<IssuedUser | string> {
    const keys = this.#keys;
    if (!keys) return 'oidc: authenticator not initialized';
    const { signingAlgorithms: accepted } = this.#dependencies;
    const algorithm = textOf(token.header['alg']);
    if (!accepted.includes(algorithm)) {
      const names = `expected [${accepted.map(quote).join(' ')}] got ${quote(algorithm)}`;
      return refused(`oidc: id token signed with unsupported algorithm, ${names}`);
    }
    const fault = keys.fault(token);
    const conclude = (why: string | undefined): IssuedUser | string =>
      why === undefined ? this.#user(token, keys.generation) : refused(`failed to verify signature: ${why}`);
    return fault instanceof Promise ? fault.then(conclude) : conclude(fault);
  }

  #user({ claims }: ParsedToken, generation: number): IssuedUser | string {
    const { audiences } = this.#authenticator.issuer;
    const given = audiencesOf(claims);
    if (!given.some((audience) => audiences.includes(audience))) {
      const expected = audiences.length === 1 ? quote(audiences[0] ?? '') : listed(audiences.toSorted());
      return refused(`oidc: expected audience ${audiences.length === 1 ? '' : 'in '}${expected} got ${listed(given)}`);
    }
    const now = this.#dependencies.clock.now();
    const expiresMs = millisecondsOf(claims['exp']) ?? 0;
    if (expiresMs < now) return refused(`oidc: token is expired (Token Expiry: ${goTime(expiresMs)})`);
    const notBefore = millisecondsOf(claims['nbf']);
    if (notBefore !== undefined && now + leewayMs < notBefore) {
      return refused(`oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(notBefore)}`);
    }
    const user = this.#userOf(claims);
    return typeof user === 'string' ? user : { user, expiresMs, generation };
  }
}

function refused(why: string): string {
  return `oidc: verify token: ${why}`;
}

function listed(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`;
}

function millisecondsOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) * 1000 : undefined;
}

function goTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) return String(milliseconds);
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}
