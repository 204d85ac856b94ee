import { apiErrors, forbidden, invalid, type ApiResponse, type FieldError } from '@flotilla/kube';
import { integerParameter } from '../../../request/integer-parameter.ts';
import type { Query } from '../../../request/query.ts';
import type { Call } from '../../../call/call.ts';
import { containerOf, hostAndPort, kubeletOf, connectionRefused, podNamed } from './pod-target.ts';

/** The log of an unscheduled pod is empty. Any other is on a node, whose kubelet is simulated or cannot be reached from here. */
export function podLog(call: Call): ApiResponse {
  const { info } = call;
  if (info.verb !== 'get') throw apiErrors.methodNotAllowed();
  const options = logOptions(info.query);
  const errors = optionErrors(options);
  if (errors.length > 0) throw apiErrors.invalid({ kind: 'PodLogOptions', group: '' }, info.name, errors);

  const pod = podNamed(call, info.name);
  const container = containerOf(pod, info.query.get('container') ?? '');
  const node = pod.spec.nodeName ?? '';
  if (node === '') return { status: 204, headers: { 'cache-control': 'no-cache, private' }, body: new Uint8Array() };
  const address = kubeletOf(call, node, 'pods');
  const { kubelets } = call.server;
  if (kubelets !== undefined) return textOf(kubelets.log, options);
  const path = `/containerLogs/${info.namespace}/${info.name}/${container}${queryOf(options)}`;
  throw apiErrors.unknown(`Get "https://${hostAndPort(address)}${path}": ${connectionRefused(address)}`);
}

function textOf(log: string, { tailLines, limitBytes }: LogOptions): ApiResponse {
  const text = tailLines === 0 ? '' : log;
  const body = Buffer.from(text).subarray(0, Number(limitBytes ?? text.length));
  return { status: 200, headers: { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' }, body };
}

interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | bigint | undefined;
  readonly sinceTime: string | undefined;
  readonly tailLines: number | bigint | undefined;
  readonly limitBytes: number | bigint | undefined;
  readonly stream: string | undefined;
}

function logOptions(query: Query): LogOptions {
  return {
    follow: query.flag('follow') ?? false,
    previous: query.flag('previous') ?? false,
    timestamps: query.flag('timestamps') ?? false,
    sinceSeconds: integerParameter(query, 'sinceSeconds'),
    sinceTime: query.get('sinceTime') || undefined,
    tailLines: integerParameter(query, 'tailLines'),
    limitBytes: integerParameter(query, 'limitBytes'),
    stream: query.get('stream'),
  };
}

function optionErrors({ tailLines, limitBytes, sinceSeconds, sinceTime, stream }: LogOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  // Selecting stdout or stderr is off by default in Kubernetes.
  if (stream !== undefined) errors.push(forbidden('stream', 'may not be specified'));
  return errors;
}

/** The query of the request to the kubelet. */
function queryOf({ follow, limitBytes, previous, sinceSeconds, sinceTime, tailLines, timestamps }: LogOptions): string {
  const query = new URLSearchParams();
  if (follow) query.set('follow', 'true');
  if (limitBytes !== undefined) query.set('limitBytes', String(limitBytes));
  if (previous) query.set('previous', 'true');
  if (sinceSeconds !== undefined) query.set('sinceSeconds', String(sinceSeconds));
  if (sinceTime !== undefined) query.set('sinceTime', sinceTime);
  if (tailLines !== undefined) query.set('tailLines', String(tailLines));
  if (timestamps) query.set('timestamps', 'true');
  return query.size === 0 ? '' : `?${query.toString()}`;
}
