import { decodeUtf8, errorMessage, isJsonObject, parseJson, textOf, type JsonObject } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import type { ParsedToken } from '../json-web-token.ts';
import type { Document, GetDocument } from './https-get.ts';
import { isSignedByIssuer, issuerKeys, type IssuerKey } from './token-signature.ts';

export interface IssuerAccess {
  readonly clock: Clock;
  readonly get: GetDocument;
  readonly authority: string | undefined;
  /** Receives the text of new keys; undefined if they could not be read. */
  readonly onFetch: (keySet: string | undefined) => void;
}

/** The limit of Kubernetes' client. */
const documentTimeoutMs = 30_000;

/** A document of an issuer. Rejects with a sentence about it. */
export async function issuerDocument(
  url: string,
  { clock, get, authority }: IssuerAccess,
): Promise<{
  readonly document: Document;
  readonly object: JsonObject;
}> {
  const stop = new AbortController();
  const cancel = clock.after(documentTimeoutMs, () => stop.abort(new Error('context deadline exceeded')));
  try {
    const document = await get({ url, authority, signal: stop.signal });
    if (document.status !== 200) throw new Error(`it answered with the status ${document.status}`);
    const { value } = parseJson(decodeUtf8(document.body));
    if (!isJsonObject(value)) throw new Error('it is no JSON object');
    return { document, object: value };
  } catch (error) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    throw new Error(`Get "${url}": ${errorMessage(reason)}`, { cause: error });
  } finally {
    cancel();
  }
}

/** Keys count as expired this long before they are. */
const expiryMarginMs = 30_000;

/**
 * Tokens with unknown keys make the server ask the issuer. Anyone can send such tokens, so that the server asks at most this often
 * at once, and then once a second.
 */
const maxFetches = 10;
const fetchEveryMs = 1000;

/** Requests that may wait for keys. Each has a connection and headers in memory. */
const maxWaiting = 1000;

/** The keys of an issuer, read again when a token has a signature of another key. */
export class IssuerKeys {
  readonly #url: string;
  readonly #access: IssuerAccess;
  #keys: readonly IssuerKey[] = [];
  #expiresAt = 0;
  #fetching: Promise<void> | undefined;
  #waiting = 0;
  #fetchesLeft = maxFetches;
  #fetchesAt: number;
  /** Differs after the keys have changed. */
  generation = 0;

  constructor(url: string, access: IssuerAccess) {
    this.#url = url;
    this.#access = access;
    this.#fetchesAt = access.clock.elapsed();
  }

  /** Returns why the signature is not valid; undefined if it is. Asks the issuer only if no known key has made it. */
  fault(token: ParsedToken): string | undefined | Promise<string | undefined> {
    if (isSignedByIssuer(token, this.#keys)) return undefined;
    const isFresh = this.#access.clock.now() + expiryMarginMs <= this.#expiresAt;
    if (isFresh) return notSigned;
    if (this.#waiting >= maxWaiting || !this.#mayFetch())
      return 'fetching keys oidc: too many tokens with unknown keys';
    return this.#faultWithNewKeys(token);
  }

  async #faultWithNewKeys(token: ParsedToken): Promise<string | undefined> {
    this.#waiting++;
    try {
      await (this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined)));
      return isSignedByIssuer(token, this.#keys) ? undefined : notSigned;
    } catch (error) {
      return `fetching keys oidc: get keys failed ${errorMessage(error)}`;
    } finally {
      this.#waiting--;
    }
  }

  #mayFetch(): boolean {
    if (this.#fetching) return true;
    const now = this.#access.clock.elapsed();
    this.#fetchesLeft = Math.min(maxFetches, this.#fetchesLeft + (now - this.#fetchesAt) / fetchEveryMs);
    this.#fetchesAt = now;
    if (this.#fetchesLeft < 1) return false;
    this.#fetchesLeft--;
    return true;
  }

  async #fetch(): Promise<void> {
    const { onFetch } = this.#access;
    const { document, object } = await issuerDocument(this.#url, this.#access).catch((error: unknown) => {
      onFetch(undefined);
      throw error;
    });
    onFetch(decodeUtf8(document.body));
    this.#keys = issuerKeys(object);
    this.#expiresAt = this.#access.clock.now() + maxAgeMs(document);
    this.generation++;
  }
}

const notSigned = 'failed to verify id token signature';

/** How long an answer may be cached; 0 if it does not say. */
function maxAgeMs({ headers }: Document): number {
  const control = textOf(headers['cache-control']).toLowerCase();
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1];
  return seconds === undefined ? 0 : Number(seconds) * 1000;
}
