/** What the two ends of a port say to each other about requests. All of it can be copied between threads. */
import type { ObjectIdentity, ResponseHeaders, ApiStatus, User } from '@flotilla/kube';

export interface SentRequest {
  readonly type: 'request';
  readonly id: number;
  /** The server behind the port that the request is for. */
  readonly server: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly headerLists: Readonly<Record<string, readonly string[]>> | undefined;
  readonly user: User | undefined;
  /** Absent if the caller has not received it: the server asks for it. */
  readonly body: Uint8Array | undefined;
  readonly isPrinted: boolean;
  /** The answer may leave out an object of which it has the identity. */
  readonly wantsIdentity: boolean;
  readonly remoteAddress: string | undefined;
  readonly auditId: string | undefined;
}

export type ToServer =
  | SentRequest
  | { readonly type: 'body'; readonly id: number; readonly body: Uint8Array | ApiStatus }
  /** The caller stopped waiting, or reading. */
  | { readonly type: 'cancel'; readonly id: number }
  /** So many bytes of a stream have been read. */
  | { readonly type: 'taken'; readonly id: number; readonly bytes: number };

export interface Answered {
  readonly type: 'answer';
  readonly id: number;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** A stream says only whether it may be compressed. Its chunks follow. */
  readonly body: Uint8Array | { readonly isCompressible: boolean };
  readonly identity: ObjectIdentity | undefined;
}

/** A part of a stream, or its end: complete, or for this reason not. */
export type Piece =
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly id: number; readonly failure: string | undefined };

/** Asks for the body. */
export interface WantedBody {
  readonly type: 'read';
  readonly id: number;
  readonly limit: number;
}

export type ToCaller = Answered | Piece | WantedBody;
