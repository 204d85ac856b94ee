/** A transport for tests that fails requests and ends views, by a seed. */
import { ConnectionError, type Transport, type TransportRequest, type TransportResponse } from '@flotilla/client';
import { apiErrors, type ApiError, type BuiltinsView, type LiveView } from '@flotilla/kube';
import { seededRandom } from '@flotilla/testkit';

/** Shares of all requests, and of all changes in views. */
export interface FaultRates {
  readonly requests: number;
  readonly views: number;
}

export class Faults {
  readonly #rates: FaultRates;
  readonly #random: () => number;
  isOn = true;
  happened = 0;

  constructor(seed: number, rates: FaultRates) {
    this.#rates = rates;
    this.#random = seededRandom(seed);
  }

  readonly through = (transport: Transport): Transport => ({
    ...transport,
    send: (request) => this.#send(transport, request),
    view: (request) => {
      const view = transport.view?.(request);
      return view && this.#cutting(view);
    },
    ...(transport.viewBuiltins && { viewBuiltins: this.#cuttingBuiltins(transport.viewBuiltins) }),
  });

  /** Fails before the request, after it, or with an error from the server. */
  async #send(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    if (!this.#strikes(this.#rates.requests)) return transport.send(request);
    const kind = Math.floor(this.#random() * 4);
    if (kind === 0) throw new ConnectionError('no route to host', 'unreachable');
    if (kind === 1) return answer(apiErrors.internalError('disk failure'));
    if (kind === 2 && request.method !== 'GET') {
      return answer(apiErrors.objectModified({ group: '', resource: 'things' }, 'some'));
    }
    await transport.send(request);
    throw new ConnectionError('connection lost before the answer', 'cut');
  }

  /** A view that ends after some change, as if its kind were served in another version from then on. */
  #cutting(view: LiveView): LiveView {
    return {
      revision: () => view.revision(),
      size: () => view.size(),
      get: (key) => view.get(key),
      all: (namespace) => view.all(namespace),
      outline: (key) => view.outline(key),
      version: (key) => view.version(key),
      outlines: (namespace) => view.outlines(namespace),
      follow: (changed, ended, after) => {
        const cuttable = this.#cuttable(changed, ended, () => stop());
        const stop = view.follow(cuttable, ended, after);
        return stop;
      },
    };
  }

  #cuttingBuiltins(viewBuiltins: () => BuiltinsView): () => BuiltinsView {
    return () => {
      const view = viewBuiltins();
      return {
        revision: () => view.revision(),
        of: (kind) => view.of(kind),
        outlines: () => view.outlines(),
        follow: (changed, ended, after) => {
          const cuttable = this.#cuttable(changed, ended, () => stop());
          const stop = view.follow(cuttable, ended, after);
          return stop;
        },
      };
    };
  }

  /** Passes changes on until a fault ends the view. */
  #cuttable<Change extends readonly unknown[]>(
    changed: (...change: Change) => void,
    ended: (error: Error) => void,
    stop: () => void,
  ): (...change: Change) => void {
    let isCut = false;
    return (...change) => {
      if (isCut) return;
      changed(...change);
      if (!this.#strikes(this.#rates.views)) return;
      isCut = true;
      queueMicrotask(() => {
        stop();
        ended(new Error('the view has ended'));
      });
    };
  }

  #strikes(rate: number): boolean {
    const isStruck = this.isOn && this.#random() < rate;
    if (isStruck) this.happened++;
    return isStruck;
  }
}

function answer({ status }: ApiError): TransportResponse {
  const bytes = Buffer.from(JSON.stringify(status));
  return {
    status: status.code,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield await Promise.resolve(bytes);
    })(),
  };
}
