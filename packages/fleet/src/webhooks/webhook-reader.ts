import { discover, type Client } from '@flotilla/client';
import { ignoreNotFound } from '@flotilla/kube';
import type { Found, Read } from '../admission/fleet-check.ts';

/** Reads from the server on every request: a guard must not decide by an outdated RoleBinding. */
export function webhookReader(client: Client): (read: Read) => Promise<Found> {
  const discovery = discover(client);
  return async (read) => {
    switch (read.read) {
      case 'object': {
        const object = await client.get(read.kind, read.key).catch(ignoreNotFound);
        return { objects: object ? [object] : [] };
      }
      case 'objects': {
        const { kind, namespace } = read;
        // The kind may not be installed.
        const list = await client.list(kind, namespace === '' ? {} : { namespace }).catch(ignoreNotFound);
        return { objects: list?.items ?? [] };
      }
      case 'served kind':
        return { objects: [], kind: await discovery.find(read.gvk) };
    }
  };
}
