import { errorMessage, type ApiHandler, type JsonObject, type Logger } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { applyCondition } from '../../own-requests/ensure-object.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Store, StoreEvent } from '../../store/store.ts';
import { danglingCondition, hasCondition } from './dangling-condition.ts';
import { ensureFlowObjects, isDefault } from './ensure-flow-objects.ts';
import { flowControlConsumer } from './flow-control-owner.ts';
import { flowControlPath, flowSchemaOf, flowSchemasCollection, priorityLevelsCollection } from './flow-objects.ts';

export interface KeeperOptions {
  readonly handle: ApiHandler;
  readonly store: Store;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
}

/** kube-apiserver looks every minute whether its objects are as they should be. Here a change to one starts that minute. */
const restoreMs = 60_000;

/** Writes the condition of schemas, and restores default objects a minute after a change. */
export class FlowObjectKeeper {
  readonly #options: KeeperOptions;
  #isStarted = false;
  #isWriting = false;
  #isDue = false;
  #cancelRestore: (() => void) | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Call once the default objects exist. */
  start(): void {
    this.#isStarted = true;
  }

  stop(): void {
    this.#isStarted = false;
    this.#cancelRestore?.();
  }

  /** Without an event, any object may have changed. */
  changed(event: StoreEvent | undefined): void {
    if (!this.#isStarted) return;
    if (!event || isDefault(event.entry.key.collection, event.entry.key.name)) this.#restoreLater();
    this.#writeLater();
  }

  #restoreLater(): void {
    if (this.#cancelRestore) return;
    const { clock, handle, store, logger } = this.#options;
    this.#cancelRestore = clock.after(restoreMs, () => {
      this.#cancelRestore = undefined;
      void ensureFlowObjects(handle, store, new Date(clock.now())).catch((error: unknown) => {
        logger.warn('restoring flow control objects failed, retrying', { error: errorMessage(error) });
        if (this.#isStarted) this.#restoreLater();
      });
    });
  }

  /** Several changes in a turn, such as the deletion of a level, lead to one pass. */
  #writeLater(): void {
    this.#isDue = true;
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#options.turns.later(() => void this.#write());
  }

  async #write(): Promise<void> {
    while (this.#isDue && this.#isStarted) {
      this.#isDue = false;
      await this.#writeConditions().catch((error: unknown) =>
        this.#options.logger.warn('writing the condition of flow schemas failed', { error: errorMessage(error) }),
      );
    }
    this.#isWriting = false;
  }

  async #writeConditions(): Promise<void> {
    const { handle, store, clock } = this.#options;
    for (const { bytes, key } of store.snapshot().range(flowSchemasCollection, '')) {
      const object = decodeStored(bytes);
      const { level } = flowSchemaOf(object, '');
      const isFound = store.get({ collection: priorityLevelsCollection, name: level }) !== undefined;
      const condition = danglingCondition(level, isFound);
      if (hasCondition(object['status'] as JsonObject | undefined, condition)) continue;
      const { apiVersion, kind } = object;
      const target = {
        path: `${flowControlPath}/flowschemas`,
        object: { apiVersion, kind, metadata: { name: key.name } },
      };
      await applyCondition(handle, target, { manager: flowControlConsumer, condition }, new Date(clock.now()));
    }
  }
}
