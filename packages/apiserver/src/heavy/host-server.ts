import type { Reservation } from '../resources/resource.ts';
import type { Committed, Cursor, Entry, Write } from '../store/store.ts';
import type { Server } from '../call/server.ts';
import type { HostFunctions, RemoteCommit, RemoteWrite, Ticket } from './host-functions.ts';
import { joined } from './remote-store.ts';

/** Takes a promise and returns the ticket under which its outcome is sent to the worker. */
export type Issue = (outcome: Promise<unknown>) => Ticket;

type HostDependencies = Pick<Server, 'store' | 'access' | 'tokens' | 'services' | 'uid' | 'random' | 'now'>;

/** What one server on the main thread answers its worker. */
export function hostServer(
  server: HostDependencies,
  definitionOf: (name: string) => Entry | undefined,
  check: (write: RemoteWrite) => void,
  issue: Issue,
): HostFunctions {
  const { store, access, tokens, services } = server;
  const cursors = new Numbered<Cursor>();
  const reservations = new Numbered<Reservation>();
  return {
    newest: (key) => sent(store.newest(key)),
    get: (key) => sent(store.get(key)),
    range: (collection, prefix, start) => [...store.snapshot().range(collection, prefix, start)].map(sentEntry),
    count: (collection, prefix) => store.count(collection, prefix),
    revision: () => store.revision,
    compactedRevision: () => store.compactedRevision,
    accept: (writes) => {
      writes.forEach(check);
      return issue(store.accept(writes.map(toWrite)).committed.then(commitsOf));
    },
    settle: (key) => issue(store.settled(key)),
    openCursor: (scope, afterRevision) => {
      const cursor = store.watch(scope, afterRevision);
      return cursor === 'compacted' ? cursor : cursors.add(cursor);
    },
    nextEvent: (number) => {
      const event = cursors.get(number)?.next();
      if (event === undefined || event === 'compacted') return event;
      const { revision, type, entry, previous } = event;
      return { revision, type, entry: sentEntry(entry), previous: sent(previous) };
    },
    awaitEvent: (number) => issue(new Promise<void>((resolve) => cursors.get(number)?.onReady(resolve))),
    closeCursor: (number) => cursors.take(number)?.close(),

    authorize: (asked) => {
      const { isAllowed, reason } = access.authorize(asked);
      return { isAllowed, reason };
    },
    rulesGeneration: () => access.generation,
    rulesOf: (user, namespace) => access.rulesOf(user, namespace),
    missingRoles: (user, namespace) => access.missingRoles(user, namespace),
    rulesOfRole: (role, namespace) => access.rulesOfRole(role, namespace),
    notHeld: (user, namespace, rules) => access.notHeld(user, namespace, rules),
    recognise: (token, audiences) => tokens.recognise(token, audiences),
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
    released: (object) => services.released(object),

    definition: (name) => sent(definitionOf(name)),

    uid: () => server.uid(),
    random: () => server.random(),
    now: () => server.now().getTime(),
  };
}

/** Things that cannot leave this thread, by a number that can. */
class Numbered<Thing> {
  readonly #things = new Map<number, Thing>();
  #last = 0;

  add(thing: Thing): number {
    this.#things.set(++this.#last, thing);
    return this.#last;
  }

  get(number: number): Thing | undefined {
    return this.#things.get(number);
  }

  take(number: number): Thing | undefined {
    const thing = this.#things.get(number);
    this.#things.delete(number);
    return thing;
  }
}

function sent(entry: Entry | undefined): Entry | undefined {
  return entry && sentEntry(entry);
}

/** Posting a part of a buffer copies all of it, and stored objects may share a buffer of many megabytes. */
export function sentEntry({ key, header, bytes, createRevision, revision }: Entry): Entry {
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
