import { ApiError, apiErrors, errorMessage, type ApiRequest, type ApiResponse, type Logger } from '@flotilla/kube';
import type { RequestInfo } from '../request/request-info.ts';
import { isStream } from '../response/response-parts.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** Slower requests are logged. */
const slowSeconds = 1;

/** What is known of a request when it fails. */
export type FailedRequest = Pick<ApiRequest, 'method' | 'path' | 'user'>;

/** Counts and times requests, and logs slow and failed ones. */
export class RequestObserver {
  readonly #metrics: RequestMetrics;
  readonly #log: Logger;

  constructor(metrics: RequestMetrics, log: Logger) {
    this.#metrics = metrics;
    this.#log = log;
  }

  observe(
    request: ApiRequest,
    info: RequestInfo,
    answer: () => ApiResponse | Promise<ApiResponse>,
  ): ApiResponse | Promise<ApiResponse> {
    const start = performance.now();
    const response = answer();
    if (!(response instanceof Promise)) return this.#answered(request, info, response, start);
    const inFlight = this.#metrics.inFlight(request);
    inFlight.add(1);
    return response.then(
      (answered) => {
        inFlight.add(-1);
        return this.#answered(request, info, answered, start);
      },
      (error: unknown) => {
        inFlight.add(-1);
        throw error;
      },
    );
  }

  /**
   * Returns the error for the client: an ApiError as it is, any other exception as a 500 with its message. Gets every exception
   * of a request, including those of the listener and of streams.
   */
  reportFault(request: FailedRequest, error: unknown): ApiError {
    const isOurs = !(error instanceof ApiError);
    const known = isOurs ? apiErrors.internalError(errorMessage(error), { cause: error }) : error;
    if (isOurs) this.#metrics.faults.add();
    if (known.code >= 500) {
      const { method, path, user } = request;
      // An ApiError with 500 is an expected answer to some requests; anything else is a bug.
      this.#log[isOurs ? 'error' : 'info']('request failed', {
        method,
        path,
        user: user?.name,
        code: known.code,
        error,
      });
    }
    return known;
  }

  #answered(request: ApiRequest, info: RequestInfo, response: ApiResponse, start: number): ApiResponse {
    const seconds = (performance.now() - start) / 1000;
    if (seconds > slowSeconds && !isStream(response.body)) {
      const { method, path, query, user } = request;
      this.#log.info('slow request', { method, path, query, user: user?.name, code: response.status, seconds });
    }
    const failed = isStream(response.body)
      ? (error: unknown): void => void this.reportFault(request, error)
      : undefined;
    return this.#metrics.answered(request, info, response, seconds, failed);
  }
}
