import type { ApiRequest } from '@flotilla/kube';
import type { Work } from '../limits/work.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import { storageName, type Resource } from '../resources/resource.ts';
import type { Key } from '../store/store.ts';
import type { Server } from './server.ts';

/** One request on its way through a verb. */
export interface Call {
  readonly server: Server;
  readonly request: ApiRequest;
  readonly info: ResourceInfo;
  readonly resource: Resource;
  /** What the request takes of its caller's share; undefined for one that is not counted, or reads. */
  readonly work?: Work | undefined;
  /** Sentences for `Warning` headers, in the order they came up. */
  readonly warnings: string[];
}

/** How refusals name what a call is about. */
export function groupResource({ resource }: Pick<Call, 'resource'>): { resource: string; group: string } {
  return { resource: resource.plural, group: resource.group };
}

/** Where an object of that name is, or would be, stored. */
export function keyOf({ resource, info }: Pick<Call, 'resource' | 'info'>, name: string): Key {
  return { collection: resource.collection, name: storageName(resource, info.namespace, name) };
}
