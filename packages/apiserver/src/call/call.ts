import type { ApiRequest } from '@flotilla/kube';
import type { Work } from '../limits/work.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import type { Resource } from '../resources/resource.ts';
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
