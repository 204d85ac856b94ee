import type { ApiResponse } from '@flotilla/kube';
import { requestToken } from './token-request.ts';
import { reviewSelf, reviewToken } from './reviews/authentication-reviews.ts';
import { reviewAccess } from './reviews/review-access.ts';
import { reviewRules } from './reviews/review-rules.ts';
import type { Call } from '../../call/call.ts';
import { createBinding } from './pods/bind-pod.ts';
import { componentStatuses } from './component-statuses.ts';
import { createEviction } from './pods/evict-pod.ts';
import { podPortForward, podStreams } from './kubelet/pod-connect.ts';
import { podLog } from './kubelet/pod-log.ts';
import { nodeProxy, podProxy, serviceProxy } from './kubelet/proxy.ts';

type VirtualHandler = (call: Call) => ApiResponse | Promise<ApiResponse>;

/** Handlers of resources and subresources that are not stored. The key is `resource.group` or `resource.group/subresource`. */
export const virtualHandlers: ReadonlyMap<string, VirtualHandler> = new Map<string, VirtualHandler>([
  ['bindings.', createBinding],
  ['pods./binding', createBinding],
  ['pods./eviction', createEviction],
  ['pods./log', podLog],
  ['pods./exec', podStreams],
  ['pods./attach', podStreams],
  ['pods./portforward', podPortForward],
  ['pods./proxy', podProxy],
  ['services./proxy', serviceProxy],
  ['nodes./proxy', nodeProxy],
  ['serviceaccounts./token', requestToken],
  ['componentstatuses.', componentStatuses],
  ['subjectaccessreviews.authorization.k8s.io', reviewAccess],
  ['localsubjectaccessreviews.authorization.k8s.io', reviewAccess],
  ['selfsubjectaccessreviews.authorization.k8s.io', reviewAccess],
  ['selfsubjectrulesreviews.authorization.k8s.io', reviewRules],
  ['selfsubjectreviews.authentication.k8s.io', reviewSelf],
  ['tokenreviews.authentication.k8s.io', reviewToken],
]);
