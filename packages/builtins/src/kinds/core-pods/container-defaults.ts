import type { ContainerFields, EnvVarFields, HandlerFields, HttpGetFields, ProbeFields } from './container-fields.ts';
import { isLatestImage } from './image-reference.ts';
import { roundUpToMilli } from './resource-lists.ts';

export function setContainerDefaults(containers: readonly ContainerFields[] | null | undefined): void {
  if (!containers) return;
  for (const container of containers) setDefaults(container);
}

export function defaultPullPolicy(image: string | undefined): string {
  return isLatestImage(image ?? '') ? 'Always' : 'IfNotPresent';
}

function setDefaults(container: ContainerFields): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) setEnvDefaults(variable);
  container.resources ??= {};
  roundUpToMilli(container.resources.limits);
  roundUpToMilli(container.resources.requests);
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  setHttpGetDefaults(container.lifecycle?.postStart?.httpGet);
  setHttpGetDefaults(container.lifecycle?.preStop?.httpGet);
}

function setEnvDefaults({ valueFrom }: EnvVarFields): void {
  if (valueFrom === undefined) return;
  if (valueFrom.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= 'v1';
  if (valueFrom.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
}

function setProbeDefaults(probe: ProbeFields | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHandlerDefaults(probe);
}

function setHandlerDefaults({ httpGet, grpc }: HandlerFields): void {
  setHttpGetDefaults(httpGet);
  if (grpc !== undefined) grpc.service ??= '';
}

function setHttpGetDefaults(httpGet: HttpGetFields | undefined): void {
  if (httpGet === undefined) return;
  httpGet.path ||= '/';
  httpGet.scheme ||= 'HTTP';
}
