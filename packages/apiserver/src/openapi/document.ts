import { createHash } from 'node:crypto';
import { stringifyJson, type JsonObject } from '@flotilla/kube';
import { inSteps, nextTurn, type Steps } from './in-steps.ts';
import type { RecentBytes } from './recent-bytes.ts';

/** A document is made when somebody first reads it; its hash may be known before. */
export interface Document {
  readonly hash: () => Promise<string>;
  readonly bytes: () => Promise<Uint8Array>;
}

/** Known by the hash of its bytes. */
export function documentOf(make: () => Steps<JsonObject>): Document {
  const bytes = once(make);
  let hash: Promise<string> | undefined;
  return { bytes, hash: () => (hash ??= bytes().then((made) => hashOf([made]))) };
}

/** Known by what it is made from, so that many can be listed without making one. */
export function derivedDocument(hash: string, recent: RecentBytes, make: () => Steps<Uint8Array>): Document {
  let making: Promise<Uint8Array> | undefined;
  const made = async (): Promise<Uint8Array> => {
    const bytes = await inSteps(make());
    recent.put(hash, bytes);
    making = undefined;
    return bytes;
  };
  return {
    hash: async () => hash,
    bytes: async () => recent.get(hash) ?? (making ??= made()),
  };
}

function once(make: () => Steps<JsonObject>): () => Promise<Uint8Array> {
  let made: Promise<Uint8Array> | undefined;
  return () => (made ??= inSteps(make()).then(encoded));
}

async function encoded(document: JsonObject): Promise<Uint8Array> {
  await nextTurn();
  return Buffer.from(`${stringifyJson(document)}\n`);
}

export function hashOf(parts: Iterable<Uint8Array | string>): string {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').toUpperCase();
}
