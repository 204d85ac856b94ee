import type { ApiResponse, RequestBody } from '@flotilla/kube';
import type { WorkerRetry } from '../resources/cost-allowance.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { Representation } from '../request/negotiate.ts';
import { requestTimeoutMs, withTimeout } from '../request/request-timeout.ts';
import { storageName, type DefinitionState, type Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import type { Call } from '../call/call.ts';
import type { Server } from '../call/server.ts';
import type { FrameContent, HeavyWork } from '../call/heavy-work.ts';
import { hostServer, transferableEntry } from './host-server.ts';
import type { RemoteWrite } from './host-functions.ts';
import type { HeavyThread } from './heavy-thread.ts';
import { recheckCreate } from './recheck-create.ts';
import type { Answer, Job, NamedDefinition, RequestPart, ServerSettings } from './thread-messages.ts';

/** A request that would block the event loop for too long. The worker runs it from the start. */
export class TooHeavy extends Error {
  override readonly name = 'TooHeavy';
  readonly #call: Call;
  readonly #body: RequestBody;

  constructor(call: Call, body: RequestBody) {
    super('the request is too heavy for the main thread');
    this.#call = call;
    this.#body = body;
  }

  run(): Promise<ApiResponse> {
    const { server, warnings } = this.#call;
    warnings.length = 0;
    return server.heavy!.run(this.#call, this.#body.bytes);
  }
}

/** Knows a request until it is answered. */
class LateRetry implements WorkerRetry {
  readonly #call: Call;
  readonly #body: RequestBody;

  constructor(call: Call, body: RequestBody) {
    this.#call = call;
    this.#body = body;
  }

  tooHeavy(): TooHeavy {
    return new TooHeavy(this.#call, this.#body);
  }

  isTooHeavy(error: unknown): boolean {
    return error instanceof TooHeavy;
  }
}

/** Decides which requests of a server would block the event loop for long, and runs them in the worker. */
export class HeavyRequests implements HeavyWork {
  readonly #thread: HeavyThread;
  readonly #server: Server;
  readonly #settings: ServerSettings;
  readonly #definitions = new Map<string, Entry>();
  /** The resources of the jobs so far, by collection. */
  readonly #resources = new Map<string, Resource>();

  constructor(thread: HeavyThread, server: Server, settings: Omit<ServerSettings, 'number'>) {
    this.#thread = thread;
    this.#server = server;
    const definitionOf = (name: string): Entry | undefined => this.#definitions.get(name);
    const check = (write: RemoteWrite): void => {
      const resource = this.#resources.get(write.key.collection);
      if (resource) recheckCreate(server, resource, write);
    };
    const number = thread.add((notices) => hostServer(server, definitionOf, check, notices));
    this.#settings = { ...settings, number };
  }

  /** The error to throw if body, stored object, and what admission reads of the namespace are together too large for this thread. */
  whyHeavy(call: Call, body: RequestBody): TooHeavy | undefined {
    const { verb, namespace } = call.info;
    if (!writes.has(verb)) return undefined;
    const { quotas, limitRanges } = this.#server;
    const read = namespace === '' ? 0 : quotas.bytesIn(namespace) + limitRanges.bytesIn(namespace);
    const others = this.#storedBytes(call) + read;
    // Printing a body of a client in this process only to measure it would cost more than most such requests.
    const isHeavy = this.isHeavy(body.plainSize + others) && this.isHeavy(body.bytes.length + others);
    return isHeavy ? new TooHeavy(call, body) : undefined;
  }

  retryOf(call: Call, body: RequestBody): WorkerRetry {
    return new LateRetry(call, body);
  }

  isTooHeavy(error: unknown): boolean {
    return error instanceof TooHeavy;
  }

  isHeavy(bytes: number): boolean {
    return bytes > this.#thread.heavyBytes;
  }

  async run(call: Call, body: Uint8Array = noBytes): Promise<ApiResponse> {
    return this.#runInTime(call, this.#jobOf(call, body));
  }

  frame(call: Call, representation: Representation, content: FrameContent): Promise<Uint8Array> {
    const transferable = { ...content, entry: transferableEntry(content.entry) };
    return this.#runPart(call, { kind: 'frame', representation, content: transferable });
  }

  item(call: Call, representation: Representation, entry: Entry): Promise<Uint8Array> {
    return this.#runPart(call, { kind: 'item', representation, entry: transferableEntry(entry) });
  }

  async fields(call: Call, entry: Entry): Promise<Record<string, string>> {
    const bytes = await this.#runPart(call, { kind: 'fields', entry: transferableEntry(entry) });
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, string>;
  }

  async delete(call: Call, namespace: string, name: string, options: DeleteOptions): Promise<void> {
    await this.#runPart(call, { kind: 'delete', namespace, name, options });
  }

  async #runPart(call: Call, part: RequestPart): Promise<Uint8Array> {
    const { body } = await this.#runInTime(call, { ...this.#jobOf(call, noBytes), part });
    return body;
  }

  /** A job that is still queued when its timeout is over, or its client disconnected, does not run. */
  async #runInTime({ request, warnings, audit }: Call, job: Job): Promise<Answer> {
    let isLate = false;
    const isWanted = (): boolean => !isLate && !request.signal.aborted;
    try {
      return await withTimeout(job.timeoutMs, this.#server.after, this.#thread.run({ job, warnings, audit, isWanted }));
    } finally {
      isLate = true;
    }
  }

  /** Unregisters the server. Running requests still finish. */
  stop(): void {
    this.#thread.remove(this.#settings.number);
  }

  #storedBytes({ resource, info }: Call): number {
    if (info.name === '' || !resource.isStored) return 0;
    const name = storageName(resource, info.namespace, info.name);
    return this.#server.store.newest({ collection: resource.collection, name })?.bytes.length ?? 0;
  }

  #jobOf({ request, info, resource, audit }: Call, body: Uint8Array): Job {
    const { method, path, query, headers, user, receivedBody } = request;
    const { query: _query, ...about } = info;
    this.#resources.set(resource.collection, resource);
    const definition = resource.definedBy && this.#nameDefinition(resource.definedBy());
    return {
      server: this.#settings,
      method,
      path,
      query,
      headers: { ...headers },
      user,
      body,
      isPrinted: receivedBody?.isPrinted === true,
      timeoutMs: requestTimeoutMs(info.query),
      audit: audit?.decision,
      info: about,
      ...(definition && { definition }),
    };
  }

  #nameDefinition({ entry, isEstablished, isTerminating }: DefinitionState): NamedDefinition {
    const { name } = entry.key;
    this.#definitions.set(name, entry);
    return { name, revision: entry.revision, isEstablished, isTerminating };
  }
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

const noBytes = new Uint8Array();
