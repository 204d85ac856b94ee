import type { ApiHandler } from '@flotilla/kube';
import type { Authenticate } from '../access/authentication/authenticate.ts';

/** A server as those meet it who come over a socket. */
export interface Entrance {
  readonly handle: ApiHandler;
  readonly authenticate: Authenticate;
}

/** Where a request goes, and what it asks for there: a path, perhaps with a query. */
interface Destination {
  readonly entrance: Entrance;
  readonly target: string;
}

const prefix = '/clusters/';

/** Where clients find a server that is embedded under this name. */
export function embeddedPath(name: string): string {
  return `${prefix}${name}`;
}

/** Many servers behind one listener: the first at `/`, the others at `/clusters/NAME`. */
export class Entrances {
  readonly #first: Entrance;
  readonly #embedded = new Map<string, Entrance>();

  constructor(first: Entrance) {
    this.#first = first;
  }

  /**
   * Opens a server under a name until the returned function is called. The certificates that a listener believes are those of
   * its first server: to the others, whoever shows one has shown nothing.
   */
  open(name: string, { handle, authenticate }: Entrance): () => void {
    if (this.#embedded.has(name)) throw new Error(`there is a server named ${name} already`);
    this.#embedded.set(name, { handle, authenticate: (_proof, authorization) => authenticate('none', authorization) });
    return () => this.#embedded.delete(name);
  }

  find(target: string): Destination {
    if (!target.startsWith(prefix)) return { entrance: this.#first, target };
    const rest = target.slice(prefix.length);
    const end = rest.search(/[/?]/);
    const entrance = this.#embedded.get(end < 0 ? rest : rest.slice(0, end));
    if (entrance === undefined) return { entrance: this.#first, target };
    const inside = end < 0 ? '' : rest.slice(end);
    return { entrance, target: inside.startsWith('/') ? inside : `/${inside}` };
  }
}
