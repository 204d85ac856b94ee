import type { ApiRequest, User } from '@flotilla/kube';
import type { ResourceInfo } from '../request/request-info.ts';

/** Decides synchronously, from memory. */
export type Authorizer = (access: Access) => Decision;

/** What a user asks to do with a resource, or with a path that is no resource. */
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
  /** Empty if the request names no object. */
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
  /** The binding that allowed it, or the roles that could not be found; often empty. */
  readonly reason: string;
}

/** What authorization needs of a call. */
export interface AuthorizedCall {
  readonly request: Pick<ApiRequest, 'user'>;
  readonly info: ResourceInfo;
  readonly server: { readonly access: { readonly authorize: Authorizer } };
}
