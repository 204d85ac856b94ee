import { createHash } from 'node:crypto';
import { decodeUtf8, parseStoredJson, stringifyJson, type JsonObject } from '@flotilla/kube';
import { runSteps, type LoopTurns, type Steps } from '@flotilla/timing';
import { encodeDocumentV3 } from './document-v3-protobuf.ts';
import type { RecentBytes } from './recent-bytes.ts';

/** A document is built on first use; its hash may be known before. */
export interface Document {
  readonly hash: (turns: LoopTurns) => Promise<string>;
  readonly bytes: (turns: LoopTurns) => Promise<Uint8Array>;
  /** Encoded for each request: few clients request it, each once. */
  readonly protobuf: (turns: LoopTurns) => Promise<Uint8Array>;
}

/** A document whose hash is that of its bytes. */
export function documentOf(make: () => Steps<JsonObject>): Document {
  const bytes = once(make);
  let hash: Promise<string> | undefined;
  return {
    bytes,
    hash: (turns) => (hash ??= bytes(turns).then((encodedBytes) => hashOf([encodedBytes]))),
    protobuf: async (turns) => runSteps(turns, encodeDocumentV3(await runSteps(turns, make()))),
  };
}

/** A document whose hash is that of its sources, so that an index of many documents builds none. */
export function derivedDocument(hash: string, recent: RecentBytes, make: () => Steps<Uint8Array>): Document {
  let building: Promise<Uint8Array> | undefined;
  const build = async (turns: LoopTurns): Promise<Uint8Array> => {
    const bytes = await runSteps(turns, make());
    recent.put(hash, bytes);
    building = undefined;
    return bytes;
  };
  const bytes = async (turns: LoopTurns): Promise<Uint8Array> => recent.get(hash) ?? (building ??= build(turns));
  return {
    hash: async () => hash,
    bytes,
    protobuf: async (turns) => {
      const text = decodeUtf8(await bytes(turns));
      await turns.next();
      return runSteps(turns, encodeDocumentV3(parseStoredJson(text) as JsonObject));
    },
  };
}

function once(make: () => Steps<JsonObject>): (turns: LoopTurns) => Promise<Uint8Array> {
  let bytes: Promise<Uint8Array> | undefined;
  return (turns) => (bytes ??= runSteps(turns, make()).then((document) => encoded(document, turns)));
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
