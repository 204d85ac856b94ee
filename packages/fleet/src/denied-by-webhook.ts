import { ApiError } from '@flotilla/kube';

/** The answer of a server whose webhook refuses a request. */
export function deniedByWebhook(webhook: string, why: string, code: 400 | 403 = 403): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `admission webhook "${webhook}" denied the request: ${why}`,
    reason: code === 400 ? 'BadRequest' : 'Forbidden',
    code,
  });
}
