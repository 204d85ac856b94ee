import { ApiError, apiErrors, quote, type ApiStatus } from '@flotilla/kube';

/** A webhook that did not decide. The failure policy says whether the request goes on. */
export class WebhookCallFailure extends Error {
  override readonly name = 'WebhookCallFailure';
  /** For metrics. */
  readonly code: number;

  constructor(webhook: string, why: string, code: number, options?: ErrorOptions) {
    super(`failed calling webhook ${quote(webhook)}: ${why}`, options);
    this.code = code;
  }

  toApiError(): ApiError {
    return apiErrors.internalError(this.message, { cause: this });
  }
}

/** A webhook that refused the request. */
export class WebhookRejection extends Error {
  override readonly name = 'WebhookRejection';
  readonly error: ApiError;

  constructor(webhook: string, result: Partial<ApiStatus>) {
    const error = rejection(webhook, result);
    super(error.message);
    this.error = error;
  }
}

/** The answer's Status with a message that names the webhook, and as a failure in any case. */
function rejection(webhook: string, result: Partial<ApiStatus>): ApiError {
  const { code = 0, message, reason } = result;
  const why = message || reason;
  const deniedBy = `admission webhook ${quote(webhook)} denied the request`;
  return new ApiError({
    ...result,
    kind: 'Status',
    apiVersion: 'v1',
    metadata: result.metadata ?? {},
    status: 'Failure',
    message: why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`,
    code: code < 400 ? 400 : code,
  });
}
