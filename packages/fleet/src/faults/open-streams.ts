/** Watches and views that can be cut from outside, as a broken connection would cut them. */
import type {
  BuiltinsView,
  LiveView,
  ObjectKey,
  ObjectVersion,
  Outline,
  KubeObject,
  ResponseStream,
  ViewChange,
} from '@flotilla/kube';

type Cut = (error: Error) => void;

export class OpenStreams {
  readonly #cuts = new Set<Cut>();

  get size(): number {
    return this.#cuts.size;
  }

  /** Calls `cut` at the next cut, unless the returned function is called before. */
  add(cut: Cut): () => void {
    this.#cuts.add(cut);
    return () => void this.#cuts.delete(cut);
  }

  /** Ends all that is open. Views end with this error, streams end as if they were complete. */
  cut(error: Error): void {
    const cuts = [...this.#cuts];
    this.#cuts.clear();
    for (const cut of cuts) cut(error);
  }

  /** The same view, whose followers can be cut. `deliver` passes changes on, for instance later. */
  view(view: LiveView, deliver: Deliver = atOnce): LiveView {
    return new CuttableView(view, this, deliver);
  }

  /** The same view, whose followers can be cut. */
  builtins(view: BuiltinsView): BuiltinsView {
    return {
      revision: () => view.revision(),
      of: (kind) => view.of(kind),
      outlines: () => view.outlines(),
      follow: (changed, ended, after) => {
        const forget = this.add((error) => {
          stop();
          ended(error);
        });
        const end = (error: Error): void => {
          forget();
          ended(error);
        };
        const stopView = view.follow(changed, end, after);
        const stop = (): void => {
          forget();
          stopView();
        };
        return stop;
      },
    };
  }

  /** The same response, which can be cut. */
  response({ isCompressible, start }: ResponseStream): ResponseStream {
    return {
      isCompressible,
      start: (sink) => {
        const listeners: (() => void)[] = [];
        let isOver = false;
        const over = (): void => {
          isOver = true;
          forget();
          for (const listener of listeners.splice(0)) listener();
        };
        const forget = this.add(() => {
          over();
          sink.end();
        });
        sink.onClose(over);
        start({
          write: (chunk) => !isOver && sink.write(chunk),
          end: () => {
            forget();
            if (!isOver) sink.end();
          },
          fail: (error) => {
            forget();
            if (!isOver) sink.fail(error);
          },
          onDrain: (listener) => sink.onDrain(listener),
          onClose: (listener) => listeners.push(listener),
        });
      },
    };
  }
}

/** Passes the changes of one follower on, in order. */
export interface Delivery {
  readonly push: (change: ViewChange) => void;
  /** Passes on at once what waits. */
  readonly flush: () => void;
  /** Drops what waits. */
  readonly stop: () => void;
}

export type Deliver = (changed: (change: ViewChange) => void) => Delivery;

const nothing = (): void => undefined;
const atOnce: Deliver = (changed) => ({ push: changed, flush: nothing, stop: nothing });

/** A class without closures: a process may have a view for every kind of a thousand servers. */
class CuttableView implements LiveView {
  readonly #view: LiveView;
  readonly #streams: OpenStreams;
  readonly #deliver: Deliver;

  constructor(view: LiveView, streams: OpenStreams, deliver: Deliver) {
    this.#view = view;
    this.#streams = streams;
    this.#deliver = deliver;
  }

  revision(): number {
    return this.#view.revision();
  }

  size(): number {
    return this.#view.size();
  }

  get(key: ObjectKey): Readonly<KubeObject> | undefined {
    return this.#view.get(key);
  }

  all(namespace?: string): Iterable<Readonly<KubeObject>> {
    return this.#view.all(namespace);
  }

  outline(key: ObjectKey): Outline | undefined {
    return this.#view.outline(key);
  }

  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#view.version(key);
  }

  outlines(namespace?: string): Iterable<{ readonly key: ObjectKey; readonly outline: Outline }> {
    return this.#view.outlines(namespace);
  }

  follow(changed: (change: ViewChange) => void, ended: (error: Error) => void, after?: number): () => void {
    const delivery = this.#deliver(changed);
    const forget = this.#streams.add((error) => {
      stop();
      ended(error);
    });
    const stopView = this.#view.follow(
      delivery.push,
      (error) => {
        forget();
        delivery.flush();
        ended(error);
      },
      after,
    );
    const stop = (): void => {
      forget();
      delivery.stop();
      stopView();
    };
    return stop;
  }
}
