import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ApiRequest, BodyMeter, User } from '@flotilla/kube';
import { impersonationLists } from '../access/authentication/impersonated-user.ts';
import { readLimited } from './body.ts';

interface StreamRequestParts {
  readonly stream: ServerHttp2Stream;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly user: User | undefined;
  /** Aborted when the listener stops. */
  readonly stopping: AbortSignal;
}

/** A request as an HTTP/2 stream brings it. A literal with a getter would be the same and cost a microsecond more. */
export class StreamRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly headerLists: ApiRequest['headerLists'];
  readonly user: User | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #stopping: AbortSignal;
  #gone: AbortController | undefined;

  constructor({ stream, target, headers, rawHeaders, user, stopping }: StreamRequestParts) {
    const mark = target.indexOf('?');
    this.method = headers[':method'] ?? 'GET';
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers as Record<string, string | undefined>;
    this.headerLists = impersonationLists(this.headers, rawHeaders);
    this.user = user;
    this.#stream = stream;
    this.#stopping = stopping;
  }

  body(limit: number, meter?: BodyMeter): Promise<Uint8Array> {
    return readLimited(this.#stream, limit, this.headers['content-length'], meter);
  }

  get connection(): object | undefined {
    return this.#stream.session;
  }

  /** Only watches and waits ask for it, so only they pay for it. */
  get signal(): AbortSignal {
    return (this.#gone ??= linked(this.#stream, this.#stopping)).signal;
  }
}

function linked(stream: ServerHttp2Stream, stopping: AbortSignal): AbortController {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  stream.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  stopping.addEventListener('abort', abort, { once: true });
  if (stopping.aborted || stream.destroyed) abort();
  return gone;
}
