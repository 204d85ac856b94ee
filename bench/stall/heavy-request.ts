export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: () => Uint8Array;
}

/** A legal request that costs the server much. */
export interface HeavyRequest extends Step {
  readonly name: string;
  /** Sent before, in this order. */
  readonly prepare?: readonly Step[];
  /** What the request must be answered with: a catalogue of typing mistakes would measure nothing. */
  readonly status: number;
  /** Sent afterwards, so that the request can be played again. */
  readonly cleanup?: readonly Step[];
}
