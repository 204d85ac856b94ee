import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import type { PathInfo } from './request-info.ts';

/** Answers requests for paths that are no resource: discovery, health, version. */
export type PathHandler = (request: ApiRequest, info: PathInfo) => ApiResponse | Promise<ApiResponse>;
