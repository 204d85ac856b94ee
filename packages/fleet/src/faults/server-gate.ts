import { errorResponse, Query, type ApiServer, type RoutedServer } from '@flotilla/apiserver';
import {
  anonymous,
  ApiError,
  apiErrors,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type ApiViewer,
  type BuiltinsView,
} from '@flotilla/kube';
import { OpenStreams } from './open-streams.ts';

/** All requests to an embedded server pass through it, also while the server is stopped and after a restart. */
export class ServerGate implements RoutedServer {
  readonly #name: string;
  readonly #random: () => number;
  readonly #streams = new OpenStreams();
  #server: ApiServer | undefined;
  /** Share of the requests that fail, in [0, 1]. */
  failureRate = 0;

  /** `random` decides which requests fail. */
  constructor(name: string, random: () => number) {
    this.#name = name;
    this.#random = random;
  }

  open(server: ApiServer): void {
    this.#server = server;
  }

  /** Ends watches and views. Answers requests with 503 from now on. */
  close(): void {
    this.#server = undefined;
    this.#streams.cut(this.#stopped());
  }

  readonly authenticate: RoutedServer['authenticate'] = (proof, authorization, target) =>
    this.#server === undefined ? anonymous : this.#server.authenticate(proof, authorization, target);

  readonly handle: ApiHandler = (request) => {
    const server = this.#admitted();
    if (server instanceof ApiError) return errorResponse(request, Query.of(request.query), server);
    const response = server.handle(request);
    if (!isWatch(request)) return response;
    return response instanceof Promise ? response.then((answer) => this.#cuttable(answer)) : this.#cuttable(response);
  };

  readonly view: ApiViewer = (request) => {
    const server = this.#admitted();
    if (server instanceof ApiError) throw server;
    const view = server.view(request);
    return view && this.#streams.view(view);
  };

  readonly viewBuiltins = (): BuiltinsView => {
    const server = this.#admitted();
    if (server instanceof ApiError) throw server;
    return this.#streams.builtins(server.viewBuiltins());
  };

  #admitted(): ApiServer | ApiError {
    if (this.#server === undefined) return this.#stopped();
    if (this.failureRate === 0 || this.#random() >= this.failureRate) return this.#server;
    return this.#random() < 0.5
      ? apiErrors.internalError('simulated failure')
      : apiErrors.tooManyRequests('simulated overload, please try again later', 1);
  }

  #stopped(): ApiError {
    return apiErrors.serviceUnavailable(`the cluster ${this.#name} is stopped`);
  }

  #cuttable(response: ApiResponse): ApiResponse {
    const { body } = response;
    return 'start' in body ? { ...response, body: this.#streams.response(body) } : response;
  }
}

function isWatch({ query }: ApiRequest): boolean {
  return query.includes('watch');
}
