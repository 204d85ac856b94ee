import type { ApiRequest, ApiResponse, Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import { exponentialBounds } from '@flotilla/kube';
import type { RequestInfo, ResourceInfo } from '../request/request-info.ts';
import { isStream } from '../response/response-parts.ts';
import type { Registry } from '../resources/registry.ts';
import { observedStream } from './observed-stream.ts';

/** kube-apiserver's, in seconds. */
const durationBounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
/** Of the same, as dashboards for service levels want them. */
const levelBounds = durationBounds.slice(2);
const sizeBounds = exponentialBounds(1000, 10, 7);

/** In the order in which Prometheus prints them. */
const places = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

/** All that is counted about requests of one kind. */
interface Kind {
  readonly labels: Labels;
  readonly byCode: Map<number, Counter>;
  readonly duration: Histogram;
  /** Not of dry runs. */
  readonly level: Histogram | undefined;
  /** Only of what is read. */
  readonly sizes: Histogram | undefined;
}

interface Labels {
  readonly dryRun: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
  readonly component: string;
}

/**
 * Counts requests under the names that dashboards know. A request costs one look-up by a text of what it is about; only
 * resources that exist become labels, so that nobody can fill the memory with names.
 */
export class RequestMetrics {
  readonly #registry: Registry;
  readonly #kinds = new Map<string, Kind>();
  readonly #total: MetricFamily<Counter>;
  readonly #duration: MetricFamily<Histogram>;
  readonly #level: MetricFamily<Histogram>;
  readonly #sizes: MetricFamily<Histogram>;
  readonly #longRunning: MetricFamily<Gauge>;
  readonly #inFlight: Readonly<Record<'readOnly' | 'mutating', Gauge>>;
  /** Requests that failed by a fault of ours. */
  readonly faults: Counter;

  constructor(metrics: MetricsRegistry, registry: Registry) {
    this.#registry = registry;
    this.#total = metrics.counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, dry run, group, version, resource, subresource, scope, component and HTTP code.',
      labels: ['code', 'component', 'dry_run', ...places.slice(1)],
    });
    this.#duration = metrics.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'How long answers took, in seconds.',
      labels: ['component', 'dry_run', ...places.slice(1)],
      bounds: durationBounds,
    });
    this.#level = metrics.histogram({
      name: 'apiserver_request_sli_duration_seconds',
      help: 'How long answers took, in seconds, without what admission webhooks and queues took of it.',
      labels: places,
      bounds: levelBounds,
    });
    this.#sizes = metrics.histogram({
      name: 'apiserver_response_sizes',
      help: 'How large answers to reading requests are, in bytes.',
      labels: places,
      bounds: sizeBounds,
    });
    this.#longRunning = metrics.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Watches and other requests that last.',
      labels: places,
    });
    const inFlight = metrics.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being answered.',
      labels: ['request_kind'],
    });
    this.#inFlight = { readOnly: inFlight.with('readOnly'), mutating: inFlight.with('mutating') };
    this.faults = metrics
      .counter({
        name: 'flotilla_request_faults_total',
        help: 'Requests that failed by a fault of the server; see its log.',
      })
      .with();
  }

  /** Where requests are counted that are not answered at once, until they are. */
  inFlight({ method }: Pick<ApiRequest, 'method'>): Gauge {
    return this.#inFlight[method === 'GET' || method === 'HEAD' ? 'readOnly' : 'mutating'];
  }

  /** Returns the answer, or one of the same content that tells how it ends; `failed` hears of a stream that cannot go on. */
  answered(
    request: ApiRequest,
    info: RequestInfo,
    answer: ApiResponse,
    seconds: number,
    failed: ((error: unknown) => void) | undefined,
  ): ApiResponse {
    const kind = this.#kindOf(request, info);
    const { status, body } = answer;
    this.#counterOf(kind, status).add();
    if (!isStream(body)) {
      kind.duration.observe(seconds);
      kind.level?.observe(seconds);
      kind.sizes?.observe(lengthOf(body));
      return answer;
    }
    const isLasting = kind.labels.verb === 'WATCH';
    const gauge = isLasting ? this.#longRunning.with(...valuesOf(kind.labels)) : undefined;
    return {
      ...answer,
      body: observedStream(body, {
        began: () => gauge?.add(1),
        ended: (bytes, lastedSeconds) => {
          gauge?.add(-1);
          kind.duration.observe(seconds + lastedSeconds);
          kind.level?.observe(seconds + lastedSeconds);
          kind.sizes?.observe(bytes);
        },
        failed: (error) => failed?.(error),
      }),
    };
  }

  #counterOf({ byCode, labels }: Kind, status: number): Counter {
    let counter = byCode.get(status);
    if (counter === undefined) {
      const [component = '', ...others] = valuesOf(labels);
      counter = this.#total.with(String(status), component, labels.dryRun, ...others);
      byCode.set(status, counter);
    }
    return counter;
  }

  #kindOf(request: ApiRequest, info: RequestInfo): Kind {
    const dryRun = info.query.get('dryRun') === undefined ? '' : 'All';
    const key = info.isResource
      ? `${info.verb}\0${scopeOf(info)}\0${info.subresource}\0${info.group}\0${info.version}\0${info.resource}\0${dryRun}${isApply(request) ? 'apply' : ''}`
      : `${request.method}\0${pathLabel(info.path)}`;
    return this.#kinds.get(key) ?? this.#add(key, this.#labelsOf(request, info, dryRun));
  }

  #add(key: string, labels: Labels): Kind {
    const [component = '', ...others] = valuesOf(labels);
    const isReading = labels.verb === 'GET' || labels.verb === 'LIST';
    const kind: Kind = {
      labels,
      byCode: new Map(),
      duration: this.#duration.with(component, labels.dryRun, ...others),
      level: labels.dryRun === '' ? this.#level.with(component, ...others) : undefined,
      sizes: isReading ? this.#sizes.with(component, ...others) : undefined,
    };
    // What does not exist shares its series, and is not remembered by name.
    if (labels.resource !== '' || labels.subresource !== '') this.#kinds.set(key, kind);
    return kind;
  }

  #labelsOf(request: ApiRequest, info: RequestInfo, dryRun: string): Labels {
    const nowhere = { group: '', resource: '', scope: '', version: '', component: '', dryRun: '' };
    const { method } = request;
    if (!info.isResource) return { ...nowhere, subresource: pathLabel(info.path), verb: methodLabel(method) };
    const resource = this.#registry.find(info.group, info.version, info.resource);
    const isKnown =
      resource && (info.subresource === '' || resource.subresources.some(({ name }) => name === info.subresource));
    if (!isKnown) return { ...nowhere, subresource: '', verb: methodLabel(method) };
    return {
      dryRun,
      component: 'apiserver',
      group: info.group,
      version: info.version,
      resource: info.resource,
      subresource: info.subresource,
      scope: scopeOf(info),
      verb: verbLabel(request, info),
    };
  }
}

function valuesOf({ component, group, resource, scope, subresource, verb, version }: Labels): string[] {
  return [component, group, resource, scope, subresource, verb, version];
}

function scopeOf({ name, verb, namespace }: ResourceInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

const verbLabels: Readonly<Record<ResourceInfo['verb'], string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  unknown: 'other',
};

function verbLabel(request: ApiRequest, { verb }: ResourceInfo): string {
  return verb === 'patch' && isApply(request) ? 'APPLY' : verbLabels[verb];
}

function isApply({ method, headers }: ApiRequest): boolean {
  return method === 'PATCH' && (headers['content-type']?.startsWith('application/apply-patch') ?? false);
}

function methodLabel(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'other';
}

const knownPaths: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz', 'version', 'metrics', 'api', 'apis']);

/** Clients choose paths, so only those that exist are told apart. */
function pathLabel(path: string): string {
  const [, root = '', second = ''] = path.split('/', 3);
  if (root === 'openapi') return second === 'v3' || second === 'v2' ? `openapi/${second}` : '';
  return knownPaths.has(root) ? `/${root}` : '';
}

function lengthOf(body: Uint8Array | readonly Uint8Array[]): number {
  return body instanceof Uint8Array ? body.length : body.reduce((sum, { length }) => sum + length, 0);
}
