import { hash } from 'node:crypto';
import { aggregate, type User } from '@flotilla/kube';
import { quotedList } from './bound-token.ts';
import { knownUser } from './authenticated-user.ts';
import type { ServiceAccountTokens, VerifiedToken } from './service-account-tokens.ts';

/** A token that somebody was given beforehand. */
export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

/** Whose token it is and for whom it is meant, or why it is nobody's. */
export type Recognition = { readonly user: User; readonly audiences: readonly string[] } | { readonly refusal: string };

const unknown = 'invalid bearer token';

/** How many tokens are remembered to be well signed; checking a signature costs a hundred times more than all else. */
const maxRemembered = 10_000;

/** All tokens that open this server. Tokens themselves are not kept, only their digests. */
export class BearerTokens {
  readonly accounts: ServiceAccountTokens;
  readonly #static: ReadonlyMap<string, User>;
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(accounts: ServiceAccountTokens, tokens: readonly StaticToken[]) {
    this.accounts = accounts;
    this.#static = new Map(tokens.map(({ token, user }) => [digestOf(token), knownUser(user)]));
  }

  recognise(token: string, audiences: readonly string[] = this.accounts.audiences): Recognition {
    const digest = digestOf(token);
    const user = this.#static.get(digest);
    if (user) return withAudiences(user, this.accounts.audiences, audiences) ?? { refusal: unknown };
    const verified = this.#verifiedToken(token, digest);
    if (verified === undefined) return { refusal: unknown };
    if (typeof verified === 'string') return refused(verified);
    const recognised = withAudiences(verified.user, verified.audiences, audiences);
    if (!recognised) return refused(wrongAudience(verified.audiences, audiences));
    const fault = verified.fault();
    return fault === undefined ? recognised : refused(fault);
  }

  #verifiedToken(token: string, digest: string): VerifiedToken | string | undefined {
    const remembered = this.#verified.get(digest);
    if (remembered) return remembered;
    const verified = this.accounts.verify(token);
    if (typeof verified === 'object') this.#remember(digest, verified);
    return verified;
  }

  /** The oldest make room: whoever still uses one of them pays for one more check. */
  #remember(digest: string, verified: VerifiedToken): void {
    if (this.#verified.size >= maxRemembered) {
      const [oldest] = this.#verified.keys();
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(digest, verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Kubernetes asks its own token first, which none of them is. */
function refused(why: string): Recognition {
  return { refusal: aggregate([unknown, why]) };
}

function withAudiences(user: User, meant: readonly string[], asked: readonly string[]): Recognition | undefined {
  const audiences = meant === asked ? meant : meant.filter((audience) => asked.includes(audience));
  return audiences.length > 0 ? { user, audiences } : undefined;
}

function wrongAudience(meant: readonly string[], asked: readonly string[]): string {
  return `token audiences ${quotedList(meant)} is invalid for the target audiences ${quotedList(asked)}`;
}
