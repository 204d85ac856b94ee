import { isConditionTrue, type CustomResourceDefinition } from '@flotilla/schema';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Cursor, Entry } from '../../store/store.ts';
import type { Server } from '../../call/server.ts';
import { isSettled, markSettled } from '../../resources/settled-definitions.ts';
import type { WebhookOptions } from '../conversion/conversion-webhook.ts';
import type { CustomApiServices } from './custom-api-services.ts';
import { customResource } from '../objects/custom-resource.ts';
import { definitionCollection, definitionOf } from '../../resources/definition-kind.ts';
import { finalizeDefinition, mustFinalize } from './finalize-definition.ts';
import { NameClaims } from './name-claims.ts';
import { nextStatus } from './next-status.ts';
import { ServedDefinition } from '../objects/served-definition.ts';
import { writeDefinition } from './write-definition.ts';

/** A served definition and its resources. */
interface Serving {
  /** Identifies the spec and the accepted names. */
  readonly state: string;
  readonly served: ServedDefinition;
  readonly resources: readonly Resource[];
}

/** Delay after a failed write. */
const retryMs = 1000;

/**
 * Watches the stored definitions, serves their resources from the moment they are visible, and writes the status that
 * kube-apiserver's controllers would. Work for one definition never iterates over all the others.
 */
export class Definitions {
  readonly #server: Server;
  readonly #webhooks: WebhookOptions;
  readonly #apiServices: CustomApiServices;
  readonly #serving = new Map<string, Serving>();
  readonly #claims = new Map<string, NameClaims>();
  /** Definitions by group that wait for names of other definitions to become free. */
  readonly #awaitingNames = new Map<string, Set<string>>();
  /** Definitions that are being reconciled; `true`: and have changed since. */
  readonly #busy = new Map<string, boolean>();
  #cursor: Cursor | undefined;
  #isStopped = false;

  constructor(server: Server, webhooks: WebhookOptions, apiServices: CustomApiServices) {
    this.#server = server;
    this.#webhooks = webhooks;
    this.#apiServices = apiServices;
  }

  /** Serves the stored definitions before it returns. */
  start(): void {
    const { store } = this.#server;
    const snapshot = store.snapshot();
    const stored = new Set<string>();
    for (const entry of snapshot.range(definitionCollection, '')) {
      stored.add(entry.key.name);
      this.#observe(entry);
    }
    for (const name of this.#serving.keys()) if (!stored.has(name)) this.#forget(name);
    const cursor = store.watch({ collection: definitionCollection, prefix: '' }, snapshot.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursor = cursor;
    this.#follow(cursor);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cursor?.close();
  }

  #follow(cursor: Cursor): void {
    for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
      if (event === 'compacted') return this.start();
      if (event.type === 'put') this.#observe(event.entry);
      else this.#forget(event.entry.key.name, groupOf(event.entry));
    }
    cursor.onReady(() => this.#follow(cursor));
  }

  #observe(entry: Entry): void {
    const { name } = entry.key;
    const definition = decodedDefinition(entry);
    const { group } = definition.spec;
    this.#claimsOf(group).set(name, definition.status?.acceptedNames);
    this.#setAwaitingNames(group, name, !isConditionTrue(definition, 'NamesAccepted'));
    this.#serve(name, entry, definition);
    this.#enqueue(name);
  }

  /** Replaces the resources and ends their watches if spec or names changed. */
  #serve(name: string, entry: Entry, definition: CustomResourceDefinition): void {
    const { registry } = this.#server;
    const state = stateOf(definition);
    let serving = this.#serving.get(name);
    if (serving?.state !== state) {
      if (serving) this.#unserve(name, serving);
      serving = this.#startServing(name, state, entry, definition);
    }
    if (!serving) return;
    const { served, resources } = serving;
    const isEstablished = isConditionTrue(definition, 'Established');
    const isTerminating = isConditionTrue(definition, 'Terminating');
    if (served.isEstablished === isEstablished && served.isTerminating === isTerminating) return;
    Object.assign(served, { isEstablished, isTerminating });
    for (const resource of resources) registry.touch(resource);
  }

  #startServing(name: string, state: string, entry: Entry, definition: CustomResourceDefinition): Serving | undefined {
    if (!isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) return undefined;
    const { registry } = this.#server;
    const { group, versions } = definition.spec;
    const served = new ServedDefinition(entry, this.#webhooks);
    const resources = versions
      .filter((version) => version.served && !registry.isBuiltin(group, version.name))
      .map((version) => customResource(served, definition, version));
    for (const resource of resources) {
      registry.put(resource);
      this.#apiServices.enqueue(group, resource.version);
    }
    const serving = { state, served, resources };
    this.#serving.set(name, serving);
    return serving;
  }

  #unserve(name: string, { served, resources }: Serving): void {
    this.#serving.delete(name);
    for (const resource of resources) {
      this.#server.registry.remove(resource);
      this.#apiServices.enqueue(resource.group, resource.version);
    }
    served.stopped.stop();
  }

  #forget(name: string, group = ''): void {
    const serving = this.#serving.get(name);
    if (serving) this.#unserve(name, serving);
    const claims = this.#claims.get(group);
    claims?.set(name, undefined);
    if (claims?.isEmpty) this.#claims.delete(group);
    this.#setAwaitingNames(group, name, false);
    this.#retryAwaiting(group, name);
  }

  #claimsOf(group: string): NameClaims {
    let claims = this.#claims.get(group);
    if (!claims) this.#claims.set(group, (claims = new NameClaims()));
    return claims;
  }

  #setAwaitingNames(group: string, name: string, isAwaiting: boolean): void {
    const awaiting = this.#awaitingNames.get(group);
    if (isAwaiting && awaiting) awaiting.add(name);
    else if (isAwaiting) this.#awaitingNames.set(group, new Set([name]));
    else if (awaiting?.delete(name) && awaiting.size === 0) this.#awaitingNames.delete(group);
  }

  /** Call when a name of this group may have become free. */
  #retryAwaiting(group: string, except: string): void {
    for (const name of this.#awaitingNames.get(group) ?? []) if (name !== except) this.#enqueue(name);
  }

  /** Reconciles a definition, one run at a time; a change during a run causes another. */
  #enqueue(name: string): void {
    if (this.#isStopped) return;
    const isBusy = this.#busy.has(name);
    this.#busy.set(name, isBusy);
    if (isBusy) return;
    void this.#reconcileUntilCurrent(name).catch(() => {
      this.#busy.delete(name);
      this.#server.after(retryMs, () => this.#enqueue(name));
    });
  }

  async #reconcileUntilCurrent(name: string): Promise<void> {
    do {
      this.#busy.set(name, false);
      await this.#reconcile(name);
    } while (this.#busy.get(name) === true);
    this.#busy.delete(name);
  }

  async #reconcile(name: string): Promise<void> {
    const { store, now } = this.#server;
    const entry = store.get({ collection: definitionCollection, name });
    if (!entry) return;
    const definition = decodedDefinition(entry);
    if (mustFinalize(definition)) return finalizeDefinition(this.#server, definition);
    const { group } = definition.spec;
    const hasConflict = this.#claimsOf(group).conflicting(definition).length > 0;
    if (!hasConflict && isSettled(entry)) return;
    if (!this.#nextStatus(definition, now())) {
      if (!hasConflict) markSettled(entry);
      return;
    }
    await writeDefinition(this.#server, name, (current, at) => {
      const status = mustFinalize(current) ? undefined : this.#nextStatus(current, at);
      if (!status) return false;
      current.status = status;
      // Claims the names before the write is visible, so that no other definition gets them.
      this.#claimsOf(group).set(name, status.acceptedNames);
      return true;
    });
    this.#retryAwaiting(group, name);
  }

  #nextStatus(definition: CustomResourceDefinition, now: Date): ReturnType<typeof nextStatus> {
    return nextStatus(definition, this.#claimsOf(definition.spec.group).conflicting(definition), now);
  }
}

/**
 * Decoded definitions. The servers of a fleet start with the same entries. Weak, because most definitions are not needed again.
 */
const decoded = new WeakMap<Entry, WeakRef<CustomResourceDefinition>>();

function decodedDefinition(entry: Entry): CustomResourceDefinition {
  const known = decoded.get(entry)?.deref();
  if (known) return known;
  const definition = definitionOf(decodeStored(entry.bytes));
  decoded.set(entry, new WeakRef(definition));
  return definition;
}

/** Changes with what is served: the generation counts changes of the spec. */
function stateOf({ metadata, status }: CustomResourceDefinition): string {
  return `${metadata.uid} ${metadata.generation} ${JSON.stringify(status?.acceptedNames)}`;
}

function groupOf({ key }: Entry): string {
  return key.name.slice(key.name.indexOf('.') + 1);
}
