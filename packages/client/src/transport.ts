import type { BuiltinsView, KubeObject, LiveView, ObjectIdentity, RequestBody } from '@flotilla/kube';

/** How requests reach a server. The client is the same for all transports. */
export interface Transport {
  /**
   * Rejects with a `ConnectionError` if there is no response, or with the signal's reason. Resolves for any HTTP
   * status.
   */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>;
  /**
   * In process only: a view of the collection that a list request names. Returns undefined where no view is
   * possible.
   */
  readonly view?: (request: TransportRequest) => LiveView | undefined;
  /** In process only, for users that may do everything: a view of all built-in kinds. */
  readonly viewBuiltins?: () => BuiltinsView;
  readonly close: () => Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names. Several values become several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: RequestBody;
  /** The sender needs no more than the identity of the object in the response, if the transport has it. */
  readonly wantsIdentity?: boolean;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. Repeated headers are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * Yields chunks as they arrive. A caller that stops early cancels the rest. Ends normally only if the response is
   * complete: a cut connection throws a `ConnectionError`, an aborted signal its reason.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** In process only: of the object in the body. */
  readonly identity?: (() => ObjectIdentity) | undefined;
  /** In process only: the object in the body, if others share it. */
  readonly sharedObject?: (() => KubeObject | undefined) | undefined;
}
