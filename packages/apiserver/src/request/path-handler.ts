import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import type { PathInfo } from './request-info.ts';

/** Answers requests that are about no resource: discovery, health, version. */
export type PathHandler = (request: ApiRequest, info: PathInfo) => ApiResponse | Promise<ApiResponse>;
