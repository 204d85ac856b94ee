import { createHash } from 'node:crypto';
import { stringifyJson, type JsonObject } from '@flotilla/kube';
import { runSteps, type LoopTurns, type Steps } from '@flotilla/timing';
import type { RecentBytes } from './recent-bytes.ts';

/** A document is made when somebody first reads it; its hash may be known before. */
export interface Document {
  readonly hash: (turns: LoopTurns) => Promise<string>;
  readonly bytes: (turns: LoopTurns) => Promise<Uint8Array>;
}

/** Known by the hash of its bytes. */
export function documentOf(make: () => Steps<JsonObject>): Document {
  const bytes = once(make);
  let hash: Promise<string> | undefined;
  return { bytes, hash: (turns) => (hash ??= bytes(turns).then((made) => hashOf([made]))) };
}

/** Known by what it is made from, so that many can be listed without making one. */
export function derivedDocument(hash: string, recent: RecentBytes, make: () => Steps<Uint8Array>): Document {
  let making: Promise<Uint8Array> | undefined;
  const made = async (turns: LoopTurns): Promise<Uint8Array> => {
    const bytes = await runSteps(turns, make());
    recent.put(hash, bytes);
    making = undefined;
    return bytes;
  };
  return {
    hash: async () => hash,
    bytes: async (turns) => recent.get(hash) ?? (making ??= made(turns)),
  };
}

function once(make: () => Steps<JsonObject>): (turns: LoopTurns) => Promise<Uint8Array> {
  let made: Promise<Uint8Array> | undefined;
  return (turns) => (made ??= runSteps(turns, make()).then((document) => encoded(document, turns)));
}

async function encoded(document: JsonObject, turns: LoopTurns): Promise<Uint8Array> {
  await turns.next();
  return Buffer.from(`${stringifyJson(document)}\n`);
}

export function hashOf(parts: Iterable<Uint8Array | string>): string {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').toUpperCase();
}
