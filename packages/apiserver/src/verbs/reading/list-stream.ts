import { apiErrors, type ResponseStream, type StreamSink } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { requestTimeoutMs } from '../../request/request-timeout.ts';
import type { Call } from '../../call/call.ts';
import type { ListBatch } from './list-batch.ts';
import { ListBatches } from './list-batches.ts';
import type { ListEncoder } from './list-encoder.ts';
import type { Page } from './page.ts';

/** A stalled reader holds no more than the first write. Writes grow as the reader takes them. */
const firstWriteBytes = 16 * 1024;
/** Larger than most batches, which are then written without a copy. */
const maxWriteBytes = 256 * 1024;

/** Returns a short list as bytes, and any other as a stream. Only with a known size can the response decide on compression. */
export async function listBody(call: Call, page: Page, encoder: ListEncoder): Promise<Uint8Array | ResponseStream> {
  const batches = new ListBatches(call, page, encoder);
  const { turns } = call.server;
  let first = await nextInTurn(batches, turns);
  // A selector may skip many entries before it finds the few items of a short list.
  while (!batches.isDone && first.length === 0) first = await nextInTurn(batches, turns);
  const ready = [first];
  if (batches.isDone) return whole(call, encoder, first);
  if (encoder.needsLength) await measure(call, batches, ready);
  return { isCompressible: true, start: (sink) => new ListStream(call, encoder, ready, batches, sink).begin() };
}

/** Concurrent lists share a turn of the event loop. */
function nextInTurn(batches: ListBatches, turns: LoopTurns): Promise<ListBatch> {
  return new Promise((resolve, reject) => {
    turns.run(() => {
      try {
        resolve(batches.next());
      } catch (error) {
        reject(error);
      }
      turns.requireClockRead();
    });
  });
}

async function whole(call: Call, encoder: ListEncoder, batch: ListBatch): Promise<Uint8Array> {
  if (batch.length === 0) return encoder.empty();
  return Buffer.concat([encoder.head(batch.length), await batch.bytes(call, encoder), encoder.tail]);
}

/** Encodes all items to know their length. Bytes over the limit are dropped, and encoded again when they are read. */
async function measure({ request, server }: Call, batches: ListBatches, ready: ListBatch[]): Promise<void> {
  const { signal } = request;
  const { turns } = server;
  signal.addEventListener('abort', () => ready.forEach((batch) => batch.drop()), { once: true });
  ready[0]?.keepOrDrop();
  while (!batches.isDone && !signal.aborted) {
    const batch = await nextInTurn(batches, turns);
    batch.keepOrDrop();
    ready.push(batch);
  }
  if (signal.aborted) ready.forEach((batch) => batch.drop());
}

/** Sends a list as fast as its reader takes it. Stops when the reader disconnects or the request's timeout is over. */
class ListStream {
  readonly #call: Call;
  readonly #encoder: ListEncoder;
  /** Batches that are encoded already, the next one last. */
  readonly #ready: ListBatch[];
  readonly #batches: ListBatches;
  readonly #sink: StreamSink;
  #current: ListBatch | undefined;
  #offset = 0;
  /** Bytes written so far. */
  #written = 0;
  #isOver = false;
  #isWaiting = false;
  #cancelTimeout: () => void = () => undefined;

  constructor(call: Call, encoder: ListEncoder, ready: ListBatch[], batches: ListBatches, sink: StreamSink) {
    this.#call = call;
    this.#encoder = encoder;
    this.#ready = ready.reverse();
    this.#batches = batches;
    this.#sink = sink;
  }

  begin(): void {
    const { server, info } = this.#call;
    this.#sink.onClose(() => this.#stop());
    this.#sink.onDrain(() => this.#pumpSoon());
    this.#cancelTimeout = server.after(requestTimeoutMs(info.query), () =>
      this.#fail(apiErrors.timeout('request did not complete within the allotted timeout')),
    );
    const itemBytes = this.#encoder.needsLength ? this.#ready.reduce((sum, { length }) => sum + length, 0) : 0;
    if (this.#sink.write(this.#encoder.head(itemBytes))) this.#pump();
  }

  #pumpSoon(): void {
    if (!this.#isOver) this.#call.server.turns.run(() => this.#pump());
  }

  #pump(): void {
    if (this.#isOver || this.#isWaiting) return;
    try {
      this.#current ??= this.#ready.pop();
      const batch = this.#current ?? (this.#batches.isDone ? undefined : this.#batches.next());
      const sent = batch instanceof Promise ? batch.then((encoded) => this.#send(encoded)) : this.#send(batch);
      if (sent instanceof Promise) this.#await(sent);
    } catch (error) {
      this.#fail(error);
    }
    this.#call.server.turns.requireClockRead();
  }

  #send(batch: ListBatch | undefined): void | Promise<void> {
    this.#current = batch;
    if (!batch) return this.#end();
    const bytes = batch.bytes(this.#call, this.#encoder);
    return bytes instanceof Promise ? bytes.then((encoded) => this.#write(batch, encoded)) : this.#write(batch, bytes);
  }

  #write(batch: ListBatch, bytes: Uint8Array): void {
    if (this.#isOver) return batch.drop();
    const end = this.#offset + writeBytesAfter(this.#written);
    const isLast = end >= bytes.length;
    // Copies a part, because a view of the batch would keep all of it in memory.
    const part = bytes.subarray(this.#offset, end);
    const isTaken = bytes.length === 0 || this.#sink.write(part.length < bytes.length ? Buffer.from(part) : part);
    this.#offset = isLast ? 0 : end;
    this.#written += part.length;
    if (isLast) {
      batch.drop();
      this.#current = undefined;
    } else if (!isTaken) {
      batch.keepOrDrop();
    }
    if (isTaken) this.#call.server.turns.later(() => this.#pump());
  }

  #await(work: Promise<void>): void {
    this.#isWaiting = true;
    work.then(
      () => {
        this.#isWaiting = false;
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #end(): void {
    this.#stop();
    this.#sink.write(this.#encoder.tail);
    this.#sink.end();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#stop();
    this.#sink.fail(error);
  }

  #stop(): void {
    this.#isOver = true;
    this.#cancelTimeout();
    this.#current?.drop();
    for (const batch of this.#ready.splice(0)) batch.drop();
  }
}

function writeBytesAfter(written: number): number {
  return written < firstWriteBytes ? firstWriteBytes - written : Math.min(4 * written, maxWriteBytes);
}
