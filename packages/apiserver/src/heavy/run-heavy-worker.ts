import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { BytesBody, stringifyJson, type ApiRequest } from '@flotilla/kube';
import type { Admission } from '../admission/admission.ts';
import { CollectedAudit } from '../audit/collected-audit.ts';
import type { WebhookCaller } from '../admission/webhooks/call-webhook.ts';
import { customResource } from '../custom/objects/custom-resource.ts';
import { ServedDefinition } from '../custom/objects/served-definition.ts';
import type { Representation } from '../request/negotiate.ts';
import { Query } from '../request/query.ts';
import { readEntry } from '../representation/read-entry.ts';
import { isStream } from '../response/response-parts.ts';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { callVerb } from '../verbs/call-verb.ts';
import type { Call } from '../call/call.ts';
import type { Server } from '../call/server.ts';
import { deleteObject } from '../verbs/writing/delete.ts';
import { fieldsOf } from '../verbs/reading/filter.ts';
import { needsConversion } from '../verbs/reading/list-batch.ts';
import { listEncoder } from '../verbs/reading/list-encoder.ts';
import { makeFrame } from '../verbs/watching/watch-frames.ts';
import { hostFunctions, newsIn, type HostCall, type WorkerStart } from './host-calls.ts';
import type { HostFunctions } from './host-functions.ts';
import { remoteServer } from './remote-server.ts';
import { RemoteStore } from './remote-store.ts';
import { workerParts } from '../webhooks/answer-parts.ts';
import { resolveInStore } from '../webhooks/resolve-service.ts';
import { routeCalls, type CallOwnServer } from '../webhooks/own-server.ts';
import type { WebhookAnswer } from '../webhooks/webhook-call.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';
import { deserializeError, serializeError } from './serialized-error.ts';
import type { Answer, FromWorker, Job, NamedDefinition, RequestPart, ToWorker } from './thread-messages.ts';

/** A server of the main thread, with the definitions that its jobs used. */
interface WorkerServer {
  readonly host: HostFunctions;
  readonly server: Server;
  readonly caller: WebhookCaller;
  readonly definitions: Map<string, CompiledDefinition>;
}

interface CompiledDefinition {
  readonly revision: number;
  readonly served: ServedDefinition;
  readonly resources: Map<string, Resource>;
}

/**
 * The worker's program: runs the verbs of heavy requests against the store of the main thread. `pluginsFor` makes the admission
 * plugins of the host program from the settings that it gave to the thread; jobs select them by name.
 */
export function runHeavyWorker(pluginsFor: (settings: unknown) => readonly Admission[] = () => []): void {
  lowerPriority();
  const port = parentPort!;
  const { pluginSettings, ...channel } = workerData as WorkerStart;
  const added = pluginsFor(pluginSettings);
  const servers = new Map<number, WorkerServer>();
  const tickets = new Tickets();
  const counted: HostCall[] = [];
  const client = new WebhookClient();

  const serverOf = ({ server: settings }: Job): WorkerServer => {
    const found = servers.get(settings.number);
    if (found) return found;
    const host = hostFunctions(channel, settings.number, counted);
    const redeem = (ticket: number): Promise<unknown> => tickets.redeem(ticket);
    const store = new RemoteStore(host, redeem, () => newsIn(channel.flag));
    const callOwnServer: CallOwnServer = ({ shownUrl, body, timeoutMs, maxAnswerBytes }) =>
      redeem(host.callOwnServer({ shownUrl, body, timeoutMs, maxAnswerBytes })) as Promise<WebhookAnswer>;
    const caller = {
      call: routeCalls(callOwnServer, client.call),
      resolveService: resolveInStore(store, () => host.random()),
      uid: () => host.uid(),
      maxAnswerParts: workerParts,
    };
    const created: WorkerServer = {
      host,
      server: remoteServer(settings, host, { store, caller, callOwnServer, redeem, plugins: added }),
      caller,
      definitions: new Map(),
    };
    servers.set(settings.number, created);
    return created;
  };

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'outcome') return tickets.settle(message);
    const { number, job } = message;
    const warnings: string[] = [];
    const audit = job.audit && new CollectedAudit(job.audit);
    void runJob(job, () => serverOf(job), warnings, audit)
      .then((answer) =>
        send({ number, warnings, audit: audit?.additions, answer }, [answer.body.buffer as ArrayBuffer]),
      )
      .catch((error: unknown) => send({ number, warnings, audit: audit?.additions, error: serializeError(error) }));
  });
  const send = (message: Omit<FromWorker, 'counted'>, transfer: ArrayBuffer[] = []): void =>
    port.postMessage({ ...message, counted: counted.splice(0) } satisfies FromWorker, transfer);
}

/** Lets the main thread run first on few cores. Only Linux has a priority per thread. */
function lowerPriority(): void {
  if (platform() !== 'linux') return;
  const lower = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    // A process that was started with a lower one may not raise it.
    if (getPriority() < lower) setPriority(lower);
  } catch {
    // A sandbox may forbid it. The worker runs all the same.
  }
}

async function runJob(
  job: Job,
  serverOf: () => WorkerServer,
  warnings: string[],
  audit: CollectedAudit | undefined,
): Promise<Answer> {
  const known = serverOf();
  const { server } = known;
  const { group, version, resource: plural } = job.info;
  const resource = job.definition
    ? definedResource(job.definition, version, known)
    : server.registry.find(group, version, plural);
  if (!resource) throw new Error(`the worker has no resource ${plural}.${version}.${group}`);
  const info = { ...job.info, query: Query.of(job.query) };
  const call = { server, request: requestOf(job), info, resource, warnings, audit };
  if (job.part) return { status: 200, headers: {}, body: ownBytes(await runPart(call, job.part)) };
  const { status, headers, body } = await callVerb(call);
  if (isStream(body)) throw new Error('a heavy request was answered with a stream');
  return { status, headers, body: ownBytes(body instanceof Uint8Array ? body : Buffer.concat(body)) };
}

async function runPart(call: Call, part: RequestPart): Promise<Uint8Array> {
  switch (part.kind) {
    case 'frame':
      return makeFrame(call, part.representation, part.content);
    case 'item':
      return listItem(call, part.representation, part.entry);
    case 'fields':
      return Buffer.from(stringifyJson(fieldsOf(call.resource, await readEntry(call.resource, part.entry))));
    case 'delete':
      await deleteObject(call, part.namespace, part.name, part.options);
      return new Uint8Array();
  }
}

async function listItem(call: Call, representation: Representation, entry: Entry): Promise<Uint8Array> {
  // No item contains the metadata of the list.
  const encoder = listEncoder(call, {}, representation);
  if (!needsConversion(call.resource, [entry])) return encoder.itemOfEntry(entry);
  return encoder.item(await readEntry(call.resource, entry));
}

function requestOf({ method, path, query, headers, user, body, isPrinted, timeoutMs }: Job): ApiRequest {
  // The main thread drops the answer if the client disconnects. The timeout ends a write that conflicts again and again.
  const signal = AbortSignal.timeout(timeoutMs);
  const receivedBody = new BytesBody(body, isPrinted);
  return { method, path, query, headers, user, body: () => Promise.resolve(body), receivedBody, signal };
}

/** Compiles the schemas once for each revision of a definition. */
function definedResource(
  { name, revision, isEstablished, isTerminating }: NamedDefinition,
  version: string,
  { host, caller, definitions }: WorkerServer,
): Resource {
  let found = definitions.get(name);
  if (found?.revision !== revision) {
    const entry = host.definition(name);
    if (!entry) throw new Error(`the main thread has no definition ${name}`);
    found = { revision: entry.revision, served: new ServedDefinition(entry, caller), resources: new Map() };
    definitions.set(name, found);
  }
  const { served, resources } = found;
  Object.assign(served, { isEstablished, isTerminating });
  let resource = resources.get(version);
  if (!resource) {
    resource = customResource(served, served.definition, served.version(version));
    resources.set(version, resource);
  }
  return resource;
}

/** Bytes with a buffer of their own, which can be transferred to the main thread. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.prototype.slice.call(bytes);
}

/** Matches outcomes from the main thread to tickets. An outcome may arrive before its ticket is redeemed. */
class Tickets {
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  readonly #arrived = new Map<number, Outcome>();

  redeem(ticket: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = ({ value, error }: Outcome): void => (error ? reject(deserializeError(error)) : resolve(value));
      const arrived = this.#arrived.get(ticket);
      this.#arrived.delete(ticket);
      if (arrived) settle(arrived);
      else this.#waiting.set(ticket, settle);
    });
  }

  settle(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.ticket);
    this.#waiting.delete(outcome.ticket);
    if (waiting) waiting(outcome);
    else this.#arrived.set(outcome.ticket, outcome);
  }
}

type Outcome = Extract<ToWorker, { readonly kind: 'outcome' }>;
