import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ApiRequest } from '@flotilla/kube';
import type { Admission } from '../admission/admission.ts';
import { customResource } from '../custom/objects/custom-resource.ts';
import { resolveByClusterIp } from '../webhooks/resolve-service.ts';
import { ServedDefinition } from '../custom/objects/served-definition.ts';
import { Query } from '../request/query.ts';
import { isStream } from '../response/response-parts.ts';
import { callWebhook } from '../webhooks/webhook-call.ts';
import type { Resource } from '../resources/resource.ts';
import { callVerb } from '../verbs/call-verb.ts';
import type { Call } from '../call/call.ts';
import type { Server } from '../call/server.ts';
import { deleteObject } from '../verbs/writing/delete.ts';
import { listForm } from '../verbs/reading/list-form.ts';
import { madeFrame } from '../verbs/watching/watch-frames.ts';
import { hostFunctions, type HostLine } from './host-calls.ts';
import type { HostFunctions } from './host-functions.ts';
import { remoteServer } from './remote-server.ts';
import { fromSent, toSent } from './serialized-error.ts';
import type { Answer, FromWorker, Job, NamedDefinition, RequestPart, ToWorker } from './thread-messages.ts';

/** A server of the main thread, with the definitions that its jobs needed. */
interface KnownServer {
  readonly host: HostFunctions;
  readonly server: Server;
  readonly definitions: Map<string, KnownDefinition>;
}

interface KnownDefinition {
  readonly revision: number;
  readonly served: ServedDefinition;
  readonly resources: Map<string, Resource>;
}

/**
 * The worker's program: runs the verbs of heavy requests against the store of the main thread. `added` are the admission steps that
 * host programs add to Kubernetes' own, found by their names.
 */
export function runHeavyWorker(added: readonly Admission[] = []): void {
  giveWay();
  const port = parentPort!;
  const line = workerData as HostLine;
  const servers = new Map<number, KnownServer>();
  const tickets = new Tickets();

  const serverOf = ({ server: settings }: Job): KnownServer => {
    const found = servers.get(settings.number);
    if (found) return found;
    const host = hostFunctions(line, settings.number);
    const made: KnownServer = {
      host,
      server: remoteServer(settings, host, (ticket) => tickets.redeem(ticket), added),
      definitions: new Map(),
    };
    servers.set(settings.number, made);
    return made;
  };

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'outcome') return tickets.settle(message);
    const { number, job } = message;
    const warnings: string[] = [];
    void answerOf(job, () => serverOf(job), warnings)
      .then((answer) => send({ number, warnings, answer }, [answer.body.buffer as ArrayBuffer]))
      .catch((error: unknown) => send({ number, warnings, error: toSent(error) }));
  });
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
}

/** Where cores are few, the main thread goes first. Linux has a priority for each thread; elsewhere it is the process's. */
function giveWay(): void {
  if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

async function answerOf(job: Job, serverOf: () => KnownServer, warnings: string[]): Promise<Answer> {
  const known = serverOf();
  const { server } = known;
  const { group, version, resource: plural } = job.info;
  const resource = job.definition
    ? definedResource(job.definition, version, known)
    : server.registry.find(group, version, plural);
  if (!resource) throw new Error(`the worker does not know ${plural}.${version}.${group}`);
  const info = { ...job.info, query: Query.of(job.query) };
  const call = { server, request: requestOf(job), info, resource, warnings };
  if (job.part) return { status: 200, headers: {}, body: ownBytes(await partOf(call, job.part)) };
  const { status, headers, body } = await callVerb(call);
  if (isStream(body)) throw new Error('a heavy request was answered with a stream');
  return { status, headers, body: ownBytes(body instanceof Uint8Array ? body : Buffer.concat(body)) };
}

async function partOf(call: Call, part: RequestPart): Promise<Uint8Array> {
  switch (part.kind) {
    case 'frame':
      return madeFrame(call, part.representation, part.content);
    case 'item':
      // The list's own metadata is not a part of any item.
      return listForm(call, {}, part.representation).itemOfEntry(part.entry);
    case 'delete':
      await deleteObject(call, part.namespace, part.name, part.options);
      return new Uint8Array();
  }
}

function requestOf({ method, path, query, headers, user, body, timeoutMs }: Job): ApiRequest {
  // The main thread drops the answer if the client has gone. A write that loses one race after another must end with its time.
  const signal = AbortSignal.timeout(timeoutMs);
  return { method, path, query, headers, user, body: () => Promise.resolve(body), signal };
}

/** Schemas are compiled once for each state of a definition. */
function definedResource(
  { name, revision, isEstablished, isTerminating }: NamedDefinition,
  version: string,
  { host, server, definitions }: KnownServer,
): Resource {
  let found = definitions.get(name);
  if (found?.revision !== revision) {
    const entry = host.definition(name);
    if (!entry) throw new Error(`the main thread has no definition ${name}`);
    const webhooks = { call: callWebhook, resolveService: resolveByClusterIp(server.store), uid: server.uid };
    found = { revision: entry.revision, served: new ServedDefinition(entry, webhooks), resources: new Map() };
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

/** Bytes that can change hands: not a part of a larger buffer. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.prototype.slice.call(bytes);
}

/** Outcomes that the main thread has promised. They may arrive before anything waits for them. */
class Tickets {
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  readonly #arrived = new Map<number, Outcome>();

  redeem(ticket: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = ({ value, error }: Outcome): void => (error ? reject(fromSent(error)) : resolve(value));
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
