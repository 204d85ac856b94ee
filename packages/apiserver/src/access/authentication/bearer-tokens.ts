import { hash } from 'node:crypto';
import { aggregate, type User } from '@flotilla/kube';
import { quotedList } from './bound-token.ts';
import { authenticatedUser } from './authenticated-user.ts';
import type { IssuedTokens } from './oidc/issued-tokens.ts';
import type { ServiceAccountTokens, VerifiedToken } from './service-account-tokens.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

/** The user and the matching audiences of a token, or why it is invalid. */
export type Recognition = { readonly user: User; readonly audiences: readonly string[] } | { readonly refusal: string };

const unknown = 'invalid bearer token';

/** Size of the cache of verified signatures; checking a signature costs a hundred times more than all else. */
const maxCachedSignatures = 10_000;

/** Authenticates static tokens, service account tokens and those of other issuers. Keeps only digests of tokens. */
export class BearerTokens {
  readonly accounts: ServiceAccountTokens;
  readonly #metrics: TokenCacheMetrics;
  readonly #issued: IssuedTokens | undefined;
  readonly #static: ReadonlyMap<string, User>;
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(
    accounts: ServiceAccountTokens,
    tokens: readonly StaticToken[],
    metrics: TokenCacheMetrics,
    issued?: IssuedTokens,
  ) {
    this.accounts = accounts;
    this.#metrics = metrics;
    this.#issued = issued;
    this.#static = new Map(tokens.map(({ token, user }) => [digestOf(token), authenticatedUser(user)]));
  }

  /** Returns a promise only if the keys of another issuer must be fetched. */
  recognise(token: string, audiences: readonly string[] = this.accounts.audiences): Recognition | Promise<Recognition> {
    const startedAt = this.#metrics.begin();
    const digest = digestOf(token);
    const user = this.#static.get(digest) ?? this.#issued?.known(digest);
    if (user) {
      this.#metrics.hit(startedAt);
      return withAudiences(user, this.accounts.audiences, audiences) ?? { refusal: unknown };
    }
    const cached = this.#verified.get(digest);
    const verified = cached ?? this.#verify(token, digest);
    if (verified === undefined) {
      const recognition = this.#recogniseIssued(token, digest, audiences);
      this.#metrics.missed(recognition, startedAt);
      return recognition;
    }
    if (cached) this.#metrics.hit(startedAt);
    else this.#metrics.missed(verified, startedAt);
    if (typeof verified === 'string') return refused(verified);
    const recognised = withAudiences(verified.user, verified.audiences, audiences);
    if (!recognised) return refused(wrongAudience(verified.audiences, audiences));
    const fault = verified.fault();
    return fault === undefined ? recognised : refused(fault);
  }

  #recogniseIssued(token: string, digest: string, audiences: readonly string[]): Recognition | Promise<Recognition> {
    const found = this.#issued?.recognise(token, digest);
    const conclude = (result: User | string): Recognition =>
      typeof result === 'string'
        ? refused(result)
        : (withAudiences(result, this.accounts.audiences, audiences) ?? { refusal: unknown });
    if (found === undefined) return { refusal: unknown };
    return found instanceof Promise ? found.then(conclude) : conclude(found);
  }

  #verify(token: string, digest: string): VerifiedToken | string | undefined {
    const verified = this.accounts.verify(token);
    if (typeof verified === 'object') this.#cache(digest, verified);
    return verified;
  }

  /** Evicts the oldest entry if the cache is full. */
  #cache(digest: string, verified: VerifiedToken): void {
    if (this.#verified.size >= maxCachedSignatures) {
      const [oldest] = this.#verified.keys();
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(digest, verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** kube-apiserver tries its static tokens first, so its error lists their refusal first. */
function refused(why: string): Recognition {
  return { refusal: aggregate([unknown, why]) };
}

function withAudiences(
  user: User,
  tokenAudiences: readonly string[],
  targetAudiences: readonly string[],
): Recognition | undefined {
  const audiences =
    tokenAudiences === targetAudiences
      ? tokenAudiences
      : tokenAudiences.filter((audience) => targetAudiences.includes(audience));
  return audiences.length > 0 ? { user, audiences } : undefined;
}

function wrongAudience(tokenAudiences: readonly string[], targetAudiences: readonly string[]): string {
  return `token audiences ${quotedList(tokenAudiences)} is invalid for the target audiences ${quotedList(targetAudiences)}`;
}
