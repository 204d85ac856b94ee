import type { ApiHandler } from '@flotilla/kube';
import type { Authenticate } from '../access/authentication/authenticate.ts';

/** What a listener needs of a server. */
export interface RoutedServer {
  readonly handle: ApiHandler;
  readonly authenticate: Authenticate;
}

/** The server of a request, and the path and query within that server. */
interface Destination {
  readonly server: RoutedServer;
  readonly target: string;
}

const prefix = '/clusters/';

/** The path prefix of the embedded server of this name. */
export function embeddedPath(name: string): string {
  return `${prefix}${name}`;
}

/** Routes requests of one listener: `/clusters/NAME` to an embedded server, all others to the first server. */
export class ServerRoutes {
  readonly #first: RoutedServer;
  readonly #embedded = new Map<string, RoutedServer>();

  constructor(first: RoutedServer) {
    this.#first = first;
  }

  /**
   * Routes requests to the server until the returned function is called. Client certificates count only for the first server,
   * because their authority is that of the first.
   */
  add(name: string, { handle, authenticate }: RoutedServer): () => void {
    if (this.#embedded.has(name)) throw new Error(`a server named ${name} exists already`);
    this.#embedded.set(name, {
      handle,
      authenticate: (_proof, authorization, target) => authenticate('none', authorization, target),
    });
    return () => this.#embedded.delete(name);
  }

  find(target: string): Destination {
    if (!target.startsWith(prefix)) return { server: this.#first, target };
    const rest = target.slice(prefix.length);
    const end = rest.search(/[/?]/);
    const server = this.#embedded.get(end < 0 ? rest : rest.slice(0, end));
    if (server === undefined) return { server: this.#first, target };
    const path = end < 0 ? '' : rest.slice(end);
    return { server, target: path.startsWith('/') ? path : `/${path}` };
  }
}
