import type { ApiRequest, User } from '@flotilla/kube';
import type { ResourceInfo } from '../request/request-info.ts';

/** May this user do that? Answered at once, from memory. */
export type Authorizer = (access: Access) => Decision;

/** What somebody wants to do: something with a resource, or a request to a path that is none. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly isResource: true;
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty at the cluster scope. */
  readonly namespace: string;
  /** Empty where the request is about no object in particular. */
  readonly name: string;
}

export interface PathAccess {
  readonly isResource: false;
  readonly user: User;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly isAllowed: boolean;
  /** What allowed it, or what stood in the way of finding out; often empty. */
  readonly reason: string;
}

/** As much of a request as the authorizer needs while a verb runs. */
export interface AuthorizedCall {
  readonly request: Pick<ApiRequest, 'user'>;
  readonly info: ResourceInfo;
  readonly server: { readonly access: { readonly authorize: Authorizer } };
}
