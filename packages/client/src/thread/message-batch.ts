import type { MessagePort } from 'node:worker_threads';
import type { LoopTurns } from '@flotilla/timing';

/** Posts the messages of one turn of the event loop together: alone, a message costs as much as a small request. */
export class MessageBatch<Message> {
  readonly #send: (messages: readonly Message[]) => void;
  readonly #turns: LoopTurns;
  #waiting: Message[] = [];

  constructor(port: MessagePort, turns: LoopTurns) {
    this.#send = (messages) => port.postMessage(messages);
    this.#turns = turns;
  }

  post(message: Message): void {
    if (this.#waiting.push(message) === 1) this.#turns.later(this.#flush);
  }

  readonly #flush = (): void => {
    const messages = this.#waiting;
    this.#waiting = [];
    this.#send(messages);
  };
}

/** Without the rest of a larger buffer, which would be copied to the other thread, too. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
