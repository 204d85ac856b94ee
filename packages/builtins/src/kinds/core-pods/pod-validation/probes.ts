import {
  forbidden,
  invalid,
  httpHeaderNameProblems,
  portNameProblems,
  portNumberProblems,
  notSupported,
  required,
  type FieldError,
} from '@flotilla/kube';
import type {
  ContainerFields,
  HandlerFields,
  HttpGetFields,
  LifecycleFields,
  ProbeFields,
} from '../container-fields.ts';
import type { Int64 } from '../pod-fields.ts';
import { checkNotNegative, invalidForEach } from './checks.ts';

type HandlerName = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep';

const handlerNames: readonly HandlerName[] = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

export function checkProbes(errors: FieldError[], path: string, container: ContainerFields): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe !== undefined) checkOneShotProbe(errors, `${path}.livenessProbe`, livenessProbe);
  if (readinessProbe !== undefined) {
    checkProbe(errors, `${path}.readinessProbe`, readinessProbe);
    const grace = readinessProbe.terminationGracePeriodSeconds;
    if (grace !== undefined) {
      const field = `${path}.readinessProbe.terminationGracePeriodSeconds`;
      errors.push(invalid(field, grace, 'must not be set for readinessProbes'));
    }
  }
  if (startupProbe !== undefined) checkOneShotProbe(errors, `${path}.startupProbe`, startupProbe);
}

/** A probe for which one success is enough. */
function checkOneShotProbe(errors: FieldError[], path: string, probe: ProbeFields): void {
  checkProbe(errors, path, probe);
  if (probe.successThreshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  }
}

function checkProbe(errors: FieldError[], path: string, probe: ProbeFields): void {
  checkHandler(errors, path, probe, undefined);
  checkNotNegative(errors, `${path}.initialDelaySeconds`, probe.initialDelaySeconds);
  checkNotNegative(errors, `${path}.timeoutSeconds`, probe.timeoutSeconds);
  checkNotNegative(errors, `${path}.periodSeconds`, probe.periodSeconds);
  checkNotNegative(errors, `${path}.successThreshold`, probe.successThreshold);
  checkNotNegative(errors, `${path}.failureThreshold`, probe.failureThreshold);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  }
}

/** `gracePeriod`: that of the pod, and the limit for a sleep hook. */
export function checkLifecycle(
  errors: FieldError[],
  path: string,
  { postStart, preStop }: LifecycleFields,
  gracePeriod: Int64 | undefined,
): void {
  if (postStart !== undefined) checkHandler(errors, `${path}.postStart`, postStart, gracePeriod);
  if (preStop !== undefined) checkHandler(errors, `${path}.preStop`, preStop, gracePeriod);
}

function checkHandler(
  errors: FieldError[],
  path: string,
  handler: HandlerFields,
  gracePeriod: Int64 | undefined,
): void {
  const given = handlerNames.filter((name) => handler[name] !== undefined);
  const [first, ...others] = given;
  if (first === undefined) return void errors.push(required(path, 'must specify a handler type'));
  checkAction(errors, `${path}.${first}`, first, handler, gracePeriod);
  for (const name of others) errors.push(forbidden(`${path}.${name}`, 'may not specify more than 1 handler type'));
}

function checkAction(
  errors: FieldError[],
  path: string,
  name: HandlerName,
  { exec, httpGet, tcpSocket, grpc, sleep }: HandlerFields,
  gracePeriod: Int64 | undefined,
): void {
  switch (name) {
    case 'exec':
      if (!exec?.command?.length) errors.push(required(`${path}.command`));
      return;
    case 'httpGet':
      return httpGet && checkHttpGet(errors, path, httpGet);
    case 'tcpSocket':
      return checkPort(errors, `${path}.port`, tcpSocket?.port ?? 0);
    case 'grpc':
      return checkPort(errors, `${path}.port`, grpc?.port ?? 0);
    case 'sleep':
      return checkSleep(errors, path, sleep?.seconds ?? 0, gracePeriod);
  }
}

function checkHttpGet(
  errors: FieldError[],
  path: string,
  { path: target, port, scheme, httpHeaders }: HttpGetFields,
): void {
  if (!target) errors.push(required(`${path}.path`));
  checkPort(errors, `${path}.port`, port);
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
    errors.push(notSupported(`${path}.scheme`, scheme ?? '', ['HTTP', 'HTTPS']));
  }
  for (const { name } of httpHeaders ?? []) {
    invalidForEach(errors, `${path}.httpHeaders`, name, httpHeaderNameProblems(name));
  }
}

function checkPort(errors: FieldError[], path: string, port: number | string): void {
  const problems = typeof port === 'number' ? portNumberProblems(port) : portNameProblems(port);
  invalidForEach(errors, path, port, problems);
}

function checkSleep(errors: FieldError[], path: string, seconds: Int64, gracePeriod: Int64 | undefined): void {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return;
  const limit = `terminationGracePeriodSeconds (${gracePeriod})`;
  errors.push(invalid(path, seconds, `must be non-negative and less than ${limit}`));
}
