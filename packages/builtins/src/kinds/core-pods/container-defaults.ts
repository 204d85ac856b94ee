import type { ContainerFields, EnvVarFields, HandlerFields, HttpGetFields, ProbeFields } from './container-fields.ts';
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

/** Parts of an image reference. The default pull policy depends on whether the tag is `latest`. */
const referencePattern =
  /^(?:(?:\[[a-fA-F0-9:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*)(?::[0-9]+)?\/)?([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)(?::([\w][\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$/;
const digestPattern = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const contentHashPattern = /^[a-f0-9]{64}$/;

/** The longest name, tag and digest that a reference can have together. */
const maxReferenceLength = 255 + 129 + 136;
const maxNameLength = 255;

/** A reference without tag and digest means `latest`. False if it cannot be parsed. */
export function isLatestImage(image: string): boolean {
  if (image.length > maxReferenceLength || contentHashPattern.test(image)) return false;
  const match = referencePattern.exec(normalized(image));
  if (match === null) return false;
  const [whole, , tag, hash] = match;
  const nameLength =
    whole.length - (tag === undefined ? 0 : tag.length + 1) - (hash === undefined ? 0 : hash.length + 1);
  if (nameLength > maxNameLength || (hash !== undefined && !digestPattern.test(hash))) return false;
  return tag === undefined ? hash === undefined : tag === 'latest';
}

/** Prepends the default registry to a short name, so that `web:5000/app` has a host and `library/app` does not. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasHost = slash !== -1 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  return hasHost ? image : `docker.io/${image}`;
}
