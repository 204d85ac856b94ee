import type { ApiRequest, ApiResponse, Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import { exponentialBounds } from '@flotilla/kube';
import type { RequestInfo, ResourceInfo } from '../request/request-info.ts';
import { isStream } from '../response/response-parts.ts';
import type { Registry } from '../resources/registry.ts';
import { observedStream } from './observed-stream.ts';

/** Those of kube-apiserver, in seconds. */
const durationBounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
/** Of service level indicators, as in kube-apiserver. */
const sliBounds = durationBounds.slice(2);
const sizeBounds = exponentialBounds(1000, 10, 7);

/** In alphabetical order, as Prometheus prints them. */
const labelNames = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

/** The metrics of requests with the same labels. */
interface Series {
  readonly labels: Labels;
  readonly byCode: Map<number, Counter>;
  readonly duration: Histogram;
  /** Undefined for dry runs. */
  readonly sli: Histogram | undefined;
  /** Undefined unless the verb is GET or LIST. */
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
 * Counts requests with kube-apiserver's metric names. A request costs one look-up by its resource and some comparisons: a text of
 * all labels would be made for each. Only resources that exist become labels, so that no client can fill the memory with names.
 */
export class RequestMetrics {
  readonly #registry: Registry;
  /** By resource, or by method and path. */
  readonly #series = new Map<string, Series[]>();
  readonly #total: MetricFamily<Counter>;
  readonly #duration: MetricFamily<Histogram>;
  readonly #sli: MetricFamily<Histogram>;
  readonly #sizes: MetricFamily<Histogram>;
  readonly #longRunning: MetricFamily<Gauge>;
  readonly #inFlight: Readonly<Record<'readOnly' | 'mutating', Gauge>>;
  /** Requests with an unexpected exception. */
  readonly faults: Counter;

  constructor(metrics: MetricsRegistry, registry: Registry) {
    this.#registry = registry;
    this.#total = metrics.counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, dry run, group, version, resource, subresource, scope, component and HTTP code.',
      labels: ['code', 'component', 'dry_run', ...labelNames.slice(1)],
    });
    this.#duration = metrics.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Response time in seconds.',
      labels: ['component', 'dry_run', ...labelNames.slice(1)],
      bounds: durationBounds,
    });
    this.#sli = metrics.histogram({
      name: 'apiserver_request_sli_duration_seconds',
      help: 'Response time in seconds, without the time in admission webhooks and queues.',
      labels: labelNames,
      bounds: sliBounds,
    });
    this.#sizes = metrics.histogram({
      name: 'apiserver_response_sizes',
      help: 'Size of responses to GET and LIST, in bytes.',
      labels: labelNames,
      bounds: sizeBounds,
    });
    this.#longRunning = metrics.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches and other long-running requests.',
      labels: labelNames,
    });
    const inFlight = metrics.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests in flight.',
      labels: ['request_kind'],
    });
    this.#inFlight = { readOnly: inFlight.with('readOnly'), mutating: inFlight.with('mutating') };
    this.faults = metrics
      .counter({
        name: 'flotilla_request_faults_total',
        help: 'Requests that failed by an unexpected exception; see the log.',
      })
      .with();
  }

  /** The gauge of asynchronous requests. */
  inFlight({ method }: Pick<ApiRequest, 'method'>): Gauge {
    return this.#inFlight[method === 'GET' || method === 'HEAD' ? 'readOnly' : 'mutating'];
  }

  /** Counts a response and returns it, with an observed body if that is a stream. `failed` gets the exception of a stream. */
  answered(
    request: ApiRequest,
    info: RequestInfo,
    answer: ApiResponse,
    seconds: number,
    failed: ((error: unknown) => void) | undefined,
  ): ApiResponse {
    const series = this.#seriesOf(request, info);
    const { status, body } = answer;
    this.#counterOf(series, status).add();
    if (!isStream(body)) {
      series.duration.observe(seconds);
      series.sli?.observe(seconds);
      series.sizes?.observe(lengthOf(body));
      return answer;
    }
    const isLongRunning = series.labels.verb === 'WATCH';
    const gauge = isLongRunning ? this.#longRunning.with(...valuesOf(series.labels)) : undefined;
    return {
      ...answer,
      body: observedStream(body, {
        began: () => gauge?.add(1),
        ended: (bytes, lastedSeconds) => {
          gauge?.add(-1);
          series.duration.observe(seconds + lastedSeconds);
          series.sli?.observe(seconds + lastedSeconds);
          series.sizes?.observe(bytes);
        },
        failed: (error) => failed?.(error),
      }),
    };
  }

  #counterOf({ byCode, labels }: Series, status: number): Counter {
    let counter = byCode.get(status);
    if (counter === undefined) {
      const [component = '', ...others] = valuesOf(labels);
      counter = this.#total.with(String(status), component, labels.dryRun, ...others);
      byCode.set(status, counter);
    }
    return counter;
  }

  #seriesOf(request: ApiRequest, info: RequestInfo): Series {
    const dryRun = info.query.get('dryRun') === undefined ? '' : 'All';
    const key = info.isResource ? info.resource : `${request.method}\0${pathLabel(info.path)}`;
    for (const series of this.#series.get(key) ?? [])
      if (!info.isResource || hasLabels(series, request, info, dryRun)) return series;
    return this.#add(key, this.#labelsOf(request, info, dryRun));
  }

  #add(key: string, labels: Labels): Series {
    const [component = '', ...others] = valuesOf(labels);
    const isReading = labels.verb === 'GET' || labels.verb === 'LIST';
    const series: Series = {
      labels,
      byCode: new Map(),
      duration: this.#duration.with(component, labels.dryRun, ...others),
      sli: labels.dryRun === '' ? this.#sli.with(component, ...others) : undefined,
      sizes: isReading ? this.#sizes.with(component, ...others) : undefined,
    };
    // Unknown resources share a series, and are not stored by name.
    if (labels.resource === '' && labels.subresource === '') return series;
    const known = this.#series.get(key);
    if (known) known.push(series);
    else this.#series.set(key, [series]);
    return series;
  }

  #labelsOf(request: ApiRequest, info: RequestInfo, dryRun: string): Labels {
    const noLabels = { group: '', resource: '', scope: '', version: '', component: '', dryRun: '' };
    const { method } = request;
    if (!info.isResource) return { ...noLabels, subresource: pathLabel(info.path), verb: methodLabel(method) };
    const resource = this.#registry.find(info.group, info.version, info.resource);
    const isKnown =
      resource && (info.subresource === '' || resource.subresources.some(({ name }) => name === info.subresource));
    if (!isKnown) return { ...noLabels, subresource: '', verb: methodLabel(method) };
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

function hasLabels({ labels }: Series, request: ApiRequest, info: ResourceInfo, dryRun: string): boolean {
  return (
    labels.verb === verbLabel(request, info) &&
    labels.subresource === info.subresource &&
    labels.scope === scopeOf(info) &&
    labels.version === info.version &&
    labels.group === info.group &&
    labels.dryRun === dryRun
  );
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

/** Clients choose paths, so that only known ones have labels. */
function pathLabel(path: string): string {
  const [, root = '', second = ''] = path.split('/', 3);
  if (root === 'openapi') return second === 'v3' || second === 'v2' ? `openapi/${second}` : '';
  return knownPaths.has(root) ? `/${root}` : '';
}

function lengthOf(body: Uint8Array | readonly Uint8Array[]): number {
  return body instanceof Uint8Array ? body.length : body.reduce((sum, { length }) => sum + length, 0);
}
