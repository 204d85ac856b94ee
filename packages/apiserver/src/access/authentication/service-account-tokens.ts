import { aggregate, errorMessage, textOf, type JsonObject, type User } from '@flotilla/kube';
import type { Store } from '../../store/store.ts';
import { boundTokenFault, boundTokenUser } from './bound-token.ts';
import { isSignedBy, parseToken, signedToken, type ParsedToken } from './json-web-token.ts';
import { legacyIssuer, LegacyToken, type MarkUsed } from './legacy-token.ts';
import { newLegacyClaims, type SecretTokenSubject } from './new-token.ts';
import { audiencesOf, boundClaims, legacyClaims } from './token-claims.ts';
import { makeTokenKey, signingKey, verificationKeys, type SigningKey, type VerificationKey } from './token-keys.ts';

export interface ServiceAccountTokenOptions {
  /** Accepted issuers; the first is that of new tokens. */
  readonly issuers?: readonly string[];
  /** Accepted audiences; by default the issuers. */
  readonly audiences?: readonly string[];
  /** PEM, or a function that returns it when first needed. By default a new key: no token outlives the server. */
  readonly signingKey?: string | (() => string);
  /** PEM, with any number of keys and certificates each; by default the public key of the signing key. */
  readonly verificationKeys?: readonly string[];
  /** Longer requested lifetimes are reduced to this. */
  readonly maxExpirationSeconds?: number;
}

const defaultIssuer = 'https://kubernetes.default.svc.cluster.local';

/** A token with a valid signature. `fault` checks the rest on every request. */
export interface VerifiedToken {
  readonly user: User;
  readonly audiences: readonly string[];
  readonly fault: () => string | undefined;
}

interface Dependencies {
  readonly store: Store;
  readonly now: () => Date;
  readonly markUsed: MarkUsed;
}

/** Signs and checks the tokens of service accounts. */
export class ServiceAccountTokens {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly maxExpirationSeconds: number | undefined;
  readonly #options: ServiceAccountTokenOptions;
  readonly #dependencies: Dependencies;
  #signing: SigningKey | undefined;
  #keys: readonly VerificationKey[] | undefined;

  constructor(options: ServiceAccountTokenOptions, dependencies: Dependencies) {
    this.issuers = options.issuers ?? [defaultIssuer];
    this.audiences = options.audiences ?? this.issuers;
    this.maxExpirationSeconds = options.maxExpirationSeconds;
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /** Reads keys when first needed: most embedded servers never get a token. */
  get keys(): readonly VerificationKey[] {
    const { verificationKeys: pems = [this.#signingPem()] } = this.#options;
    return (this.#keys ??= pems.flatMap(verificationKeys));
  }

  #pem: string | undefined;

  #signingPem(): string {
    const { signingKey: given = makeTokenKey } = this.#options;
    return (this.#pem ??= typeof given === 'string' ? given : given());
  }

  sign(claims: JsonObject): string {
    return this.#signAs(this.issuers[0] ?? '', claims);
  }

  /** Signs a token for a Secret, valid until the Secret is deleted. */
  signForSecret(subject: SecretTokenSubject): string {
    return this.#signAs(legacyIssuer, newLegacyClaims(subject));
  }

  /** Sorts the claims like Kubernetes. */
  #signAs(issuer: string, claims: JsonObject): string {
    this.#signing ??= signingKey(this.#signingPem());
    const sorted = Object.entries({ ...claims, iss: issuer }).sort(([a], [b]) => (a < b ? -1 : 1));
    return signedToken(Object.fromEntries(sorted), this.#signing);
  }

  /** Returns undefined for a token of another issuer, and the reason for one with an invalid signature. */
  verify(token: string): VerifiedToken | string | undefined {
    const parsed = parseToken(token);
    if (!parsed) return undefined;
    const issuer = textOf(parsed.claims['iss']);
    if (issuer !== legacyIssuer && !this.issuers.includes(issuer)) return undefined;
    const fault = this.#signatureFault(parsed);
    if (fault !== undefined) return fault;
    const claimed = audiencesOf(parsed.claims);
    const audiences = claimed.length > 0 ? claimed : this.audiences;
    return { audiences, ...(issuer === legacyIssuer ? this.#legacy(parsed, token) : this.#bound(parsed)) };
  }

  #signatureFault(token: ParsedToken): string | undefined {
    const id = textOf(token.header['kid']);
    let keys: readonly VerificationKey[];
    try {
      keys = id === '' ? this.keys : this.keys.filter((key) => key.id === id);
    } catch (error) {
      // Servers check their keys at start. An embedder's invalid key must not fail the request.
      return `keys cannot be read: ${errorMessage(error)}`;
    }
    if (keys.length === 0) return 'invalid signature, no keys found';
    if (keys.some((key) => isSignedBy(token, key))) return undefined;
    return aggregate(keys.map(() => 'go-jose/go-jose: error in cryptographic primitive'));
  }

  #bound({ claims }: ParsedToken): Omit<VerifiedToken, 'audiences'> {
    const { store, now } = this.#dependencies;
    const read = boundClaims(claims);
    return { user: boundTokenUser(read), fault: () => boundTokenFault(read, store, now().getTime()) };
  }

  #legacy({ claims }: ParsedToken, token: string): Omit<VerifiedToken, 'audiences'> {
    const { store, now, markUsed } = this.#dependencies;
    const legacy = new LegacyToken(legacyClaims(claims), token);
    return { user: legacy.user, fault: () => legacy.fault(store, now().getTime(), markUsed) };
  }
}
