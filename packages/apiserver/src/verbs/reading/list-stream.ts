import { apiErrors, type ResponseStream, type StreamSink } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { requestTimeoutMs } from '../../request/request-timeout.ts';
import type { Call } from '../../call/call.ts';
import type { ListBatch } from './list-batch.ts';
import { ListBatches } from './list-batches.ts';
import type { ListForm } from './list-encoder.ts';
import type { Page } from './page.ts';

/** A reader that takes nothing holds no more than the first write; a reader that does is soon given more at once. */
const firstWriteBytes = 16 * 1024;
/** More than all but the largest batches, which need not be copied then. */
const maxWriteBytes = 256 * 1024;

/** A list that is short enough in one piece, any other as a stream: the size decides whether compressing is worth it. */
export async function listBody(call: Call, page: Page, form: ListForm): Promise<Uint8Array | ResponseStream> {
  const batches = new ListBatches(call, page, form);
  const { turns } = call.server;
  let first = await nextInTurn(batches, turns);
  // A short list is often found after a long search.
  while (!batches.isDone && first.length === 0) first = await nextInTurn(batches, turns);
  const begun = [first];
  if (batches.isDone) return whole(call, form, first);
  if (form.needsLength) await measure(call, batches, begun);
  return { isCompressible: true, start: (sink) => new ListStream(call, form, begun, batches, sink).begin() };
}

/** Lists that begin together share the time of a turn. */
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

async function whole(call: Call, form: ListForm, batch: ListBatch): Promise<Uint8Array> {
  if (batch.length === 0) return form.empty();
  return Buffer.concat([form.head(batch.length), await batch.bytes(call, form), form.tail]);
}

/** Makes all items to know their length. What there is no room for is made a second time when it is read. */
async function measure({ request, server }: Call, batches: ListBatches, begun: ListBatch[]): Promise<void> {
  const { signal } = request;
  const { turns } = server;
  signal.addEventListener('abort', () => begun.forEach((batch) => batch.drop()), { once: true });
  begun[0]?.park();
  while (!batches.isDone && !signal.aborted) {
    const batch = await nextInTurn(batches, turns);
    batch.park();
    begun.push(batch);
  }
  if (signal.aborted) begun.forEach((batch) => batch.drop());
}

/** Sends a list as its reader takes it, and stops when the reader goes or the time of the request is up. */
class ListStream {
  readonly #call: Call;
  readonly #form: ListForm;
  /** Batches that are made already, the next one last. */
  readonly #begun: ListBatch[];
  readonly #batches: ListBatches;
  readonly #sink: StreamSink;
  #current: ListBatch | undefined;
  #offset = 0;
  /** Written so far. */
  #written = 0;
  #isOver = false;
  #isWaiting = false;
  #cancelTimeout: () => void = () => undefined;

  constructor(call: Call, form: ListForm, begun: ListBatch[], batches: ListBatches, sink: StreamSink) {
    this.#call = call;
    this.#form = form;
    this.#begun = begun.reverse();
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
    const itemBytes = this.#form.needsLength ? this.#begun.reduce((sum, { length }) => sum + length, 0) : 0;
    if (this.#sink.write(this.#form.head(itemBytes))) this.#pump();
  }

  #pumpSoon(): void {
    if (!this.#isOver) this.#call.server.turns.run(() => this.#pump());
  }

  #pump(): void {
    if (this.#isOver || this.#isWaiting) return;
    try {
      this.#current ??= this.#begun.pop();
      const batch = this.#current ?? (this.#batches.isDone ? undefined : this.#batches.next());
      const sent = batch instanceof Promise ? batch.then((made) => this.#send(made)) : this.#send(batch);
      if (sent instanceof Promise) this.#await(sent);
    } catch (error) {
      this.#fail(error);
    }
    this.#call.server.turns.requireClockRead();
  }

  #send(batch: ListBatch | undefined): void | Promise<void> {
    this.#current = batch;
    if (!batch) return this.#end();
    const bytes = batch.bytes(this.#call, this.#form);
    return bytes instanceof Promise ? bytes.then((made) => this.#write(batch, made)) : this.#write(batch, bytes);
  }

  #write(batch: ListBatch, bytes: Uint8Array): void {
    if (this.#isOver) return batch.drop();
    const end = this.#offset + writeBytesAfter(this.#written);
    const isLast = end >= bytes.length;
    // A part is copied, since it would keep the whole batch.
    const part = bytes.subarray(this.#offset, end);
    const isTaken = bytes.length === 0 || this.#sink.write(part.length < bytes.length ? Buffer.from(part) : part);
    this.#offset = isLast ? 0 : end;
    this.#written += part.length;
    if (isLast) {
      batch.drop();
      this.#current = undefined;
    } else if (!isTaken) {
      batch.park();
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
    this.#sink.write(this.#form.tail);
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
    for (const batch of this.#begun.splice(0)) batch.drop();
  }
}

function writeBytesAfter(written: number): number {
  return written < firstWriteBytes ? firstWriteBytes - written : Math.min(4 * written, maxWriteBytes);
}
