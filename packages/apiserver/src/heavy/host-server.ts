import type { Reservation } from '../resources/resource.ts';
import type { Committed, Cursor, Entry, Write } from '../store/store.ts';
import type { Server } from '../call/server.ts';
import type { HostFunctions, RemoteCommit, RemoteWrite, Ticket } from './host-functions.ts';
import { joined } from './remote-store.ts';

/** What the main thread sends to the worker by itself. */
export interface WorkerNotices {
  /** Takes a promise and returns the ticket under which its outcome is sent. */
  readonly issue: (outcome: Promise<unknown>) => Ticket;
  /** Call it when a cursor that had no event has one. */
  readonly announceNews: () => void;
}

type HostDependencies = Pick<
  Server,
  'store' | 'access' | 'tokens' | 'services' | 'findKind' | 'webhooks' | 'observer' | 'uid' | 'random' | 'now'
>;

/** The functions of a server that the worker may call. Runs in the main thread. */
export function hostServer(
  server: HostDependencies,
  definitionOf: (name: string) => Entry | undefined,
  check: (write: RemoteWrite) => void,
  { issue, announceNews }: WorkerNotices,
): HostFunctions {
  const { store, access, tokens, services } = server;
  const cursors = new Handles<Cursor>();
  const reservations = new Handles<Reservation>();
  return {
    newest: (key) => transferable(store.newest(key)),
    get: (key) => transferable(store.get(key)),
    entries: () => [...store.snapshot().entries()].map(transferableEntry),
    range: (collection, prefix, start) => [...store.snapshot().range(collection, prefix, start)].map(transferableEntry),
    count: (collection, prefix) => store.count(collection, prefix),
    revision: () => store.revision,
    compactedRevision: () => store.compactedRevision,
    accept: (writes) => {
      writes.forEach(check);
      return issue(Promise.resolve(store.accept(writes.map(toWrite)).committed).then(commitsOf));
    },
    settle: (key) => issue(store.settled(key)),
    openCursor: (scope, afterRevision) => {
      const cursor = store.watch(scope, afterRevision);
      return cursor === 'compacted' ? cursor : cursors.add(cursor);
    },
    nextEvent: (number) => {
      const cursor = cursors.get(number);
      const event = cursor?.next();
      if (event === undefined) cursor?.onReady(announceNews);
      if (event === undefined || event === 'compacted') return event;
      const { revision, type, entry, previous } = event;
      return { revision, type, entry: transferableEntry(entry), previous: transferable(previous) };
    },
    awaitEvent: (number) => issue(eventIn(cursors.get(number), announceNews)),
    closeCursor: (number) => cursors.take(number)?.close(),

    authorize: (requested) => {
      const { isAllowed, reason } = access.authorize(requested);
      return { isAllowed, reason };
    },
    effectiveGroups: (groups) => access.effectiveGroups(groups),
    rulesGeneration: () => access.generation,
    rulesOf: (user, namespace) => access.rulesOf(user, namespace),
    missingRoles: (user, namespace) => access.missingRoles(user, namespace),
    rulesOfRole: (role, namespace) => access.rulesOfRole(role, namespace),
    notHeld: (user, namespace, rules) => access.notHeld(user, namespace, rules),
    recognise: (token, audiences) => {
      const recognition = tokens.recognise(token, audiences);
      return recognition instanceof Promise ? { ticket: issue(recognition) } : recognition;
    },
    sign: (claims) => tokens.accounts.sign(claims),
    tokenLimits: () => {
      const { audiences, maxExpirationSeconds } = tokens.accounts;
      return { audiences, maxExpirationSeconds };
    },

    reserve: (object, old, dryRun) => {
      const reservation = reservations.add(services.reserve(object, old, dryRun));
      return { object, reservation };
    },
    endReservation: (number, outcome) => reservations.take(number)?.[outcome](),
    release: (object) => services.release(object),

    definition: (name) => transferable(definitionOf(name)),
    findKind: (gvk) => server.findKind(gvk),

    pluginsRan: (run) => server.observer.ran(run),
    webhookCalled: (...args) => server.observer.webhooks.called(...args),
    webhookFailedOpen: (...args) => server.observer.webhooks.failedOpen(...args),
    webhookExcluded: (...args) => server.observer.webhooks.excluded(...args),
    policyValidated: (...args) => server.observer.policies.validated(...args),
    policyMutated: (...args) => server.observer.policies.mutated(...args),
    conditionsEvaluated: (...args) => server.observer.conditions.evaluated(...args),

    callOwnServer: (call) => issue(server.webhooks.callOwnServer(call)),

    uid: () => server.uid(),
    random: () => server.random(),
    now: () => server.now().getTime(),
  };
}

/** A cursor has one listener, which must announce the news, too. */
function eventIn(cursor: Cursor | undefined, announceNews: () => void): Promise<void> {
  return new Promise((resolve) => {
    cursor?.onReady(() => {
      announceNews();
      resolve();
    });
  });
}

/** Numbers stand for values that cannot be sent to another thread. */
class Handles<Value> {
  readonly #values = new Map<number, Value>();
  #last = 0;

  add(value: Value): number {
    this.#values.set(++this.#last, value);
    return this.#last;
  }

  get(number: number): Value | undefined {
    return this.#values.get(number);
  }

  take(number: number): Value | undefined {
    const value = this.#values.get(number);
    this.#values.delete(number);
    return value;
  }
}

function transferable(entry: Entry | undefined): Entry | undefined {
  return entry && transferableEntry(entry);
}

/** Copies the bytes of an entry if they are part of a larger buffer: posting would copy that buffer, of many megabytes. */
export function transferableEntry({ key, header, bytes, createRevision, revision }: Entry): Entry {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.prototype.slice.call(bytes);
  return { key, header, bytes: own, createRevision, revision };
}

function toWrite(write: RemoteWrite): Write {
  const { verb, key, expected, header = { uid: '' } } = write;
  const encode = (revision: number): Uint8Array => joined(write, revision);
  return verb === 'put' ? { verb, key, expected, header, encode } : { verb, key, expected, encode };
}

function commitsOf(commits: readonly Committed[]): RemoteCommit[] {
  return commits.map(({ revision, entry: { createRevision, header } }) => ({ revision, createRevision, header }));
}
