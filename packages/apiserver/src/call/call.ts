import type { ApiRequest } from '@flotilla/kube';
import type { WorkerRetry } from '../resources/cost-allowance.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { InFlightRequest } from '../limits/in-flight-request.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import { storageName, type Resource } from '../resources/resource.ts';
import type { Key } from '../store/store.ts';
import type { Server } from './server.ts';

/** One request to a resource: the argument of every verb. */
export interface Call {
  readonly server: Server;
  readonly request: ApiRequest;
  readonly info: ResourceInfo;
  readonly resource: Resource;
  /** Counts the request against its caller's limit; undefined for reads and for requests without a limit. */
  readonly inFlight?: InFlightRequest | undefined;
  /** Texts of `Warning` headers, in order. */
  readonly warnings: string[];
  /** Undefined if the request is not audited. */
  readonly audit?: RequestAudit | undefined;
  /** Set when the body is read, if there is a worker. */
  retry?: WorkerRetry | undefined;
}

/** The resource as error messages name it. */
export function groupResource({ resource }: Pick<Call, 'resource'>): { resource: string; group: string } {
  return { resource: resource.plural, group: resource.group };
}

/** The storage key of the object with that name. */
export function keyOf({ resource, info }: Pick<Call, 'resource' | 'info'>, name: string): Key {
  return { collection: resource.collection, name: storageName(resource, info.namespace, name) };
}
