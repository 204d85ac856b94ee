import { aggregate, errorMessage, textOf, type JsonObject, type User } from '@flotilla/kube';
import type { Store } from '../../store/store.ts';
import { boundTokenFault, boundTokenUser } from './bound-token.ts';
import { isSignedBy, parseToken, signedToken, type ParsedToken } from './json-web-token.ts';
import { legacyIssuer, LegacyToken, type MarkUsed } from './legacy-token.ts';
import { newLegacyClaims, type SecretTokenSubject } from './new-token.ts';
import { audiencesOf, boundClaims, legacyClaims } from './token-claims.ts';
import { makeTokenKey, signingKey, verificationKeys, type SigningKey, type VerificationKey } from './token-keys.ts';

export interface ServiceAccountTokenOptions {
  /** Whose tokens are believed; the first signs new ones. */
  readonly issuers?: readonly string[];
  /** For whom tokens must be meant; the issuers when nothing is said. */
  readonly audiences?: readonly string[];
  /** PEM, or what gives it when it is first needed; made anew when nothing is said, so that no token outlives the server. */
  readonly signingKey?: string | (() => string);
  /** PEM, with any number of keys and certificates each; the signing key's public half when nothing is said. */
  readonly verificationKeys?: readonly string[];
  /** Longer lives are cut to it. */
  readonly maxExpirationSeconds?: number;
}

const defaultIssuer = 'https://kubernetes.default.svc.cluster.local';

/** A token whose signature was checked. The rest is asked for each time that it is shown. */
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

  /** Keys are read when first needed: most embedded servers never see a token. */
  get keys(): readonly VerificationKey[] {
    const { verificationKeys: pems = [this.#signingPem()] } = this.#options;
    return (this.#keys ??= pems.flatMap(verificationKeys));
  }

  #pem: string | undefined;

  #signingPem(): string {
    const { signingKey: given = makeTokenKey } = this.#options;
    return (this.#pem ??= typeof given === 'string' ? given : given());
  }

  /** A token of ours with these claims. */
  sign(claims: JsonObject): string {
    return this.#signAs(this.issuers[0] ?? '', claims);
  }

  /** A token that is kept in a Secret, and is good for as long as that is. */
  signForSecret(subject: SecretTokenSubject): string {
    return this.#signAs(legacyIssuer, newLegacyClaims(subject));
  }

  /** Kubernetes gives claims in the order of the alphabet. */
  #signAs(issuer: string, claims: JsonObject): string {
    this.#signing ??= signingKey(this.#signingPem());
    const sorted = Object.entries({ ...claims, iss: issuer }).sort(([a], [b]) => (a < b ? -1 : 1));
    return signedToken(Object.fromEntries(sorted), this.#signing);
  }

  /** Undefined for what is no token of ours, a sentence for one that is forged. */
  verify(token: string): VerifiedToken | string | undefined {
    const parsed = parseToken(token);
    if (!parsed) return undefined;
    const issuer = textOf(parsed.claims['iss']);
    if (issuer !== legacyIssuer && !this.issuers.includes(issuer)) return undefined;
    const fault = this.#signatureFault(parsed);
    if (fault !== undefined) return fault;
    const said = audiencesOf(parsed.claims);
    const audiences = said.length > 0 ? said : this.audiences;
    return { audiences, ...(issuer === legacyIssuer ? this.#legacy(parsed, token) : this.#bound(parsed)) };
  }

  #signatureFault(token: ParsedToken): string | undefined {
    const id = textOf(token.header['kid']);
    let keys: readonly VerificationKey[];
    try {
      keys = id === '' ? this.keys : this.keys.filter((key) => key.id === id);
    } catch (error) {
      // Keys are checked when a server starts; a token is not to blame for one that was not.
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
