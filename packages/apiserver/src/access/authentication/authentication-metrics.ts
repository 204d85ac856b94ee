import { exponentialBounds, type Counter, type MetricFamily, type MetricsRegistry, type User } from '@flotilla/kube';
import { SampledDurations } from '../sampled-durations.ts';
import { bearerToken, type Authenticate } from './authenticate.ts';
import type { CertificateProof } from './client-certificates.ts';

/** An error: the credentials are invalid. A failure: there are none, and the request must have some. */
type Result = 'success' | 'failure' | 'error';

const results: readonly Result[] = ['success', 'failure', 'error'];

/** Of authentication and authorization, as in kube-apiserver, in seconds. */
export const accessDurationBounds = exponentialBounds(0.001, 2, 15);

/** Kubernetes' metrics of requests that are authenticated. */
export class AuthenticationMetrics {
  readonly #users: MetricFamily<Counter>;
  readonly #attempts: MetricFamily<Counter>;
  readonly #durations: SampledDurations<Result>;
  /** Requests by what is shown of their user. */
  readonly #byUser = new Map<string, Counter>();

  constructor(metrics: MetricsRegistry) {
    this.#users = metrics.counter({
      name: 'authenticated_user_requests',
      help: '[ALPHA] Counter of authenticated requests broken out by username.',
      labels: ['username'],
    });
    this.#attempts = metrics.counter({
      name: 'authentication_attempts',
      help: '[ALPHA] Counter of authenticated attempts.',
      labels: ['result'],
    });
    const durations = metrics.histogram({
      name: 'authentication_duration_seconds',
      help: '[ALPHA] Authentication duration in seconds broken out by result.',
      labels: ['result'],
      bounds: accessDurationBounds,
    });
    this.#durations = new SampledDurations(durations, results);
    metrics.beforeScrape(() => this.#durations.flush());
  }

  observed(authenticate: Authenticate): Authenticate {
    return (proof, authorization, target) => {
      const startedAt = this.#durations.begin();
      const user = authenticate(proof, authorization, target);
      if (user instanceof Promise) return this.#awaited(user, proof, authorization);
      const result = user ? 'success' : refusal(proof, authorization);
      this.#count(user, result);
      this.#durations.end(result, startedAt);
      return user;
    };
  }

  async #awaited(
    finding: Promise<User | undefined>,
    proof: CertificateProof,
    authorization: string | undefined,
  ): Promise<User | undefined> {
    const startedAt = performance.now();
    const user = await finding;
    const result = user ? 'success' : refusal(proof, authorization);
    this.#count(user, result);
    this.#durations.waited(result, (performance.now() - startedAt) / 1000);
    return user;
  }

  #count(user: User | undefined, result: Result): void {
    this.#attempts.with(result).add();
    if (!user) return;
    const shown = shownName(user.name);
    let counter = this.#byUser.get(shown);
    if (!counter) this.#byUser.set(shown, (counter = this.#users.with(shown)));
    counter.add();
  }
}

function refusal(proof: CertificateProof, authorization: string | undefined): Result {
  const hasToken = authorization !== undefined && bearerToken(authorization) !== undefined;
  return hasToken || proof === 'refused' ? 'error' : 'failure';
}

/** Users that Kubernetes names in its metrics. */
const namedUsers: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** The names of all others stay out of the metrics. */
function shownName(name: string): string {
  if (namedUsers.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
