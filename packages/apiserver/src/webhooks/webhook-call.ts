/** A request to an HTTPS server of a user. */
export interface WebhookCall {
  /** The host in the URL is verified against the certificate. */
  readonly url: URL;
  /** The URL in error messages. */
  readonly shownUrl: string;
  /** Finds the address to connect to; absent: the host of the URL. Called for each new connection; may throw. */
  readonly address?: () => WebhookAddress;
  /** Whether the URL is the Service of this server itself. */
  readonly isOwnServer?: boolean;
  /** CA certificates in PEM; absent: those of the operating system. */
  readonly authority?: string;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  /** Larger answers are refused. */
  readonly maxAnswerBytes: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

export interface WebhookAddress {
  readonly host: string;
  readonly port: number;
}

export interface WebhookAnswer {
  readonly status: number;
  /** Empty if the server sent none. */
  readonly contentType?: string;
  readonly body: Uint8Array;
}

/** Rejects with the error message of Go's HTTP client. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookAnswer>;
