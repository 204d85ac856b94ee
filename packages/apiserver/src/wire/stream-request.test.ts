import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { describe, test } from 'node:test';
import { administrator } from '@flotilla/kube';
import { impersonatedRequest } from '../access/authentication/impersonation.ts';
import { StreamRequest } from './stream-request.ts';

describe('a request over HTTP/2', () => {
  function start(): {
    request: StreamRequest;
    stream: EventEmitter & { destroyed: boolean };
    stopping: AbortController;
  } {
    const stream = Object.assign(new EventEmitter(), { destroyed: false });
    const stopping = new AbortController();
    const request = new StreamRequest({
      stream: stream as unknown as ServerHttp2Stream,
      target: '/',
      headers: {},
      rawHeaders: [],
      user: administrator,
      stopping: stopping.signal,
    });
    return { request, stream, stopping };
  }

  test('is gone when its client disconnects or the listener stops, as its signal says', () => {
    const { request, stream } = start();
    const impersonated = impersonatedRequest(request, administrator);
    assert.deepEqual([request.isGone, impersonated.isGone, request.signal.aborted], [false, false, false]);
    stream.destroyed = true;
    stream.emit('close');
    assert.deepEqual([request.isGone, impersonated.isGone, request.signal.aborted], [true, true, true]);
    const other = start();
    other.stopping.abort();
    assert.deepEqual([other.request.isGone, other.request.signal.aborted], [true, true]);
  });
});
