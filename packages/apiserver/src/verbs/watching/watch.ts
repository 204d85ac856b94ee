import { ApiError, apiErrors, isMaster, type ApiResponse } from '@flotilla/kube';
import { StreamAccess } from '../../access/stream-access.ts';
import { requestAccess } from '../../access/request-access.ts';
import { listOptions, type ListOptions } from '../../request/list-options.ts';
import { mediaTypes, negotiate, type Representation } from '../../request/negotiate.ts';
import { headersFor } from '../../response/respond.ts';
import { parseResourceVersion, resourceVersionFault } from '../../request/resource-version.ts';
import { includeObject } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import { filterOf } from '../reading/filter.ts';
import { scopePrefix } from '../reading/page.ts';
import { offerOf } from '../../representation/represent.ts';
import { waitForRevision } from '../reading/wait-for-revision.ts';
import { frameEncoder } from './watch-frames.ts';
import { watchStream, type WatchStart } from './watch-stream.ts';

/** A watch without a timeout ends after half an hour to an hour at random, to spread reconnects. */
const minTimeoutSeconds = 1800;

/** The largest timeout of a Node timer, 24 days. */
const maxTimeoutMs = 2 ** 31 - 1;

export async function watch(call: Call): Promise<ApiResponse> {
  const { request, resource, info, server } = call;
  const representation = negotiate(request.headers['accept'], offerOf(resource.codec, 'watch'));
  const filter = filterOf(call);
  const options = listOptions(info.query, true);
  if (representation.as === 'Table') includeObject(info.query);
  const start = await startOf(call, options);
  const timeoutSeconds = options.timeoutSeconds || minTimeoutSeconds * (1 + server.random());
  const body = watchStream({
    server,
    signal: request.signal,
    stopped: resource.stopped,
    rights: rightsOf(call),
    scope: { collection: resource.collection, prefix: filter.onlyName ?? scopePrefix(call) },
    filter,
    start,
    frames: frameEncoder(call, representation),
    sent: server.watchEvents.with(info.group, info.resource, info.version),
    sendsBookmarks: options.allowWatchBookmarks,
    // A negative timeout ends the watch at once; Node warns about negative timers.
    timeoutMs: Math.max(0, Math.min(timeoutSeconds * 1000, maxTimeoutMs)),
  });
  return { status: 200, headers: headersFor(contentTypeOf(representation), call.warnings), body };
}

/** The watch is authorized again whenever roles or bindings change. */
function rightsOf({ request, info, server }: Call): StreamAccess | undefined {
  const { user } = request;
  if (user === undefined || isMaster(user)) return undefined;
  return new StreamAccess(server.access, [requestAccess(request, info, user)]);
}

function contentTypeOf({ encoding }: Representation): string {
  return encoding === 'protobuf' ? `${mediaTypes.protobuf};stream=watch` : mediaTypes.json;
}

/** Where a watch starts: with initial events, or after a revision. */
async function startOf(call: Call, options: ListOptions): Promise<WatchStart> {
  const revision = parseResourceVersion(options.resourceVersion);
  if (revision === undefined) throw apiErrors.unknown(resourceVersionFault(options.resourceVersion));
  if (options.sendInitialEvents === true) return initialEventsNotOlderThan(call, revision, options.allowWatchBookmarks);
  return { sendsInitialEvents: false, afterRevision: revision > 0 ? revision : call.server.store.revision };
}

/** If the revision does not arrive in time, the error is sent as an event in the stream, as in Kubernetes. */
async function initialEventsNotOlderThan(
  call: Call,
  revision: number,
  marksInitialEventsEnd: boolean,
): Promise<WatchStart> {
  try {
    await waitForRevision(call, revision);
    return { sendsInitialEvents: true, marksInitialEventsEnd };
  } catch (error) {
    if (error instanceof ApiError) return { sendsInitialEvents: false, failure: error.status };
    throw error;
  }
}
