import type { ResponseStream } from '@flotilla/kube';
import { apiVersionOf } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import { entriesOf, type Page } from './page.ts';
import { shownBytes } from './represent.ts';

/** Large enough that TLS and HTTP/2 frames cost little, small enough that no turn of the loop is long. */
const chunkBytes = 128 * 1024;

const comma = ','.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);

/** The stored bytes of a page's items, without the newline, and for built-in kinds without their kind. */
export function* itemPieces(resource: Resource, page: Page): Generator<Uint8Array> {
  const skipped = resource.isUnstructured ? 0 : kindPrefixLength(resource);
  for (const entry of entriesOf(resource.collection, page)) yield itemOf(shownBytes(resource, entry), skipped);
}

/** How far the first field after apiVersion is: stored objects all begin alike. */
function kindPrefixLength(resource: Resource): number {
  return Buffer.byteLength(`{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`);
}

/** The opening brace is lost with the kind; whoever writes items puts it back. */
function itemOf(bytes: Uint8Array, skipped: number): Uint8Array {
  return bytes.subarray(skipped, bytes.length - 1);
}

/** A list that fits one chunk in one piece, any other as a stream: the size decides whether compressing is worth it. */
export function listBody(head: Uint8Array, items: Iterator<Uint8Array>, tail: Uint8Array): Uint8Array | ResponseStream {
  const chunks = chunksOf(head, items, tail);
  const first = chunks.next().value ?? head;
  const second = chunks.next();
  if (second.done === true) return first;
  return listStream([first, second.value][Symbol.iterator](), chunks);
}

/** Sends chunks as the reader takes them, so that a list of any size costs a chunk or two of memory. */
function listStream(begun: Iterator<Uint8Array>, rest: Iterator<Uint8Array, void>): ResponseStream {
  return {
    isCompressible: true,
    start(sink) {
      let isClosed = false;
      sink.onClose(() => {
        isClosed = true;
      });
      const pump = (): void => {
        if (isClosed) return;
        const begunChunk = begun.next();
        const { value, done } = begunChunk.done === true ? rest.next() : begunChunk;
        if (done === true) return sink.end();
        if (sink.write(value)) setImmediate(pump);
      };
      sink.onDrain(pump);
      pump();
    },
  };
}

function* chunksOf(head: Uint8Array, items: Iterator<Uint8Array>, tail: Uint8Array): Generator<Uint8Array, void> {
  let chunk = Buffer.allocUnsafe(chunkBytes);
  chunk.set(head, 0);
  let used = head.length;
  let isFirst = true;
  for (let next = items.next(); next.done !== true; next = items.next()) {
    const item = next.value;
    const isBare = item[0] !== openBrace;
    const needed = item.length + 2;
    if (used + needed > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(Math.max(chunkBytes, needed));
      used = 0;
    }
    if (!isFirst) chunk[used++] = comma;
    if (isBare) chunk[used++] = openBrace;
    chunk.set(item, used);
    used += item.length;
    isFirst = false;
  }
  if (used + tail.length <= chunk.length) {
    chunk.set(tail, used);
    yield chunk.subarray(0, used + tail.length);
  } else {
    yield chunk.subarray(0, used);
    yield tail;
  }
}
